"""The model client against a server on loopback: every way in which an answer can go wrong ends as a value."""

import logging
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import fake_openai as fake
import pytest

from pipeline.catalogue import load_catalogue
from pipeline.events import CustomerIdentifiers, Message, Role, TicketClosed
from pipeline.mask import masked
from pipeline.prompt import PROMPT_VERSION
from pipeline.reasons import Reason
from pipeline.transcript import Transcript
from worker.extractors import OpenAIExtractor, Proposal
from worker.limits import ModelLimits, Rates
from worker.llm import Model, retry_after
from worker.outcomes import Deadline, Lasting, Passing

CANARY = "Quetzalcoatl"


class Asker:
    """An extractor with its server."""

    def __init__(self, server: fake.FakeOpenAI) -> None:
        self.server = server
        self.timeout = 5.0
        self.deadline = 20.0
        self.budget = 6000
        self.limits = ModelLimits(None, Rates())
        self._extractor: OpenAIExtractor | None = None

    def ask(self, *texts: str, language: str = "en") -> Proposal | Passing | Lasting:
        if self._extractor is None:
            model = Model(
                api_key="k",
                base_url=self.server.url,
                model="fake",
                timeout=self.timeout,
                reply_budget=4000,
                limiter=self.limits,
            )
            self._extractor = OpenAIExtractor(model, load_catalogue(), prompt_budget=self.budget)
        return self._extractor.propose(
            ticket(*texts, language=language), live_keys=(), timezone=None, deadline=Deadline(self.deadline)
        )


def ticket(*texts: str, language: str = "en") -> Transcript:
    event = TicketClosed(
        tenant="acme",
        ticket_id="T-1",
        customer_id="c-1",
        closed_at=datetime(2026, 3, 2, 9, tzinfo=UTC),
        messages=tuple(Message(role=Role.CUSTOMER, text=text) for text in texts),
        event_id="e-1",
        language=language,
        customer_identifiers=CustomerIdentifiers(),
    )
    return masked(event)


@pytest.fixture
def asker() -> Iterator[Asker]:
    with fake.fake_openai() as server:
        yield Asker(server)


def test_a_good_reply_becomes_candidates_with_their_cost(asker: Asker) -> None:
    proposal = asker.ask("Please e-mail only, do not call.")
    assert isinstance(proposal, Proposal)
    assert [(c.key, c.value) for c in proposal.candidates] == [("contact_channel", "e-mail only")]
    assert (proposal.calls, proposal.prompt_tokens, proposal.reply_tokens) == (1, 900, 60)


def test_the_request_asks_for_a_strict_schema_and_to_store_nothing(asker: Asker) -> None:
    asker.ask("e-mail only")
    request = asker.server.requests[0]
    assert request["store"] is False
    assert request["temperature"] == 0
    assert request["response_format"]["json_schema"]["strict"] is True
    assert request["response_format"]["json_schema"]["schema"]["additionalProperties"] is False


@pytest.mark.parametrize("reply", [fake.prose_around_json, fake.cut_json, fake.empty, fake.no_content])
def test_a_reply_that_does_not_fit_is_repaired_once(asker: Asker, reply: fake.Answer) -> None:
    asker.server.answer = fake.answers(reply, fake.good)
    proposal = asker.ask("e-mail only, please")
    assert isinstance(proposal, Proposal)
    assert len(proposal.candidates) == 1
    assert proposal.calls == 2


