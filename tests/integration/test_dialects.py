"""Where the two databases speak differently, they say the same."""

from remembering import observed, write
from sqlalchemy import Engine, func, select

from store.dialects import among, among_listed, as_list, beside, built_once, listed
from store.engine import reading
from store.models import facts, observations
from store.purge_held import same_slot


def written(engine: Engine) -> None:
    for number in range(3):
        write(engine, *(observed(f"v{i}", i, key=f"k_{number}") for i in range(number + 1)), now=10)


def test_a_list_of_keys_finds_the_rows_it_was_made_of(engine: Engine) -> None:
    written(engine)
    with reading(engine) as connection:
        for key in (facts.c.row, observations.c.id):
            every = set(connection.execute(select(key)).scalars())
            some = sorted(every)[:2]
            text = connection.execute(select(listed(key)).where(among(connection, key, some))).scalar_one()
            query = select(key).where(among_listed(connection, key, "given"))
            assert set(connection.execute(query, {"given": text}).scalars()) == set(some)
            assert set(connection.execute(query, {"given": as_list(every)}).scalars()) == every
            for nothing in (None, "", as_list([])):
                assert connection.execute(query, {"given": nothing}).all() == []


def test_sums_beside_each_row(engine: Engine) -> None:
    written(engine)
    with reading(engine) as connection:
        sums = {"number": func.count(observations.c.id), "last": func.max(observations.c.observed_at)}
        outer, found = beside(connection, facts, observations, same_slot(observations, facts), **sums)
        columns = (facts.c.key, found["number"].label("number"), found["last"].label("last"))
        rows = set(connection.execute(select(*columns).select_from(outer)))
        plain = select(observations.c.key, *sums.values()).group_by(observations.c.key)
        assert rows == set(connection.execute(plain))


def test_a_statement_is_built_once_for_each_database(engine: Engine) -> None:
    made = built_once(lambda connection: object())
    with reading(engine) as one, reading(engine) as other:
        assert made(one) is made(other)
