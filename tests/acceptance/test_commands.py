"""Every verb of the command line, as an operator uses it."""

import gzip
import json
import os
import re
import shlex
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from commandline import CommandLine, Result
from sqlalchemy import func, insert, select, update

from pipeline.reasons import Reason
from store import fetches
from store.claim import bury, claim, postpone
from store.engine import open_engine, reading, writing
from store.fetches import Wanted
from store.heartbeat import beat
from store.models import audit, events, facts, heartbeats
from worker.cli.opened import opened
from worker.process import process

WHO = ("--tenant", "acme", "--customer", "u1")
CARD = "4111 1111 1111 1111"


def stated(afterword: CommandLine, key: str, value: str, **options: str) -> Result:
    given = {"kind": "preference", "source": "agent_confirmed", **options}
    extra = [part for name, text in given.items() for part in (f"--{name.replace('_', '-')}", text)]
    return afterword("remember", *WHO, "--key", key, "--value", value, *extra, "--json")


def ticket(number: int = 1, text: str = "Please contact me by email, don't call me.", **fields: Any) -> dict[str, Any]:
    closed_at = (datetime.now(UTC) - timedelta(hours=100 - number)).isoformat()
    base = {"tenant": "acme", "ticket_id": f"T-{number}", "customer_id": "u1", "event_id": f"e-{number}"}
    return {**base, "closed_at": closed_at, "messages": [{"role": "customer", "text": text}], **fields}


def lines(*rows: Any) -> str:
    return "\n".join(row if isinstance(row, str) else json.dumps(row) for row in rows) + "\n"


# --- tickets ---


def test_enqueue_answers_each_line_and_names_a_bad_one_by_line_and_field_without_its_content(
    afterword: CommandLine,
) -> None:
    bad = ticket(2, messages=[{"role": "canary-role", "text": "canary-text"}])
    other = ticket(1, text="Something else under the same event id")
    other["closed_at"] = ticket(1)["closed_at"]
    first = ticket(1)
    done = afterword("enqueue", "--json", stdin=lines(first, first, "{canary", bad, other))
    assert done.code == 3
    assert [row["outcome"] for row in done.rows] == ["accepted", "duplicate", "invalid", "invalid", "conflict"]
    assert [(row["line"], row["field"]) for row in done.rows if row["outcome"] == "invalid"] == [
        (3, "line"),
        (4, "messages[0].role"),
    ]
    assert "canary" not in done.out + done.err


def test_enqueue_names_every_fault_of_a_line(afterword: CommandLine) -> None:
    bad = lines(ticket(1, closed_at="monday", messages=[{"role": "client", "text": "x"}]))
    row = afterword("enqueue", "--json", stdin=bad).row
    assert [one["field"] for one in row["faults"]] == ["closed_at", "messages[0].role"]
    told = afterword("enqueue", stdin=bad).out
    assert "closed_at: want an ISO 8601 time" in told and "messages[0].role: want 'customer'" in told