FAULTS: list[tuple[str, fake.Answer, Passing | Lasting, int]] = [
    ("prose around JSON", fake.prose_around_json, Lasting(reason=Reason.INVALID_REPLY), 2),
    ("JSON cut off", fake.cut_json, Lasting(reason=Reason.INVALID_REPLY), 2),
    ("an empty reply", fake.empty, Lasting(reason=Reason.INVALID_REPLY), 2),
    ("truncated by length", fake.truncated, Lasting(reason=Reason.TOO_LONG), 2),
    ("a refusal", fake.refusal, Lasting(reason=Reason.REFUSAL), 1),
    ("the content filter", fake.content_filter, Lasting(reason=Reason.CONTENT_FILTER), 1),
    ("the content filter, as an error", fake.content_filter_error, Lasting(reason=Reason.CONTENT_FILTER), 1),
    ("429", fake.rate_limited(7), Passing(reason=Reason.RATE_LIMITED, retry_after=7.0), 1),
    ("no quota", fake.out_of_quota, Passing(reason=Reason.MODEL_REFUSES), 1),
    ("500", fake.failing, Passing(reason=Reason.MODEL_UNAVAILABLE), 1),
    ("a wrong key", fake.wrong_key, Passing(reason=Reason.MODEL_REFUSES), 1),
    ("an unknown model", fake.unknown_model, Passing(reason=Reason.MODEL_REFUSES), 1),
    ("a proxy's page", fake.not_a_completion, Passing(reason=Reason.MODEL_UNAVAILABLE), 1),
]


@pytest.mark.parametrize(("answer", "expected", "calls"), [f[1:] for f in FAULTS], ids=[f[0] for f in FAULTS])
def test_every_fault_is_a_value(asker: Asker, answer: fake.Answer, expected: object, calls: int) -> None:
    asker.server.answer = answer
    assert asker.ask("e-mail only") == expected
    assert asker.server.calls == calls


def test_what_a_hopeless_reply_cost_and_whose_it_was_is_told(asker: Asker) -> None:
    asker.server.answer = fake.cut_json
    fault = asker.ask("e-mail only")
    assert isinstance(fault, Lasting)
    assert fault.spent.model and fault.spent.prompt_version == PROMPT_VERSION
    assert fault.spent.prompt_tokens and fault.spent.reply_tokens
    asker.server.answer = fake.good
    good = asker.ask("e-mail only")
    assert isinstance(good, Proposal) and fault.spent.prompt_tokens == 2 * good.prompt_tokens  # the repair, too


def test_a_server_that_hangs_is_a_passing_time_out(asker: Asker) -> None:
    asker.server.answer, asker.timeout = fake.hanging, 0.3
    assert asker.ask("e-mail only") == Passing(reason=Reason.MODEL_TIMEOUT)


def test_a_server_that_drips_its_answer_is_cut_off_too(asker: Asker) -> None:
    asker.server.answer, asker.timeout = fake.dripping, 0.4
    assert asker.ask("e-mail only") == Passing(reason=Reason.MODEL_TIMEOUT)


def test_no_server_at_all_is_passing(asker: Asker) -> None:
    asker.server.close()
    assert asker.ask("e-mail only") == Passing(reason=Reason.MODEL_UNAVAILABLE)


def test_one_deadline_stands_over_call_and_repair(asker: Asker) -> None:
    asker.server.answer, asker.deadline = fake.slow(0.3, fake.empty), 0.5
    assert asker.ask("e-mail only") == Passing(reason=Reason.MODEL_TIMEOUT)


def test_json_object_is_asked_for_where_json_schema_is_refused_and_that_is_remembered(asker: Asker) -> None:
    asker.server.answer = fake.json_schema_refused
    for _ in range(2):
        proposal = asker.ask("e-mail only")
        assert isinstance(proposal, Proposal)
        assert len(proposal.candidates) == 1
    forms = [request["response_format"]["type"] for request in asker.server.requests]
    assert forms == ["json_schema", "json_object", "json_object"]
    assert '"facts"' in asker.server.requests[-1]["messages"][0]["content"]


@pytest.mark.parametrize("names", [("temperature",), ("store", "max_completion_tokens"), ("response_format",)])
def test_a_parameter_that_the_server_refuses_is_left_out_from_then_on(asker: Asker, names: tuple[str, ...]) -> None:
    asker.server.answer = fake.knows_no(*names)
    assert isinstance(asker.ask("e-mail only"), Proposal)
    before = asker.server.calls
    assert isinstance(asker.ask("e-mail only"), Proposal)
    assert asker.server.calls == before + 1


