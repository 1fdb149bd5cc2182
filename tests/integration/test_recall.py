"""Recall with a query: by meaning, by words where that cannot be had, and always with an answer."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from recalling import (
    OTHER,
    REF,
    LetterEmbedder,
    RaisingEmbedder,
    StuckEmbedder,
    embedded_by,
    remember,
    runtime_over,
    texts_asked,
)
from remembering import day
from sqlalchemy import Engine, text

from pipeline.kinds import Kind
from store import receipts
from store.engine import writing
from worker import logs
from worker.embed import EmbedderMissing, embed_customer
from worker.explain import Why
from worker.recalling import Flag, RankedBy, recall
from worker.runtime import Runtime

FACTS = (("contact_channel", "e-mail only"), ("database", "PostgreSQL 15"), ("open_issue", "export fails with E4017"))


@pytest.fixture
def embedder() -> LetterEmbedder:
    return LetterEmbedder()


@pytest.fixture
def runtime(engine: Engine, tmp_path: Path, embedder: LetterEmbedder) -> Runtime:
    runtime = runtime_over(engine, tmp_path, embedder)
    remember(runtime, *FACTS)
    return runtime


def asked(runtime: Runtime, query: str | None = None, **given: Any) -> Any:
    return recall(runtime, REF, query=query, **({"now": day(3), "patience": 20.0} | given))


def keys(found: Any) -> list[str]:
    return [one.fact.slot.key for one in found.facts]


def test_what_answers_the_query_comes_first(runtime: Runtime) -> None:
    for query, key in (("which database", "database"), ("E4017", "open_issue"), ("contact channel", "contact_channel")):
        found = asked(runtime, query)
        assert (keys(found)[0], found.ranked_by, found.flags) == (key, RankedBy.MEANING, ())


def test_a_document_says_how_it_was_ranked_and_in_which_parts(runtime: Runtime) -> None:
    document = asked(runtime, "which database").document()
    assert document["ranked_by"] == "meaning" and document["flags"] == []
    assert set(document["facts"][0]["parts"]) == {"importance", "recency", "trust", "relevance"}
    assert asked(runtime).document()["facts"][0]["parts"]["relevance"] is None


def test_once_embedded_only_the_query_is_asked_about(runtime: Runtime, embedder: LetterEmbedder) -> None:
    assert runtime.meaning is not None
    fresh = asked(runtime, "which database")
    assert embed_customer(runtime, runtime.meaning, REF) == len(FACTS)
    assert embed_customer(runtime, runtime.meaning, REF) == 0
    embedder.asked.clear()
    stored = asked(runtime, "which database")
    assert texts_asked(embedder) == ["which database"]
    assert [one.score.total for one in stored.facts] == pytest.approx([o.score.total for o in fresh.facts], abs=2e-3)


def test_without_a_query_nobody_embeds(runtime: Runtime, embedder: LetterEmbedder) -> None:
    found = asked(runtime)
    assert embedder.asked == [] and found.ranked_by is RankedBy.WEIGHT and len(found.facts) == 3


def test_another_customers_facts_are_never_told(runtime: Runtime) -> None:
    remember(runtime, ("database", "Oracle"), ref=OTHER)
    assert "Oracle" not in asked(runtime, "which database Oracle").block


# --- when things are missing ----------------------------------------------------------------------------------------


class MissingEmbedder(LetterEmbedder):
    def embed(self, texts: Any) -> Any:
        raise EmbedderMissing("not installed")


@pytest.mark.parametrize(
    ("kind", "flag"),
    [
        (MissingEmbedder, Flag.EMBEDDER_MISSING),
        (RaisingEmbedder, Flag.EMBEDDER_FAILED),
        (StuckEmbedder, Flag.EMBEDDER_SLOW),
    ],
)
def test_an_embedder_that_fails_leaves_it_to_words_and_says_so(
    runtime: Runtime, kind: type[LetterEmbedder], flag: Flag, caplog: pytest.LogCaptureFixture
) -> None:
    broken = kind()
    embedded_by(runtime, broken)
    found = asked(runtime, "which database", patience=0.2)
    assert (keys(found)[0], found.ranked_by, found.flags) == ("database", RankedBy.WORDS, (flag,))
    assert not found.degraded
    assert found.receipt is not None
    receipt = receipts.read(runtime.engine, tenant="acme", receipt=found.receipt)
    assert receipt is not None and receipt.degraded
    assert "which database" not in caplog.text and "PostgreSQL" not in caplog.text
    if isinstance(broken, StuckEmbedder):
        broken.release.set()


def test_by_words_on_purpose_is_no_fault(engine: Engine, tmp_path: Path) -> None:
    runtime = runtime_over(engine, tmp_path)
    remember(runtime, *FACTS)
    found = asked(runtime, "which database")
    assert (keys(found)[0], found.ranked_by, found.flags) == ("database", RankedBy.WORDS, ())


def test_a_database_that_is_down_gives_an_empty_block_that_says_so(runtime: Runtime) -> None:
    with writing(runtime.engine) as connection:
        connection.execute(text("DROP TABLE vectors"))
        connection.execute(text("DROP TABLE facts"))
    found = asked(runtime, "which database")
    assert (found.degraded, found.facts, found.flags) == (True, (), (Flag.STORE_DOWN,))
    assert "cannot be reached" in found.block


def test_a_receipt_that_cannot_be_written_is_flagged_logged_with_its_reason_and_fails_nothing(
    runtime: Runtime, caplog: pytest.LogCaptureFixture
) -> None:
    with writing(runtime.engine) as connection:
        connection.execute(text("DROP TABLE receipts"))
    found = asked(runtime)
    assert (len(found.facts), found.receipt, found.flags) == (3, None, (Flag.NO_RECEIPT,))
    (line,) = [logs.fields_of(record) for record in caplog.records]
    assert line["message"] == "a recall left no receipt" and "the database has no tables" in line["error"]


# --- odd questions --------------------------------------------------------------------------------------------------


def test_an_unknown_customer_gets_an_empty_block_that_says_so(runtime: Runtime) -> None:
    found = recall(runtime, OTHER, query="which database")
    assert (found.facts, found.flags, found.degraded) == ((), (Flag.UNKNOWN_CUSTOMER,), False)
    assert "Nothing is remembered of this customer." in found.block


@pytest.mark.parametrize("query", ["", "  ", "\x00\x1b", "\u200b", "\ud800"])
def test_a_query_that_asks_nothing_is_ranked_as_if_there_were_none(runtime: Runtime, query: str) -> None:
    found = asked(runtime, query)
    assert keys(found) == keys(asked(runtime)) and found.flags == (Flag.QUERY_EMPTY,)


def test_a_huge_query_is_cut_and_says_so(runtime: Runtime, embedder: LetterEmbedder) -> None:
    found = asked(runtime, "which database " * 100_000)
    assert keys(found)[0] == "database" and found.flags == (Flag.QUERY_CUT,)
    assert max(map(len, texts_asked(embedder))) <= 1_000


def test_control_characters_in_a_query_are_spaces(runtime: Runtime) -> None:
    found = asked(runtime, "which\x00\x1b[2J\u202edatabase")
    assert keys(found)[0] == "database" and found.flags == ()


def test_a_budget_too_small_for_one_fact_says_so_and_claims_nothing_else(runtime: Runtime) -> None:
    for language, said in (("en", "3 remembered facts do not fit"), ("zh", "有 3 条记忆超出")):
        found = asked(runtime, budget=1, language=language)
        assert (found.facts, found.left_out, found.flags) == ((), 3, (Flag.BUDGET_TOO_SMALL,))
        assert said in found.block and "Nothing is remembered" not in found.block


def test_kinds_that_nothing_is_known_of_do_not_read_as_nothing_known(runtime: Runtime) -> None:
    found = asked(runtime, kinds=[Kind.EPISODE])
    assert "Nothing of the kind that was asked for" in found.block and found.flags == ()


def test_the_same_facts_give_the_same_bytes_whatever_was_asked(runtime: Runtime) -> None:
    blocks = {asked(runtime, query).block for query in (None, "which database", "E4017", "联系")}
    assert len(blocks) == 1


# --- why, and what has changed ----------------------------------------------------------------------------------------


def test_every_fact_is_explained_told_or_not(runtime: Runtime) -> None:
    remember(runtime, ("city", "Oslo"), at=0.1)
    remember(runtime, ("city", "Bergen"), at=1)
    remember(runtime, ("language", "English"), at=1, kind=Kind.PREFERENCE)
    remember(runtime, ("travel", "in Rome"), at=-60, kind=Kind.SITUATION)
    found = asked(runtime, "which database", k=2, kinds=[Kind.PROFILE], explain=True)
    assert found.explained is not None
    why = {one.fact.value: one.why for one in found.explained}
    assert why["PostgreSQL 15"] is Why.TOLD
    assert (why["Oslo"], why["in Rome"], why["English"]) == (Why.ENDED, Why.EXPIRED, Why.OTHER_KIND)
    assert sum(one is Why.TOLD for one in why.values()) == 2
    assert sum(one is Why.NOT_AMONG_K for one in why.values()) == 2
    assert [one.rank for one in found.explained if one.rank] == [1, 2, 3, 4]
    assert {one["says"] for one in found.document()["explained"]}


def test_what_did_not_fit_is_told_apart_from_what_was_not_asked_for(runtime: Runtime) -> None:
    found = asked(runtime, budget=130, explain=True)
    assert found.explained is not None
    assert {one.why for one in found.explained} == {Why.TOLD, Why.NO_ROOM}


def test_a_later_recall_says_what_has_changed_since(runtime: Runtime) -> None:
    assert asked(runtime).changes is None
    before = asked(runtime, changed_since=day(2)).changes
    assert before is not None and (before.fresh, before.gone) == (frozenset(), frozenset())
    old = {one.fact.slot.key: one.fact.id for one in asked(runtime).facts}
    remember(runtime, ("database", "CockroachDB"), ("city", "Oslo"), at=2.5)
    after = asked(runtime, changed_since=day(2), now=day(3))
    new = {one.fact.slot.key: one.fact.id for one in after.facts}
    assert after.changes is not None
    assert after.changes.gone == {old["database"]}
    assert after.changes.fresh == {new["database"], new["city"]}
    assert after.document()["changes"]["since"] == day(2).isoformat()


def test_a_recall_of_the_past_is_ranked_by_meaning_too(runtime: Runtime) -> None:
    remember(runtime, ("database", "CockroachDB"), at=5)
    found = asked(runtime, "which database", now=day(6), known_at=day(5) - timedelta(hours=1))
    assert found.facts[0].fact.value == "PostgreSQL 15" and found.ranked_by is RankedBy.MEANING
