"""Vectors come after the facts and go with them; embedding everything anew can be stopped and goes on."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from recalling import OTHER, REF, LetterEmbedder, RaisingEmbedder, embedded_by, remember, runtime_over
from remembering import day
from sqlalchemy import Engine, select, update

from pipeline.ids import CustomerRef
from pipeline.kinds import Kind
from store.engine import reading, writing
from store.erase import forget, forget_fact, forget_tenant
from store.export import export
from store.history import live
from store.models import facts, vectors
from store.purge import purge
from store.retention import Retention
from store.retract import retract
from store.scope import customer_reading, customer_writing
from store.vectors import progress, save
from store.verify import traces
from worker import house
from worker.celery import EMBED, schedule
from worker.embed import after_write, embed_all, embed_customer, upkeep
from worker.runtime import Runtime
from worker.settings import Settings
from worker.terms import terms_of


@pytest.fixture
def runtime(engine: Engine, tmp_path: Path) -> Runtime:
    return runtime_over(engine, tmp_path, LetterEmbedder())


def stored(engine: Engine) -> list[tuple[str, str, str]]:
    """(customer, fact's value, model) of every vector whose fact is still recorded, '' for one without a fact."""
    query = select(vectors.c.customer, facts.c.value, vectors.c.model).outerjoin(
        facts, (facts.c.id == vectors.c.fact) & facts.c.recorded_to.is_(None)
    )
    with reading(engine) as connection:
        return sorted((row.customer, row.value or "", row.model) for row in connection.execute(query))


def values(engine: Engine) -> list[str]:
    return [value for _, value, _ in stored(engine)]


def embedded(runtime: Runtime, ref: CustomerRef = REF) -> int:
    assert runtime.meaning is not None
    return embed_customer(runtime, runtime.meaning, ref)


def the_fact(runtime: Runtime, value: str) -> str:
    with customer_reading(runtime.engine, REF) as view:
        return next(fact.id for fact in live(view, at=day(900)) if fact.value == value)


def asks(runtime: Runtime) -> dict[str, Any]:
    return {"rules": house.rules(runtime), "actor": "ann", "now": datetime.now(UTC)}


def _forget(runtime: Runtime) -> None:
    forget(runtime.engine, runtime.keys, runtime.ledger, REF, **asks(runtime))


def _forget_tenant(runtime: Runtime) -> None:
    forget_tenant(runtime.engine, runtime.keys, runtime.ledger, "acme", **asks(runtime))


def _forget_fact(runtime: Runtime) -> None:
    name = the_fact(runtime, "Oslo")
    forget_fact(runtime.engine, runtime.keys, runtime.ledger, REF, name, **asks(runtime))


def _replace(runtime: Runtime) -> None:
    remember(runtime, ("city", "Bergen"), at=1)


def _end(runtime: Runtime) -> None:
    remember(runtime, ("city", "Oslo"), at=1, ended=True)


def _retract(runtime: Runtime) -> None:
    retract(runtime.engine, runtime.keys, "acme", "T1", actor="ann", now=day(2), terms=terms_of(runtime))


@pytest.mark.parametrize("gone", [_forget, _forget_tenant, _forget_fact, _replace, _end, _retract])
def test_a_vector_goes_with_its_fact(runtime: Runtime, gone: Callable[[Runtime], None]) -> None:
    remember(runtime, ("city", "Oslo"), ticket="T1")
    assert embedded(runtime) == 1
    gone(runtime)
    assert stored(runtime.engine) == []


def test_a_purge_takes_the_vector_of_what_has_expired(runtime: Runtime) -> None:
    remember(runtime, ("travel", "in Rome"), kind=Kind.SITUATION, at=0)
    with customer_reading(runtime.engine, REF) as view:
        found = live(view, at=day(1))
    assert runtime.meaning is not None
    with customer_writing(runtime.engine, runtime.keys, REF, now=day(1)) as tx:
        assert save(tx, runtime.meaning.made(found)) == 1
    purge(runtime.engine, now=day(200), retention=Retention(expired_grace_days=30))
    assert stored(runtime.engine) == []


def test_what_only_was_confirmed_keeps_its_vector(runtime: Runtime) -> None:
    remember(runtime, ("city", "Oslo"))
    embedded(runtime)
    remember(runtime, ("city", "oslo"), at=1)
    assert values(runtime.engine) == ["Oslo"]


def test_a_fact_that_was_forgotten_while_it_was_embedded_leaves_no_vector(runtime: Runtime) -> None:
    remember(runtime, ("city", "Oslo"), ("database", "MySQL"))

    class Forgetting(LetterEmbedder):
        def embed(self, texts: Any) -> Any:
            _forget(runtime)
            return super().embed(texts)

    embedded_by(runtime, Forgetting())
    assert embedded(runtime) == 0
    assert stored(runtime.engine) == []
    assert traces(runtime.engine, runtime.keys, REF) == ()


def test_an_export_names_vectors_and_a_verification_finds_them(runtime: Runtime) -> None:
    remember(runtime, ("city", "Oslo"))
    embedded(runtime)
    (row,) = export(runtime.engine, runtime.keys, REF)["vectors"]
    assert row == {"fact": the_fact(runtime, "Oslo"), "model": "letters/1/1"}
    assert "vectors.customer" in {trace.where for trace in traces(runtime.engine, runtime.keys, REF)}


# --- right after a write --------------------------------------------------------------------------------------------


def test_a_write_is_embedded_where_the_model_is_loaded_anyhow(runtime: Runtime) -> None:
    remember(runtime, ("city", "Oslo"))
    cold = LetterEmbedder()
    cold.ready = False
    embedded_by(runtime, cold)
    after_write(runtime, REF)
    assert (cold.asked, stored(runtime.engine)) == ([], [])
    embedded_by(runtime, LetterEmbedder())
    after_write(runtime, REF)
    assert values(runtime.engine) == ["Oslo"]


def test_an_embedder_that_fails_fails_no_write(runtime: Runtime, caplog: pytest.LogCaptureFixture) -> None:
    remember(runtime, ("city", "Oslo"))
    embedded_by(runtime, RaisingEmbedder())
    after_write(runtime, REF)
    assert "not embedded yet" in caplog.text and "Oslo" not in caplog.text


# --- everything -----------------------------------------------------------------------------------------------------


def test_what_has_no_vector_yet_gets_one_and_once_only(runtime: Runtime) -> None:
    remember(runtime, ("city", "Oslo"), ("database", "MySQL"))
    remember(runtime, ("city", "Turku"), ref=OTHER)
    assert embed_all(runtime) == 3
    assert embed_all(runtime) == 0
    remember(runtime, ("city", "Bergen"), at=1)
    assert embed_all(runtime) == 1
    assert values(runtime.engine) == ["Bergen", "MySQL", "Turku"]


def test_a_change_of_model_embeds_everything_anew(runtime: Runtime) -> None:
    remember(runtime, ("city", "Oslo"), ("database", "MySQL"))
    embed_all(runtime)
    embedded_by(runtime, LetterEmbedder("letters/2"))
    assert embed_all(runtime) == 2
    assert {model for _, _, model in stored(runtime.engine)} == {"letters/2/1"}


def test_embedding_everything_can_be_stopped_and_goes_on_where_it_was(
    runtime: Runtime, monkeypatch: pytest.MonkeyPatch
) -> None:
    refs = [CustomerRef(tenant="acme", customer=f"c{n}") for n in range(6)]
    for ref in refs:
        remember(runtime, ("city", "Oslo"), ref=ref)
    monkeypatch.setattr(upkeep, "STRETCH", 1)
    calls = 0

    class StopsAfterThree(LetterEmbedder):
        def embed(self, texts: Any) -> Any:
            nonlocal calls
            calls += 1
            if calls == 4:
                raise KeyboardInterrupt
            return super().embed(texts)

    embedded_by(runtime, StopsAfterThree())
    with pytest.raises(KeyboardInterrupt):
        embed_all(runtime)
    assert len(stored(runtime.engine)) == 3
    assert runtime.meaning is not None and progress(runtime.engine, model=runtime.meaning.model) > 0
    embedder = LetterEmbedder()
    embedded_by(runtime, embedder)
    assert embed_all(runtime) == 3
    assert len(embedder.asked) == 3


def test_a_run_that_has_no_time_makes_nothing(runtime: Runtime) -> None:
    remember(runtime, ("city", "Oslo"))
    assert embed_all(runtime, seconds=0) == 0


def test_a_row_that_commits_late_among_earlier_numbers_is_found(runtime: Runtime) -> None:
    remember(runtime, ("city", "Oslo"))
    with writing(runtime.engine) as connection:
        connection.execute(update(facts).values(recorded_from=datetime.now(UTC) - timedelta(minutes=1)))
    assert embed_all(runtime) == 1
    assert runtime.meaning is not None
    assert progress(runtime.engine, model=runtime.meaning.model) == 0


def test_without_an_embedder_there_is_nothing_to_do(runtime: Runtime) -> None:
    runtime.__dict__["meaning"] = None
    assert embed_all(runtime) == 0
    after_write(runtime, REF)


def test_an_embedder_that_is_missing_ends_the_run_in_peace(runtime: Runtime) -> None:
    from worker.embed import EmbedderMissing

    class Missing(LetterEmbedder):
        def embed(self, texts: Any) -> Any:
            raise EmbedderMissing("not installed")

    remember(runtime, ("city", "Oslo"))
    embedded_by(runtime, Missing())
    assert embed_all(runtime) == 0


def test_beat_embeds_unless_recall_goes_by_words_on_purpose() -> None:
    assert schedule(Settings())["embed"]["task"] == EMBED == "afterword.embed"
    assert "embed" not in schedule(Settings(embedder="none"))