def test_enqueue_reads_a_file_and_ends_with_0_where_all_is_well(afterword: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "tickets.jsonl"
    path.write_text(lines(ticket(1), "", ticket(2)))
    done = afterword("enqueue", path)
    assert done.code == 0
    assert done.out == "2 accepted  0 duplicate  0 conflict  0 invalid\n"


def test_without_a_model_tickets_are_taken_in_and_the_command_line_says_why_they_wait(afterword: CommandLine) -> None:
    afterword.setenv("AFTERWORD_EXTRACTOR", "openai")
    done = afterword("enqueue", "--json", stdin=lines(ticket(1)))
    assert done.code == 0
    assert "no model is configured, so tickets wait" in done.err
    assert afterword("events", "list", "--json").row["state"] == "pending"
    refused = afterword("enqueue", "--wait", stdin=lines(ticket(2)))
    assert refused.code == 1 and "nothing would end" in refused.err


def test_a_shell_without_a_model_still_waits_for_a_worker_that_lives(
    afterword: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    afterword.setenv("AFTERWORD_EXTRACTOR", "openai")
    with opened() as runtime, runtime.engine.begin() as connection:
        beat(connection, "sweep")
    waited = afterword("enqueue", "--wait", "--timeout", "0", stdin=lines(ticket(1)))
    assert waited.code == 1
    assert "1 of 1 ticket still unfinished after 0 s" in waited.err and "no model is configured" not in waited.err
    long_ago = datetime.now(UTC) - timedelta(minutes=5)
    with opened() as runtime, runtime.engine.begin() as connection:
        connection.execute(update(heartbeats).values(at=long_ago))
    given_up = afterword("enqueue", "--wait", "--timeout", "60", stdin=lines(ticket(1)))
    assert given_up.code == 1 and "no worker is alive" in given_up.err


def test_who_waits_is_told_how_the_tickets_ended_and_a_repeated_line_holds_nothing_up(
    afterword: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def read_all(_seconds: float) -> None:  # what workers would do while we wait
        with opened() as runtime:
            for row in listed_ids():
                process(runtime, row)

    def listed_ids() -> list[str]:
        with opened() as runtime, runtime.engine.connect() as connection:
            return list(connection.execute(select(events.c.id).where(events.c.state == "pending")).scalars())

    monkeypatch.setattr("worker.cli.enqueue.time.sleep", read_all)
    assert afterword("forget", "--tenant", "acme", "--customer", "u2", "--yes").code == 0
    first = ticket(1)
    given = lines(first, first, ticket(2, "Thanks, bye!"), ticket(3, customer_id="u2"))
    done = afterword("enqueue", "--wait", "--json", stdin=given)
    assert done.code == 0
    ended = [(row["state"], row["reason"], row["tickets"]) for row in done.rows[-1]["ended"]]
    assert ended == [("done", "applied", 1), ("done", "nothing_said", 1), ("erased", None, 1)]
    told = afterword("enqueue", "--wait", stdin=given).out
    assert f"1 done: nothing_said: {Reason.NOTHING_SAID.explain}\n" in told
    assert "1 erased: its customer was forgotten: nothing of it is kept\n" in told


def test_events_are_listed_and_shown_and_stats_reconcile(afterword: CommandLine) -> None:
    afterword("enqueue", stdin=lines(ticket(1), ticket(2)))
    listed = afterword("events", "list", "--tenant", "acme", "--state", "pending", "--json")
    assert [row["event_id"] for row in listed.rows] == ["e-1", "e-2"]
    shown = afterword("events", "show", "e-1", "--tenant", "acme", "--json").row
    assert {"event_id", "state", "reason", "attempts", "audit"} <= set(shown)
    assert afterword("events", "show", "e-9", "--tenant", "acme").code == 4
    assert afterword("events", "list", "--ticket", "T-1").code == 2  # a ticket is a name within a tenant
    (tenant,) = afterword("stats", "--json").row["tenants"]
    states = ("pending", "processing", "done", "dead", "erased")
    assert tenant["accepted"] == 2 == sum(tenant[state] for state in states)


def test_a_dead_letter_shows_what_its_code_means_and_who_read_it(afterword: CommandLine) -> None:
    afterword("enqueue", stdin=lines(ticket(1)))
    row_id = afterword("events", "list", "--json").row["row_id"]
    with opened() as runtime:
        held = claim(runtime.engine, row_id, lease=timedelta(minutes=1))
        assert held is not None
        bury(runtime.engine, held, reason=Reason.INVALID_REPLY, model="m-1", prompt_tokens=1_234)
    told = afterword("events", "show", "e-1", "--tenant", "acme")
    assert f"invalid_reply: {Reason.INVALID_REPLY.explain}\n" in told.out
    assert "m-1" in told.out and "1234" in told.out and "next attempt" not in told.out
    shown = afterword("events", "show", "e-1", "--tenant", "acme", "--json").row
    assert (shown["means"], shown["next_attempt"]) == (Reason.INVALID_REPLY.explain, None)


def test_a_ticket_is_found_by_the_id_that_log_lines_give_it(
    afterword: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr("worker.process.log.info", lambda _text, extra: said.append(extra["event"]))
    afterword("enqueue", stdin=lines(ticket(1)))
    with opened() as runtime:
        process(runtime, afterword("events", "list", "--json").row["row_id"])
    (logged,) = said
    shown = afterword("events", "show", logged, "--tenant", "acme", "--json").row
    assert (shown["event_id"], shown["state"]) == ("e-1", "done")
    assert next(line["means"] for line in shown["audit"] if line["reason"] == "new") == Reason.NEW.explain
    assert afterword("events", "list", "--tenant", "acme", "--event", logged, "--json").row["event_id"] == "e-1"
    assert afterword("events", "show", logged, "--tenant", "globex").code == 4
    assert logged in afterword("events", "list").out
    afterword("enqueue", stdin=lines(ticket(2, event_id=logged)))  # an event that is called so comes first
    assert afterword("events", "show", logged, "--tenant", "acme", "--json").row["ticket"] == "T-2"


def test_pause_resume_and_drain_say_what_they_did(afterword: CommandLine) -> None:
    assert afterword("pause", "--tenant", "acme", "--json").row == {"tenant": "acme", "state": "paused"}
    assert afterword("resume", "--tenant", "acme", "--json").row["state"] == "resumed"
    assert afterword("resume", "--tenant", "acme").code == 4
    assert afterword("drain", "--json").row == {"tenant": None, "state": "drained"}
    assert afterword("resume").out == "everyone: resumed\n"


def test_dead_fetches_stand_with_the_dead_letters_and_in_stats_and_doctor(afterword: CommandLine) -> None:
    close = datetime.now(UTC) - timedelta(hours=1)
    wanted = Wanted(tenant="acme", vendor="zendesk", ticket="Z-1", event_id="f-1", closed_at=close)
    with opened() as runtime:
        row_id = fetches.want(runtime.engine, runtime.keys, wanted, now=datetime.now(UTC))
        assert row_id is not None
        held = fetches.claim(runtime.engine, row_id)
        assert held is not None
        fetches.bury(runtime.engine, held, reason="ticket_gone")
    row = afterword("events", "list", "--state", "dead", "--json").row
    assert (row["kind"], row["ticket"], row["reason"]) == ("fetch", "Z-1", "ticket_gone")
    assert afterword("events", "list", "--state", "done", "--json").rows == []
    assert afterword("stats", "--json").row["dead_fetches_by_reason"] == {"ticket_gone": 1}
    assert "ticket_gone" in afterword("stats").out
    (dead,) = [one for one in afterword("doctor", "--json").rows if one["name"] == "dead"]
    assert (dead["health"], "1 not fetched (ticket_gone)" in dead["says"]) == ("warn", True)


def test_the_audit_keeps_who_paused_resumed_and_drained_a_tenant_and_everyone(afterword: CommandLine) -> None:
    for verb, who in (("pause", "ann"), ("drain", "bob"), ("resume", "cy"), ("resume", "dee")):
        afterword(verb, "--tenant", "acme", "--actor", who)
        afterword(verb, "--actor", who)
    expected = [
        ("ann", "pause", "paused"), ("bob", "drain", "already_paused"), ("cy", "resume", "resumed"),
        ("dee", "resume", "not_paused"),
    ]  # fmt: skip
    for whose in (("--tenant", "acme"), ()):
        told = afterword("audit", "list", *whose, "--json").rows
        assert [(line["actor"], line["action"], line["outcome"]) for line in told] == expected
    assert afterword("audit", "list", "--customer", "u1").code == 2


def test_a_replay_of_nothing_and_of_what_waits_is_answered_and_changes_nothing(afterword: CommandLine) -> None:
    assert afterword("replay", "--tenant", "acme", "--dry-run").code == 4
    afterword("enqueue", stdin=lines(ticket(1)))
    assert afterword("replay", "--tenant", "acme", "--json").code == 4  # only done or dead tickets are meant
    assert afterword("replay", "--resume", "0" * 32).code == 4


def test_extract_shows_candidates_with_their_verdicts_and_writes_nothing(afterword: CommandLine) -> None:
    done = afterword("extract", "--json", stdin=lines(ticket(1)))
    assert done.code == 0
    assert "rules (offline: finds little)" in done.err
    assert {"decision": "pass", "key": "contact_channel"}.items() <= done.row["candidates"][0].items()
    assert afterword("stats", "--json").row["tenants"] == []
    assert afterword("facts", "list", *WHO, "--json").out == ""


# --- memory ---


def test_remember_facts_and_recall_agree(afterword: CommandLine) -> None:
    assert stated(afterword, "contact_channel", "email").row["decision"] == "ADD"
    assert stated(afterword, "preferred_contact", "Email.").row == {
        **stated(afterword, "contact_channel", "email").row,
        "decision": "NOOP",
        "reason": "same",
    }
    (fact,) = afterword("facts", "list", *WHO, "--json").rows
    assert (fact["key"], fact["value"], fact["source"]) == ("contact_channel", "email", "agent_confirmed")
    recalled = afterword("recall", *WHO, "--json").row
    assert [one["key"] for one in recalled["facts"]] == ["contact_channel"]
    assert "contact_channel" in recalled["block"] and recalled["receipt"]
    shown = afterword("facts", "show", fact["id"], *WHO, "--json").row
    assert shown["observations"][0]["source"] == "agent_confirmed"
    assert afterword("facts", "show", fact["id"], *WHO).code == 0
    assert afterword("facts", "show", "0" * 32, *WHO).code == 4


def test_history_shows_what_was_replaced_and_both_clocks_are_asked(afterword: CommandLine) -> None:
    stated(afterword, "city", "Oslo", kind="profile", observed_at="2026-01-01T00:00:00Z")
    stated(afterword, "city", "Bergen", kind="profile", observed_at="2026-06-01T00:00:00Z")
    held = [row["value"] for row in afterword("facts", "history", *WHO, "--key", "city", "--json").rows]
    assert held == ["Oslo", "Bergen"]
    assert afterword("facts", "list", *WHO, "--at", "2026-03-01", "--json").row["value"] == "Oslo"
    assert afterword("facts", "list", *WHO, "--known-at", "2026-03-01", "--json").out == ""


TIMED = [
    ("recall", *WHO, "--at"),
    ("recall", *WHO, "--known-at"),
    ("recall", *WHO, "--changed-since"),
    ("facts", "list", *WHO, "--at"),
    ("facts", "history", *WHO, "--known-at"),
    ("events", "list", "--since"),
    ("events", "list", "--until"),
    ("replay", "--dry-run", "--since"),
    ("audit", "list", "--tenant", "acme", "--until"),
    ("remember", *WHO, "--kind", "profile", "--key", "a", "--value", "b", "--source", "system", "--observed-at"),
]


@pytest.mark.parametrize("words", TIMED, ids=lambda words: f"{words[0]} {words[-1]}")
def test_a_time_wants_its_zone_everywhere_and_a_bare_date_is_midnight_utc(
    afterword: CommandLine, words: tuple[str, ...]
) -> None:
    for naive in ("2026-01-12T12:00:00", "2026-01-12 12:00", "20260112T1200"):
        refused = afterword(*words, naive)
        assert refused.code == 2 and f"want its zone too: {naive}Z for UTC" in " ".join(refused.err.split())
    for whole in ("2026-01-12T12:00:00Z", "2026-01-12T12:00:00+08:00", "2026-01-12", "20260112"):
        assert afterword(*words, whole).code in (0, 4)
    assert "ISO 8601 with their zone" in " ".join(afterword("--help").out.split())


def test_an_unknown_language_is_refused_with_the_choices(afterword: CommandLine) -> None:
    refused = afterword("recall", *WHO, "--language", "xx")
    assert refused.code == 2 and "'en', 'zh'" in refused.err


def test_the_audit_finds_a_retracted_ticket_and_whom_it_had_spoken_of(afterword: CommandLine) -> None:
    stated(afterword, "city", "Oslo", kind="profile", ticket="T-9")
    stated(afterword, "language", "English", ticket="T-8")
    for known in (("T-9",), ("T-404", "--unseen")):
        assert afterword("retract", "--tenant", "acme", "--ticket", *known, "--yes").code == 0
    mine = afterword("audit", "list", *WHO, "--action", "write", "--json").rows[0]["surrogate"]
    found = afterword("audit", "list", "--tenant", "acme", "--ticket", "T-9", "--json").rows
    assert [(row["action"], row["outcome"], row["surrogate"]) for row in found] == [
        ("retract", "retracted", None),
        ("retract", "withdrawn", mine),
    ]
    (unknown,) = afterword("audit", "list", "--tenant", "acme", "--ticket", "T-404", "--json").rows
    assert unknown["event"] not in ("", None, found[0]["event"]) and "T-404" not in json.dumps(unknown)
    assert afterword("audit", "list", "--tenant", "acme", "--ticket", "T-1", "--json").out == ""


def test_the_audit_finds_what_a_ticket_in_the_inbox_led_to(afterword: CommandLine) -> None:
    afterword("enqueue", stdin=lines(ticket(1), ticket(2)))
    afterword("retract", "--tenant", "acme", "--ticket", "T-1", "--yes")
    found = afterword("audit", "list", "--tenant", "acme", "--ticket", "T-1", "--json").rows
    assert [row["action"] for row in found][-1:] == ["retract"]


def test_remember_reads_lines_and_answers_each_in_order(afterword: CommandLine) -> None:
    good = {"tenant": "acme", "customer": "u1", "kind": "profile", "key": "plan", "value": "Team", "source": "system"}
    rows = [
        good,
        {**good, "source": "extracted", "value": "Pro"},
        {**good, "key": "card_number"},
        {**good, "x": 1},
        "{",
    ]
    done = afterword("remember", "--lines", "-", "--json", stdin=lines(*rows))
    assert [(row["decision"], row["reason"]) for row in done.rows] == [
        ("ADD", "new"),
        ("REJECT", "system_owned"),
        ("REJECT", "forbidden_key"),
        ("REJECT", "bad_shape"),
        ("REJECT", "bad_shape"),
    ]
    assert done.code == 3


def test_remember_says_which_options_are_missing_or_wrong(afterword: CommandLine) -> None:
    assert afterword("remember", *WHO, "--key", "city").code == 2
    wrong = afterword("remember", *WHO, "--key", "city", "--value", "x", "--kind", "mood", "--source", "system")
    assert wrong.code == 2 and "Traceback" not in wrong.err
    late = stated(afterword, "city", "Oslo", kind="profile", observed_at="yesterday")
    assert late.code == 2 and "--observed-at" in late.err


def test_a_fact_ends_with_ended_and_expires_with_until(afterword: CommandLine) -> None:
    stated(afterword, "city", "Oslo", kind="profile", observed_at="2026-01-01T00:00:00Z")
    done = afterword(
        "remember", *WHO, "--kind", "profile", "--key", "city", "--source", "agent_confirmed", "--ended", "--json"
    )
    assert (done.row["decision"], done.row["reason"]) == ("UPDATE", "ended")
    stated(afterword, "trip", "in Singapore", kind="situation", until="2020-01-01")
    assert afterword("facts", "list", *WHO, "--json").out == ""


def test_a_weaker_source_is_kept_as_a_question_that_a_person_answers(afterword: CommandLine) -> None:
    stated(afterword, "city", "Oslo", kind="profile", observed_at="2026-01-01T00:00:00Z")
    assert stated(afterword, "city", "Bergen", kind="profile", source="extracted").row["reason"] == "outranked"
    question = afterword("review", "list", "--tenant", "acme", "--json").row
    assert (question["says"], question["holds"], question["reason"]) == ("Bergen", "Oslo", "outranked")
    assert "Bergen" in afterword("review", "list", "--tenant", "acme").out
    assert (
        afterword("review", "accept", question["id"], *WHO, "--actor", "agent:7", "--json").row["decision"] == "UPDATE"
    )
    assert afterword("facts", "list", *WHO, "--json").row["value"] == "Bergen"
    assert afterword("review", "dismiss", question["id"], *WHO).code == 5
    assert afterword("review", "accept", "0" * 32, *WHO).code == 4


def test_a_question_says_where_it_comes_from_and_one_that_a_system_forbids_what_to_do(afterword: CommandLine) -> None:
    stated(afterword, "city", "Oslo", kind="profile", source="system", observed_at="2026-01-01T00:00:00Z")
    stated(afterword, "city", "Bergen", kind="profile", source="extracted", ticket="T-7")
    head, line = afterword("review", "list", "--tenant", "acme").out.splitlines()
    assert "ticket" in head and "source" in head
    assert {"T-7", "extracted", "no"} <= set(line.split())
    question = afterword("review", "list", "--tenant", "acme", "--json").row
    assert question["changed"] is False
    refused = afterword("review", "accept", question["id"], *WHO)
    assert refused.code == 5
    assert f"outranked, {Reason.OUTRANKED.explain}" in refused.err
    assert "mend the business system, which then states it, or dismiss the question" in refused.err
    assert "accept wants --seen" in afterword("review", "list", "--help").out


def test_a_dismissed_question_rests(afterword: CommandLine) -> None:
    stated(afterword, "city", "Oslo", kind="profile", observed_at="2026-01-01T00:00:00Z")
    stated(afterword, "city", "Bergen", kind="profile", source="extracted")
    question = afterword("review", "list", "--tenant", "acme", "--json").row["id"]
    assert afterword("review", "dismiss", question, *WHO, "--json").row["outcome"] == "dismissed"
    assert afterword("review", "list", "--tenant", "acme").out == "no questions\n"


def test_retract_shows_first_and_then_takes_back_what_a_ticket_taught(afterword: CommandLine) -> None:
    stated(afterword, "city", "Oslo", kind="profile", observed_at="2026-01-01T00:00:00Z")
    stated(afterword, "city", "Bergen", kind="profile", ticket="T-9")
    shown = afterword("retract", "--tenant", "acme", "--ticket", "T-9")
    assert "would take back 1" in shown.out
    assert afterword("facts", "list", *WHO, "--json").row["value"] == "Bergen"
    done = afterword("retract", "--tenant", "acme", "--ticket", "T-9", "--yes", "--json").row
    assert (done["observations"], done["dry_run"]) == (1, False)
    assert afterword("facts", "list", *WHO, "--json").row["value"] == "Oslo"
    assert stated(afterword, "city", "Bergen", kind="profile", ticket="T-9").row["reason"] == "retracted"


def test_a_ticket_that_nobody_knows_is_barred_only_where_one_says_so(afterword: CommandLine) -> None:
    typo = ("retract", "--tenant", "acme", "--ticket", "T-99")
    for words in (typo, (*typo, "--yes"), (*typo, "--yes", "--json")):
        refused = afterword(*words)
        assert (refused.code, refused.out, refused.err.count("\n")) == (4, "", 1)
        assert "nothing is known here of ticket T-99 of tenant acme" in refused.err and "--unseen" in refused.err
    assert stated(afterword, "city", "Bergen", kind="profile", ticket="T-99").row["decision"] == "ADD"
    assert afterword("retract", "--tenant", "acme", "--ticket", "T-98", "--unseen", "--yes").code == 0
    assert stated(afterword, "city", "Oslo", kind="profile", ticket="T-98").row["reason"] == "retracted"
    assert afterword("retract", "--tenant", "acme", "--ticket", "T-98", "--yes").code == 0  # its bar is known now


def test_a_retracted_ticket_reaches_the_right_customer_under_another_id(afterword: CommandLine) -> None:
    afterword("enqueue", stdin=lines(ticket(1)))
    assert afterword("retract", "--tenant", "acme", "--ticket", "T-1", "--yes").code == 0  # the inbox knows it
    again = ticket(1, ticket_id="T-1-moved", event_id="e-1-moved", customer_id="u2")
    assert afterword("enqueue", "--json", stdin=lines(again)).row["outcome"] == "accepted"
    right = ("--tenant", "acme", "--customer", "u2", "--kind", "profile", "--key", "city", "--value", "Oslo")
    said = afterword("remember", *right, "--source", "agent_confirmed", "--ticket", "T-1-moved", "--json")
    assert said.row["decision"] == "ADD"


def test_what_was_retracted_since_a_backup_is_found_by_asking_about_each_ticket(afterword: CommandLine) -> None:
    stated(afterword, "city", "Oslo", kind="profile", ticket="T-9")
    since = datetime.now(UTC).isoformat()
    afterword("retract", "--tenant", "acme", "--ticket", "T-9", "--yes")
    asked = ("audit", "list", "--tenant", "acme", "--action", "retract", "--since", since, "--json", "--ticket")
    assert [row["outcome"] for row in afterword(*asked, "T-9").rows] == ["retracted", "withdrawn"]
    assert afterword(*asked, "T-8").rows == []
    assert "restored backup does not" in " ".join(afterword("retract", "--help").out.split())


def test_an_export_is_one_document_with_everything(afterword: CommandLine) -> None:
    stated(afterword, "city", "Oslo", kind="profile")
    afterword("enqueue", stdin=lines(ticket(1)))
    document = json.loads(afterword("export", *WHO).out)
    assert document["facts"][0]["value"] == "Oslo"
    assert document["events"][0]["ticket_closed"]["messages"][0]["text"].startswith("Please contact me")
    assert document["audit"] and document["observations"]


def test_an_answer_about_what_was_purged_says_so(afterword: CommandLine) -> None:
    for city, year in (("Oslo", 2019), ("Bergen", 2020), ("Alta", 2021)):
        stated(afterword, "city", city, observed_at=f"{year}-03-01", kind="profile")
    asked = ("facts", "list", *WHO, "--at", "2019-07-01")
    before = afterword(*asked)
    assert ("Oslo" in before.out, before.err) == (True, "")
    told = afterword("purge", "--dry-run", "--json").row["purged"]
    assert told == afterword("purge", "--json").row["purged"]
    assert told["history"] and told["observations"] == 2
    for gone in (asked, ("facts", "history", *WHO), ("facts", "list", *WHO, "--known-at", "2030-01-01")):
        answer = afterword(*gone)
        assert ("Oslo" in answer.out, "purged: of what held until 2021-02-28" in answer.err) == (False, True)
    assert afterword("facts", "list", *WHO).err == afterword("facts", "list", *WHO, "--at", "2021-07-01").err == ""


# --- forgetting ---


def test_forget_shows_first_then_forgets_for_good_and_leaves_no_trace(afterword: CommandLine) -> None:
    stated(afterword, "city", "Trondheim", kind="profile")
    assert "would forget 1 customer, 1 fact" in afterword("forget", *WHO).out
    assert afterword("facts", "list", *WHO, "--json").rows
    done = afterword("forget", *WHO, "--yes", "--json").row
    assert (done["facts"], done["line"]) == (1, 1)
    assert afterword("facts", "list", *WHO, "--json").out == ""
    assert afterword("purge", "--json").code == 0
    verified = afterword("erasures", "verify", *WHO, "--value", "Trondheim")
    assert (verified.code, verified.out.splitlines()[0], verified.err) == (0, "no trace", "")
    assert "\nledger    line 1, customer, 20" in verified.out and "afterword.db, " in verified.out
    assert re.search(r"\ndatabase  sqlite:////.*\ntables    \d+ tables with \d+ rows\nredis     ", verified.out)
    assert afterword("erasures", "list", "--json").row["scope"] == "customer"
    assert afterword("erasures", "reapply", "--json").row == {"lines": 0, "ledger": 1}


def test_a_trace_is_found_and_counted_and_never_printed(afterword: CommandLine, tmp_path: Path) -> None:
    stated(afterword, "city", "Trondheim", kind="profile")
    log = tmp_path / "some.log"
    log.write_text("customer moved to Trondheim")
    found = afterword("erasures", "verify", *WHO, "--value", "Trondheim", "--file", log, "--json")
    assert found.code == 1
    assert {"facts.value", str(log)} <= {trace["where"] for trace in found.row["traces"]}
    assert "Trondheim" not in found.out


def test_a_forgotten_customers_ticket_is_shown_without_what_was_decided_before(afterword: CommandLine) -> None:
    afterword("enqueue", stdin=lines(ticket(1)))
    with opened() as runtime, writing(runtime.engine) as connection:
        row_id = connection.execute(select(events.c.id)).scalar_one()
        about = {"surrogate": "a" * 32, "action": "write", "outcome": "ADD", "event": row_id, "key": "city"}
        connection.execute(insert(audit).values(at=datetime.now(UTC), tenant="acme", actor="worker", **about))
    shown = ("events", "show", "e-1", "--tenant", "acme", "--json")
    assert [line["key"] for line in afterword(*shown).row["audit"]] == ["city"]
    afterword("forget", *WHO, "--yes")
    afterword("purge")
    afterword("enqueue", stdin=lines(ticket(1)))
    erased = afterword(*shown).row
    assert (erased["state"], erased["audit"]) == ("erased", [])


def test_the_proof_is_a_document_that_says_what_was_searched_and_which_lines_concern_them(
    afterword: CommandLine, tmp_path: Path
) -> None:
    for customer in ("other", "someone"):
        afterword("forget", "--tenant", "acme", "--customer", customer, "--yes")
    afterword("purge")
    log = tmp_path / "some.log"
    log.write_text("nobody here")
    whose = ("--tenant", "acme", "--customer", "someone")
    proof = afterword("erasures", "verify", *whose, "--file", log, "--json").row
    assert (proof["verdict"], proof["traces"], proof["doubts"], proof["warnings"]) == ("no trace", [], [], [])
    assert proof["files"][str(log)] == 11 and proof["tables"]["audit"] == 2
    assert [(line["number"], line["scope"]) for line in proof["lines"]] == [(2, "customer")]


def test_a_misspelt_customer_or_an_empty_database_is_warned_of(afterword: CommandLine) -> None:
    empty = afterword("erasures", "verify", "--tenant", "acme", "--customer", "someone")
    assert "is the id right" in empty.err and "AFTERWORD_DATABASE_URL" in empty.err
    afterword("forget", "--tenant", "acme", "--customer", "someone", "--yes")
    typo = afterword("erasures", "verify", "--tenant", "acme", "--customer", "someonee")
    assert "is the id right" in typo.err and "AFTERWORD_DATABASE_URL" not in typo.err


def test_a_file_that_is_not_there_or_cannot_be_read_as_one_is_no_proof(afterword: CommandLine, tmp_path: Path) -> None:
    for path in (tmp_path / "none.log", tmp_path):
        refused = afterword("erasures", "verify", *WHO, "--file", path)
        assert (refused.code, refused.out) == (2, "") and "--file" in refused.err
    packed = tmp_path / "dump.sql.gz"
    packed.write_bytes(gzip.compress(b"u1"))
    doubtful = afterword("erasures", "verify", *WHO, "--file", packed)
    assert (doubtful.code, doubtful.out.splitlines()[0]) == (3, "not proven")
    assert f"\ndoubt     {packed}: is compressed" in doubtful.out


def test_redis_that_does_not_answer_leaves_it_unproven(afterword: CommandLine) -> None:
    afterword.setenv("AFTERWORD_REDIS_URL", "redis://127.0.0.1:1/0")
    doubtful = afterword("erasures", "verify", *WHO, "--json")
    assert (doubtful.code, doubtful.row["redis"]) == (3, "not reachable")


def test_forgetting_an_unknown_customer_is_noted_in_the_ledger_too(afterword: CommandLine) -> None:
    done = afterword("forget", *WHO, "--yes", "--json")
    assert (done.code, done.row["facts"], done.row["line"]) == (0, 0, 1)


def test_opting_out_switches_memory_off_and_opting_in_on_again(afterword: CommandLine) -> None:
    afterword("forget", *WHO, "--yes", "--opt-out")
    assert stated(afterword, "city", "Oslo", kind="profile").row["reason"] == "opted_out"
    assert afterword("forget", *WHO, "--opt-in").out == "would switch memory on again; --yes does it\n"
    assert afterword("forget", *WHO, "--opt-in", "--json").row == {"dry_run": True, "opted_out": True}
    assert stated(afterword, "city", "Oslo", kind="profile").row["reason"] == "opted_out"
    afterword("forget", *WHO, "--opt-in", "--yes")
    assert stated(afterword, "city", "Oslo", kind="profile").row["decision"] == "ADD"
    assert afterword("forget", *WHO, "--opt-in", "--opt-out").code == 2


def test_one_fact_and_a_whole_tenant_can_be_forgotten(afterword: CommandLine) -> None:
    stated(afterword, "city", "Oslo", kind="profile")
    stated(afterword, "contact_channel", "email")
    city = next(row for row in afterword("facts", "list", *WHO, "--json").rows if row["key"] == "city")
    assert "--yes does it" in afterword("facts", "forget", city["id"], *WHO).out
    told = afterword("facts", "forget", city["id"], *WHO, "--json").row
    done = afterword("facts", "forget", city["id"], *WHO, "--yes", "--json").row
    assert (told["facts"], told["observations"]) == (1, 1)
    assert told.items() - {("dry_run", True)} <= done.items()
    assert [row["key"] for row in afterword("facts", "list", *WHO, "--json").rows] == ["contact_channel"]
    assert "ALL of tenant acme" in afterword("forget", "--tenant", "acme").out
    assert afterword("forget", "--tenant", "acme", "--yes", "--json").row["facts"] == 1
    assert afterword("facts", "list", *WHO, "--json").out == ""


def test_a_fact_is_named_by_its_id_or_by_the_ref_that_a_recall_prints(afterword: CommandLine) -> None:
    stated(afterword, "city", "Oslo", kind="profile")
    (fact,) = afterword("facts", "list", *WHO, "--json").rows
    reference = fact["id"][:12]
    assert f"ref {reference}" in afterword("recall", *WHO).out
    assert afterword("facts", "show", reference, *WHO, "--json").row["id"] == fact["id"]
    for stranger in (fact["id"][:7], "%" * 8, "_" * 12, "0" * 12):
        unknown = afterword("facts", "show", stranger, *WHO)
        assert unknown.code == 4 and "8 or more of its first digits" in unknown.err
    assert afterword("facts", "show", reference, "--tenant", "acme", "--customer", "u2").code == 4
    assert afterword("facts", "forget", reference, *WHO, "--yes", "--json").row["fact"] == fact["id"]
    assert afterword("facts", "list", *WHO, "--json").out == ""


def test_a_beginning_that_two_facts_share_names_neither(afterword: CommandLine) -> None:
    stated(afterword, "city", "Oslo", kind="profile")
    stated(afterword, "contact_channel", "email")
    first, second = (row["id"] for row in afterword("facts", "list", *WHO, "--json").rows)
    with opened() as runtime, runtime.engine.begin() as connection:
        alike = first[:12] + second[12:]
        connection.execute(update(facts).where(facts.c.id == second).values(id=alike))
    for verb in ("show", "forget"):
        said = afterword("facts", verb, first[:12], *WHO)
        assert said.code == 2 and f"2 facts of this customer begin with {first[:12]}" in said.err
    assert afterword("facts", "show", first[:13] if first[12] != second[12] else first, *WHO).code == 0


def test_a_purge_whose_log_somebody_reads_says_so_and_exits_3(afterword: CommandLine) -> None:
    assert afterword("purge").code == 0
    engine = open_engine(f"sqlite:///{os.environ['AFTERWORD_HOME']}/afterword.db")
    with reading(engine) as connection:
        connection.execute(select(func.count()).select_from(heartbeats)).scalar_one()
        afterword("purge")  # notes that it ran
        answer = afterword("purge")
    assert (answer.code, "purge again" in answer.err or "may still stand" in answer.err) == (3, True)
    engine.dispose()


def test_a_purge_can_be_rehearsed(afterword: CommandLine) -> None:
    done = afterword("purge", "--dry-run", "--json").row
    assert done["dry_run"] is True and done["rows"] == 0
    assert "0 rows would be purged" in afterword("purge", "--dry-run").out


# --- policy and health ---


def test_check_asks_the_gates_about_texts_and_keys(afterword: CommandLine) -> None:
    asked = [{"id": "a", "text": f"card {CARD}"}, {"id": "b", "text": "prefers email"}, {"id": "c", "key": "passwd"}]
    done = afterword("check", stdin=lines(*asked, {"text": "ticket 4471823"}))
    assert [(row["id"], row["decision"]) for row in done.rows] == [
        ("a", "refuse"),
        ("b", "pass"),
        ("c", "refuse"),
        (4, "pass"),
    ]


def test_rescan_passes_what_the_gates_let_in(afterword: CommandLine) -> None:
    stated(afterword, "city", "Oslo", kind="profile")
    none = {"refused": {}, "facts": {}}
    assert afterword("rescan", "--json").row == {"dry_run": True, "customers": 1, "looked_at": 1, **none}
    assert afterword("rescan", "--after", "u0").code == 2


def test_the_audit_says_who_did_what_and_never_a_value(afterword: CommandLine) -> None:
    stated(afterword, "city", "Trondheim", kind="profile")
    afterword("forget", *WHO, "--yes", "--reason", "asked by phone", "--actor", "dpo:kim")
    told = afterword("audit", "list", "--tenant", "acme", "--json")
    assert [row["action"] for row in told.rows] == ["write", "forget"]
    assert (told.rows[1]["actor"], told.rows[1]["note"]) == ("dpo:kim", "asked by phone")
    assert "Trondheim" not in told.out and '"u1"' not in told.out


def test_the_audit_names_customer_and_ticket_until_the_customer_is_forgotten(afterword: CommandLine) -> None:
    afterword("enqueue", stdin=lines(ticket(1), ticket(2, customer_id="lin")))
    with opened() as runtime:
        for row in afterword("events", "list", "--json").rows:
            process(runtime, row["row_id"])

    def named() -> set[tuple[str | None, str | None]]:
        rows = afterword("audit", "list", "--tenant", "acme", "--action", "write", "--json").rows
        return {(row["customer"], row["ticket"]) for row in rows}

    assert named() == {("u1", "T-1"), ("lin", "T-2")}
    assert {"lin", "T-2"} <= set(afterword("audit", "list", "--tenant", "acme").out.split())
    afterword("forget", "--tenant", "acme", "--customer", "lin", "--yes")
    assert named() == {("u1", "T-1"), (None, None)}


def test_a_stronger_statement_about_an_earlier_time_hides_what_never_held_and_known_at_tells_it(
    afterword: CommandLine,
) -> None:
    stated(afterword, "city", "Oslo", kind="profile", source="extracted", observed_at="2026-03-01T00:00:00Z")
    before = datetime.now(UTC).isoformat()
    stated(afterword, "city", "Bergen", kind="profile", source="system", observed_at="2026-01-01T00:00:00Z")
    assert [row["value"] for row in afterword("facts", "history", *WHO, "--json").rows] == ["Bergen"]
    known = afterword("facts", "history", *WHO, "--known-at", before, "--json").rows
    assert [row["value"] for row in known] == ["Oslo"]
    assert "never held" in afterword("facts", "history", "--help").out


def test_a_reason_that_holds_personal_data_is_refused(afterword: CommandLine) -> None:
    done = afterword("forget", *WHO, "--yes", "--reason", "wrote from j.bloggs@example.com")
    assert done.code == 5 and "example.com" not in done.out + done.err


def test_doctor_says_of_a_purge_that_is_not_due_yet_when_it_comes(afterword: CommandLine) -> None:
    def says(name: str) -> tuple[str, str]:
        (row,) = [row for row in afterword("doctor", "--json").rows if row["name"] == name]
        return row["health"], row["says"]

    assert says("purge")[0] == "warn"  # nothing runs: not even a sweep
    with opened() as runtime, runtime.engine.begin() as connection:
        beat(connection, "sweep")
    assert says("purge") == ("ok", "has not run yet: it runs at 03:30 UTC, and beat is alive")


def test_doctor_says_why_tickets_wait_after_a_failure_and_doubts_the_model(afterword: CommandLine) -> None:
    def said() -> dict[str, tuple[str, str]]:
        return {row["name"]: (row["health"], row["says"]) for row in afterword("doctor", "--json").rows}

    afterword("enqueue", stdin=lines(ticket(1), ticket(2)))
    assert said()["waiting"][0] == "ok" and "2 tickets wait" in said()["waiting"][1]
    with opened() as runtime, runtime.engine.connect() as connection:
        row_id = connection.execute(select(events.c.id).order_by(events.c.closed_at)).scalars().first()
    with opened() as runtime:
        held = claim(runtime.engine, str(row_id), lease=timedelta(minutes=1))
        assert held is not None
        postpone(runtime.engine, held, reason=Reason.MODEL_REFUSES, delay=timedelta(minutes=1))
    health, says = said()["waiting"]
    assert health == "warn"
    assert f"1 model_refuses ({Reason.MODEL_REFUSES.explain})" in says
    afterword.setenv("AFTERWORD_EXTRACTOR", "openai")
    afterword.setenv("OPENAI_API_KEY", "test")
    assert said()["model"][0] == "warn" and "so tickets wait" in said()["model"][1]


def test_doctor_names_the_command_that_ends_each_pause(afterword: CommandLine) -> None:
    for pause in ((), ("--tenant", "acme"), ("--tenant", "two words")):
        afterword("pause", *pause)
    (row,) = [row for row in afterword("doctor", "--json").rows if row["name"] == "paused"]
    advised = [one.partition(": afterword ")[2] for one in row["says"].split("; ")]
    assert advised == ["resume", "resume --tenant acme", "resume --tenant 'two words'"]
    assert [afterword(*shlex.split(words)).code for words in advised] == [0, 0, 0]


def test_doctor_judges_the_model_by_this_shell_and_tells_where_key_and_ledger_lie(
    afterword: CommandLine, tmp_path: Path
) -> None:
    said = {row["name"]: (row["health"], row["says"]) for row in afterword("doctor", "--json").rows}
    assert "by the settings of this shell" in said["model"][1]
    assert said["key"][0] == "ok" and said["key"][1].endswith("which lies beside it")
    assert said["ledger"][0] == "ok" and "back up the database file, not the directory" in said["ledger"][1]
    afterword.setenv("AFTERWORD_LEDGER", str(tmp_path / "home" / "erasures.jsonl"))
    said = {row["name"]: (row["health"], row["says"]) for row in afterword("doctor", "--json").rows}
    assert said["ledger"][0] == "warn"


def test_doctor_names_every_part_and_migrate_finds_nothing_to_do(afterword: CommandLine) -> None:
    done = afterword("doctor", "--json")
    assert done.code == 0
    assert {"database", "ledger", "redis", "model", "sweep", "purge"} <= {row["name"] for row in done.rows}
    assert afterword("doctor").code == 0
    assert afterword("migrate", "--json").row["changed"] is False


EARLY, LATE = "0001-01-01T00:00:00+14:00", "9999-12-31T23:59:59-14:00"
BROKEN = "a\udcff"
"""A byte that is no UTF-8, as the shell hands it over."""
TIMED = [
    ("facts", "list", *WHO, "--at"),
    ("facts", "list", *WHO, "--known-at"),
    ("facts", "history", *WHO, "--known-at"),
    ("recall", *WHO, "--at"),
    ("recall", *WHO, "--known-at"),
    ("recall", *WHO, "--changed-since"),
    ("events", "list", "--since"),
    ("events", "list", "--until"),
    ("audit", "list", "--tenant", "acme", "--since"),
    ("remember", *WHO, "--observed-at"),
]
SIGNED = [
    ("forget", *WHO, "--yes"),
    ("retract", "--tenant", "acme", "--ticket", "t-1", "--yes"),
    ("pause",),
    ("drain",),
    ("recall", *WHO),
    ("remember", *WHO),
    ("rescan",),
    ("mcp", "--tenant", "acme"),
    ("review", "accept", "x", *WHO),
    ("tokens", "create", "--tenant", "acme", "--scope", "recall"),
    ("tokens", "revoke", "x"),
    ("replay",),
]
HUGE = "9" * 20
BEYOND: list[tuple[str, ...]] = [
    *[(*verb, moment) for moment in (EARLY, LATE) for verb in TIMED],
    *[(*verb, "--actor", actor) for actor in ("", " ", "x" * 201, "a\nb", BROKEN) for verb in SIGNED],
    ("tokens", "create", "--tenant", "acme", "--scope", "recall", "--days", "3650000"),
    ("tokens", "create", "--tenant", "acme", "--scope", "recall", "--name", BROKEN),
    ("replay", "--dry-run", "--reason-code", BROKEN),
    ("replay", "--dry-run", "--model", BROKEN),
    ("replay", "--dry-run", "--prompt-version", ""),
    ("replay", "--resume", BROKEN),
    ("replay", "--dry-run", "--limit", HUGE),
    ("replay", "--rate", "inf"),
    ("replay", "--max-cost", "nan"),
    ("replay", "--price", "nan,1"),
    ("replay", "--price", "1,-1"),
    ("events", "list", "--reason-code", BROKEN),
    ("events", "list", "--limit", HUGE),
    ("audit", "list", "--tenant", "acme", "--action", BROKEN),
    ("audit", "list", "--tenant", "acme", "--limit", HUGE),
    ("review", "list", "--tenant", "acme", "--limit", HUGE),
    ("erasures", "list", "--after", HUGE),
    ("erasures", "verify", *WHO, "--value", ""),
    ("erasures", "verify", *WHO, "--value", "kim", "--value", " "),
    ("erasures", "verify", *WHO, "--value", BROKEN),
    ("facts", "list", *WHO, "--key", BROKEN),
    ("forget", *WHO, "--yes", "--reason", BROKEN),
    ("recall", *WHO, "--k", HUGE),
    ("rescan", "--tenant", "acme", "--after", BROKEN),
    ("drain", "--timeout", "nan"),
    ("enqueue", "--wait", "--timeout", "-1"),
]


def test_a_value_beyond_its_bounds_is_a_usage_error_that_names_its_option(afterword: CommandLine) -> None:
    for words in BEYOND:
        done = afterword(*words)
        name = next(word for word in reversed(words) if word.startswith("--"))
        assert (done.code, done.out) == (2, ""), words
        assert f"Invalid value for '{name}'" in done.err, words


@pytest.mark.parametrize(
    ("verb", "option"), [("backfill", "--requests"), ("evaluate", "--requests"), ("evaluate", "--html")]
)
def test_a_file_that_cannot_be_written_is_known_before_any_work(
    afterword: CommandLine, tmp_path: Path, verb: str, option: str
) -> None:
    (tmp_path / "in.jsonl").write_text("")
    done = afterword(verb, tmp_path / "in.jsonl", option, tmp_path / "nowhere" / "out")
    assert done.code == 2
    assert f"Invalid value for '{option}'" in done.err and "no folder" in done.err


def test_values_at_their_bounds_are_taken(afterword: CommandLine) -> None:
    long = "é" * 200
    assert stated(afterword, "contact_channel", "e-mail only", actor=long).code == 0
    assert long in [one["actor"] for one in afterword("audit", "list", "--tenant", "acme", "--json").rows]
    made = afterword("tokens", "create", "--tenant", "acme", "--scope", "recall", "--days", "36500", "--json")
    assert made.code == 0
    assert afterword("facts", "list", *WHO, "--at", "1900-01-01T00:00:00Z").code == 0


def test_no_traceback_reaches_a_user(afterword: CommandLine, tmp_path: Path) -> None:
    (tmp_path / "home" / "afterword.db").write_bytes(b"this is not a database, canary" * 100)
    for verb in (("facts", "list", *WHO), ("stats",), ("doctor",)):
        done = afterword(*verb)
        assert done.code == 1, verb
        assert "Traceback" not in done.err and "canary" not in done.err + done.out


def test_a_wrong_setting_or_url_is_one_clear_line_and_ends_with_2(afterword: CommandLine) -> None:
    afterword.setenv("AFTERWORD_RETENTION_DAY", "3")
    done = afterword("stats")
    assert (done.code, done.err) == (
        2,
        "afterword: AFTERWORD_RETENTION_DAY: no such setting; did you mean AFTERWORD_RETENTION_DAYS?\n",
    )


def test_an_unknown_verb_or_id_is_a_usage_error(afterword: CommandLine) -> None:
    unknown = afterword("remeber")
    assert unknown.code == 2 and "Did you mean remember?" in unknown.err
    assert afterword("facts", "list", "--tenant", "a\x01", "--customer", "u1").code == 2
    assert afterword("--help").code == 0
    assert afterword("--version").code == 0


def test_what_asks_for_a_yes_is_what_the_help_says(afterword: CommandLine) -> None:
    told = " ".join(afterword("--help").out.split())
    assert "purge takes what has had its time, as beat does daily, and asks none, nor do enqueue and replay" in told
    for verb in ("purge", "enqueue", "replay"):
        assert "--yes" not in afterword(verb, "--help").out
    for words in (("forget",), ("facts", "forget"), ("retract",), ("rescan",)):
        assert "--yes" in afterword(*words, "--help").out
    assert "every tenant's tickets are meant" in " ".join(afterword("replay", "--help").out.split())
