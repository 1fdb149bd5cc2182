"""The model calls of an evaluation as a batch file."""

from collections.abc import Iterator, Sequence

from pipeline.courtesy import says_something
from pipeline.mask import masked
from worker.batch import Asked, asked
from worker.evaluation.tickets import Case, all_tickets, event_of, keys_before
from worker.runtime import Runtime


def requests(runtime: Runtime, of: Sequence[Case]) -> Iterator[Asked]:
    """The call about every ticket that says anything, with the real mask and prompt, in the order of the file."""
    for case, index, ticket in all_tickets(of):
        event = event_of(ticket, case.customer)
        transcript = masked(event)
        if says_something(transcript):
            yield from asked(
                ticket.dialogue_id,
                transcript,
                settings=runtime.settings,
                catalogue=runtime.catalogue,
                live_keys=keys_before(case, index, runtime.catalogue),
                timezone=runtime.settings.timezone_of(event.tenant),
            )