def test_a_request_refused_in_every_form_waits_until_the_server_has_answered_once(asker: Asker) -> None:
    asker.server.answer = fake.refuses_everything
    assert asker.ask("e-mail only") == Passing(reason=Reason.MODEL_REFUSES)
    asker.server.answer = fake.good
    assert isinstance(asker.ask("e-mail only"), Proposal)
    asker.server.answer = fake.refuses_everything
    assert asker.ask("e-mail only") == Lasting(reason=Reason.BAD_REQUEST)


def test_a_long_ticket_goes_in_parts_and_nothing_of_it_is_lost(asker: Asker) -> None:
    filler = "We looked at the settings page together and nothing there seemed to be wrong with the account. " * 3
    proposal = asker_with_budget(asker, 3000).ask("Please e-mail only.", *[filler] * 60, "We run Bun now.")
    assert isinstance(proposal, Proposal)
    assert proposal.calls > 1
    assert {c.key for c in proposal.candidates} == {"contact_channel", "runtime"}


def test_a_reply_cut_off_by_length_is_asked_for_in_halves(asker: Asker) -> None:
    def cut_where_long(request: fake.Request) -> fake.Said:
        return fake.truncated(request) if len(fake.lines_of(request)) > 30 else fake.good(request)

    asker.server.answer = cut_where_long
    filler = "We looked at the settings page together and nothing there seemed to be wrong with the account. "
    proposal = asker.ask("Please e-mail only.", *[filler] * 40, "We run Bun now.")
    assert isinstance(proposal, Proposal)
    assert {c.key for c in proposal.candidates} == {"contact_channel", "runtime"}


def test_a_ticket_cut_off_even_in_parts_is_too_long(asker: Asker) -> None:
    asker.server.answer = fake.answers(fake.truncated)
    filler = "We looked at the settings page together and nothing there seemed to be wrong with the account. "
    assert asker.ask(*[filler] * 60) == Lasting(reason=Reason.TOO_LONG)


def asker_with_budget(asker: Asker, budget: int) -> Asker:
    asker.budget = budget
    return asker


@pytest.mark.parametrize("answer", [f[1] for f in FAULTS] + [fake.refuses_everything], ids=lambda a: a.__name__)
def test_nothing_of_the_ticket_reaches_a_log_or_a_repr(
    asker: Asker, answer: fake.Answer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    for name in ("openai", "httpx", "httpx2", "httpcore", "httpcore2"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    asker.server.answer = answer
    outcome = asker.ask(f"My name is {CANARY}, e-mail only")
    assert CANARY in str(asker.server.requests)
    assert CANARY not in repr(outcome)
    assert CANARY not in caplog.text


MOMENT = datetime.now(UTC)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "-3"}, 0.0),
        ({"retry-after": "1e99"}, 3600.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "soon"}, None),
        ({"retry-after-ms": "250"}, 0.25),
        ({}, None),
    ],
)
def test_retry_after_is_read_in_every_form(headers: dict[str, Any], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_retry_after_may_be_a_date() -> None:
    waits = retry_after({"retry-after": format_datetime(datetime.now(UTC) + timedelta(seconds=90), usegmt=True)})
    assert waits is not None
    assert 80 < waits <= 90


def test_each_thread_asks_over_a_connection_of_its_own_and_keeps_it(asker: Asker) -> None:
    """One pool for all threads would have them wait for each other."""
    asker.ask("We run Bun")

    def ask_thrice() -> None:
        for _ in range(3):
            assert isinstance(asker.ask("We run Bun"), Proposal)

    threads = [threading.Thread(target=ask_thrice) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert asker.server.calls == 13
    assert asker.server.connections == 5
