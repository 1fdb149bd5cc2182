"""Memory as tools for an agent: what the model may do, what it may not, and the server that an agent starts."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from commandline import CommandLine, tool_called
from recalling import OTHER, REF, LetterEmbedder, remember, runtime_over
from remembering import day
from sqlalchemy import Engine, func, select, text

from pipeline.facts import Source
from store import review
from store.engine import open_engine, reading, writing
from store.erase import forget
from store.history import live
from store.models import observations
from store.scope import customer_reading, customer_writing
from worker import house
from worker.mcp import server_for, tool_rows
from worker.runtime import Runtime
from worker.terms import terms_of
from worker.tools import RECALL, REPORT, TOOLS, Result, Toolbox, openai_tools


@pytest.fixture
def toolbox(sqlite_url: str, tmp_path: Path) -> Toolbox:
    runtime = runtime_over(open_engine(sqlite_url), tmp_path, LetterEmbedder())
    remember(runtime, ("database", "MySQL"), ("city", "Oslo"))
    return Toolbox(opening=lambda: runtime, tenant="acme", actor="bot:7")


def recalled(toolbox: Toolbox, **arguments: Any) -> Result:
    return toolbox.call(RECALL, {"customer_id": "u1"} | arguments)


def reported(toolbox: Toolbox, found: Result, key: str = "database", **more: str) -> Result:
    ref = next(fact["id"] for fact in found.data["facts"] if fact["key"] == key)[:12]
    return toolbox.call(REPORT, {"receipt": found.data["receipt"], "ref": ref} | more)


def questions(runtime: Runtime) -> list[Any]:
    return review.listed(runtime.engine, tenant="acme")


def values(runtime: Runtime) -> list[str]:
    with customer_reading(runtime.engine, REF) as view:
        return sorted(fact.value for fact in live(view, at=day(5_000)))


# --- the schema -----------------------------------------------------------------------------------------------------


def test_both_schemas_name_the_same_tools_and_close_their_arguments() -> None:
    functions = [row["function"] for row in openai_tools()]
    assert [row["name"] for row in functions] == [row["name"] for row in tool_rows()] == [RECALL, REPORT]
    assert [row["parameters"] for row in functions] == [row["inputSchema"] for row in tool_rows()]
    for row in functions:
        assert row["parameters"]["additionalProperties"] is False
        assert all("description" in one for one in row["parameters"]["properties"].values())


def test_tenant_actor_and_source_are_in_no_schema() -> None:
    names = {name for row in tool_rows() for name in row["inputSchema"]["properties"]}
    assert not names & {"tenant", "actor", "source", "importance", "confidence"}


def test_a_server_for_one_customer_lets_the_model_name_none(toolbox: Toolbox) -> None:
    mine = Toolbox(opening=toolbox.opening, tenant="acme", actor="bot", customer="u1")
    for row in (*tool_rows("u1"), *(one["function"] for one in openai_tools(customer="u1"))):
        assert "customer_id" not in row.get("inputSchema", row.get("parameters"))["properties"]
    remember(toolbox.opening(), ("database", "Oracle"), ref=OTHER)
    assert "MySQL" in mine.call(RECALL, {"customer_id": "u2"}).text
    assert "Oracle" not in mine.call(RECALL, {"customer_id": "u2"}).text


# --- calls ----------------------------------------------------------------------------------------------------------


def test_a_recall_gives_the_block_and_a_receipt_in_the_actors_name(toolbox: Toolbox) -> None:
    found = recalled(toolbox, query="which database")
    assert found.text.startswith("<customer_memory>") and f"receipt: {found.data['receipt']}" in found.text
    assert found.data["facts"][0]["value"] == "MySQL" and found.data["ranked_by"] == "meaning"
    with reading(toolbox.opening().engine) as connection:
        assert connection.execute(text("SELECT actor FROM receipts")).scalars().all() == ["bot:7"]


@pytest.mark.parametrize(
    ("name", "arguments", "says"),
    [
        ("forget_everything", {}, "no such tool"),
        (RECALL, {}, "customer_id: "),
        (RECALL, {"customer_id": "u\n1"}, "control characters"),
        (RECALL, {"customer_id": "u1", "tenant": "other"}, "(unknown field): known here are customer_id, query"),
        (RECALL, {"customer_id": "u1", "k": 0}, "k: "),
        (RECALL, {"customer_id": "u1", "language": "fr"}, "language: "),
        (RECALL, {"k": 0, "language": "fr"}, "customer_id: is missing; k: "),
        (REPORT, {"receipt": "x", "ref": "short"}, "ref: want at least 8 characters"),
        (REPORT, {"receipt": "x", "fact": "short"}, "fact: want at least 8 characters"),
        (REPORT, {"receipt": "x", "secret": 1}, "known here are receipt, ref or fact, instead"),
        (REPORT, {"receipt": "x" * 32, "fact": "0" * 12}, "no such receipt"),
        (REPORT, {"receipt": "x" * 32, "ref": "0" * 12}, "no such receipt"),
    ],
)
def test_a_call_that_cannot_be_made_is_told_to_the_model(
    toolbox: Toolbox, name: str, arguments: dict[str, Any], says: str
) -> None:
    done = toolbox.call(name, arguments)
    assert done.failed and says in done.text and "\n" not in done.text


def test_a_database_that_is_down_is_told_and_fails_nothing(toolbox: Toolbox) -> None:
    found = recalled(toolbox)
    with writing(toolbox.opening().engine) as connection:
        connection.execute(text("ALTER TABLE facts RENAME TO gone"))
        connection.execute(text("ALTER TABLE receipts RENAME TO away"))
    assert "cannot be reached" in recalled(toolbox).text
    down = toolbox.call(REPORT, {"receipt": found.data["receipt"], "ref": "0" * 12})
    assert down.failed and "go on without it" in down.text


# --- a wrong memory -------------------------------------------------------------------------------------------------


def test_a_wrong_memory_becomes_a_question_and_changes_nothing(toolbox: Toolbox) -> None:
    runtime = toolbox.opening()
    done = reported(toolbox, recalled(toolbox))
    assert (done.failed, done.data["outcome"], done.data["reason"]) == (False, "filed", "needs_confirmation")
    (item,) = questions(runtime)
    assert item.observation.ended and item.observation.slot.key == "database"
    assert (item.observation.source, item.observation.actor) == (Source.EXTRACTED, "bot:7")
    assert values(runtime) == ["MySQL", "Oslo"]


def test_the_same_report_twice_is_one_question(toolbox: Toolbox) -> None:
    found = recalled(toolbox)
    assert [reported(toolbox, found).data["outcome"] for _ in range(2)] == ["filed", "filed"]
    assert len(questions(toolbox.opening())) == 1


def test_what_the_customer_says_instead_waits_for_a_person_too(toolbox: Toolbox) -> None:
    runtime = toolbox.opening()
    assert reported(toolbox, recalled(toolbox), key="city", instead="Bergen").data["outcome"] == "filed"
    (item,) = questions(runtime)
    assert item.observation.value == "Bergen" and values(runtime) == ["MySQL", "Oslo"]


def test_a_value_that_may_not_be_kept_is_not_even_asked_about(toolbox: Toolbox) -> None:
    done = reported(toolbox, recalled(toolbox), instead="my card is 4111 1111 1111 1111")
    assert done.data["outcome"] == "refused" and questions(toolbox.opening()) == []
    assert "4111" not in done.text


def test_a_fact_that_was_replaced_since_is_gone(toolbox: Toolbox) -> None:
    found = recalled(toolbox)
    remember(toolbox.opening(), ("database", "PostgreSQL"), at=9)
    assert reported(toolbox, found).data["outcome"] == "gone"
    assert questions(toolbox.opening()) == []


def test_a_customer_who_was_forgotten_since_stays_forgotten(toolbox: Toolbox) -> None:
    found, runtime = recalled(toolbox), toolbox.opening()
    forget(runtime.engine, runtime.keys, runtime.ledger, REF, rules=house.rules(runtime), actor="ann", now=day(900))
    assert reported(toolbox, found).data["outcome"] == "gone"
    with reading(runtime.engine) as connection:
        assert connection.execute(select(func.count()).select_from(observations)).scalar_one() == 0


def test_another_tenants_receipt_is_unknown(toolbox: Toolbox) -> None:
    found = recalled(toolbox)
    other = Toolbox(opening=toolbox.opening, tenant="other", actor="bot")
    assert reported(other, found).data["outcome"] == "unknown"


def test_a_fact_that_the_receipt_did_not_hand_out_is_unknown(toolbox: Toolbox) -> None:
    found = recalled(toolbox, k=1)
    handed = found.data["facts"][0]["id"]
    every = {fact["id"] for fact in recalled(toolbox).data["facts"]} - {handed}
    done = toolbox.call(REPORT, {"receipt": found.data["receipt"], "ref": every.pop()[:12]})
    assert done.data["outcome"] == "unknown"


# --- the server -----------------------------------------------------------------------------------------------------


def test_an_agent_talks_to_the_server_in_the_protocol(toolbox: Toolbox) -> None:
    from mcp import Client

    async def talk() -> tuple[Any, Any, Any]:
        async with Client(server_for(toolbox)) as client:
            listed = await client.list_tools()
            found = await client.call_tool(RECALL, {"customer_id": "u1", "query": "which database"})
            wrong = await client.call_tool("forget_everything", {})
            return listed, found, wrong

    listed, found, wrong = asyncio.run(talk())
    assert [tool.name for tool in listed.tools] == [tool.name for tool in TOOLS]
    assert "MySQL" in found.content[0].text and found.structured_content["receipt"]
    assert wrong.is_error


def test_the_command_serves_over_stdio_and_ends_with_its_input(afterword: CommandLine, tmp_path: Path) -> None:
    fact = ("--kind", "profile", "--key", "database", "--value", "MySQL", "--source", "system")
    assert afterword("remember", "--tenant", "acme", "--customer", "u1", *fact).code == 0
    done = tool_called(RECALL, {"customer_id": "u1"}, "--tenant", "acme", "--actor", "bot", stderr=tmp_path / "stderr")
    assert "MySQL" in done.content[0].text


def test_the_command_prints_the_schema_for_whoever_wires_it_by_hand(afterword: CommandLine) -> None:
    printed = afterword("mcp", "--tenant", "acme", "--schema", "openai")
    assert printed.rows == json.loads(json.dumps(openai_tools()))
    one = afterword("mcp", "--tenant", "acme", "--customer", "u1", "--schema", "mcp").rows[0]
    assert "customer_id" not in one["inputSchema"]["properties"]


def test_a_missing_sdk_is_one_line(afterword: CommandLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mcp_types", None)
    done = afterword("mcp", "--tenant", "acme")
    assert done.code == 1 and "pip install 'afterword[mcp]'" in done.err and "\n" not in done.err.strip()


def test_a_fact_that_a_ticket_taught_ends_when_a_person_agrees(engine: Engine, tmp_path: Path) -> None:
    runtime = runtime_over(engine, tmp_path)
    remember(runtime, ("database", "MySQL"), source="extracted")
    toolbox = Toolbox(opening=lambda: runtime, tenant="acme", actor="bot")
    reported(toolbox, recalled(toolbox))
    (item,) = questions(runtime)
    with customer_writing(runtime.engine, runtime.keys, REF, now=day(3_000)) as tx:
        done = review.accept(tx, item.observation.id, actor="ann", terms=terms_of(runtime))
    assert done.decision is not None and done.decision.reason.value == "ended"
    assert values(runtime) == []
