import os
from pathlib import Path

import pytest

from worker.settings import Settings, SettingsError, described, read_settings, variable

SECRET = "5ec7e7" * 10 + "abcd"


def test_with_nothing_set_everything_lies_under_home() -> None:
    settings = read_settings({"AFTERWORD_HOME": "/srv/afterword"})
    assert settings.database == "sqlite:////srv/afterword/afterword.db"
    assert settings.ledger_place == "/srv/afterword/ledger/erasures.jsonl"
    assert not settings.postgresql


def test_home_is_expanded_once() -> None:
    assert read_settings({"AFTERWORD_HOME": "~/x"}).home == Path("~/x").expanduser()
    assert read_settings({}).home == Path("~/.afterword").expanduser()


def test_an_empty_variable_counts_as_not_set() -> None:
    assert read_settings({"AFTERWORD_MODEL": "", "AFTERWORD_KEY": ""}) == read_settings({})


@pytest.mark.parametrize(
    ("given", "line"),
    [
        (
            {"AFTERWORD_REDIS": "redis://localhost"},
            "AFTERWORD_REDIS: no such setting; did you mean AFTERWORD_REDIS_URL?",
        ),
        ({"AFTERWORD_XYZZY": "1"}, "AFTERWORD_XYZZY: no such setting"),
        ({"AFTERWORD_EXTRACTOR": "rule"}, "AFTERWORD_EXTRACTOR: want openai or rules; did you mean rules?"),
        ({"AFTERWORD_DATABASE_URL": "mysql://db/x"}, "AFTERWORD_DATABASE_URL: malformed URL"),
        ({"AFTERWORD_DATABASE_URL": "postgresql://u@h:x/db"}, "AFTERWORD_DATABASE_URL: malformed URL"),
        ({"AFTERWORD_DATABASE_URL": "/var/lib/x.db"}, "AFTERWORD_DATABASE_URL: malformed URL"),
        ({"AFTERWORD_REDIS_URL": "redis://"}, "AFTERWORD_REDIS_URL: malformed URL"),
        ({"AFTERWORD_REDIS_URL": "localhost:6379"}, "AFTERWORD_REDIS_URL: malformed URL"),
        ({"OPENAI_BASE_URL": "localhost:8000"}, "OPENAI_BASE_URL: malformed URL"),
        ({"AFTERWORD_KEY": "secret"}, "AFTERWORD_KEY: want 64 hexadecimal digits"),
        ({"AFTERWORD_CONCURRENCY": "0"}, "AFTERWORD_CONCURRENCY: want a whole number, 1 or more"),
        ({"AFTERWORD_CONCURRENCY": "many"}, "AFTERWORD_CONCURRENCY: want a whole number"),
        ({"AFTERWORD_SWEEP_SECONDS": "0"}, "AFTERWORD_SWEEP_SECONDS: want more than 0"),
        ({"AFTERWORD_SWEEP_SECONDS": "soon"}, "AFTERWORD_SWEEP_SECONDS: want seconds"),
        ({"AFTERWORD_RETENTION_DAYS": "36501"}, "AFTERWORD_RETENTION_DAYS: want at most 36500 days"),
        ({"AFTERWORD_AUDIT_DAYS": "9" * 5000}, "AFTERWORD_AUDIT_DAYS: want a whole number, 0 or more"),
        ({"AFTERWORD_MAX_WAIT": "36501d"}, "AFTERWORD_MAX_WAIT: want at most 36500d"),
        ({"AFTERWORD_LEASE": "9" * 400}, "AFTERWORD_LEASE: want at most 36500d"),
        ({"AFTERWORD_LEASE": "inf"}, "AFTERWORD_LEASE: want seconds"),
        ({"AFTERWORD_LEASE": "nan"}, "AFTERWORD_LEASE: want seconds"),
        ({"AFTERWORD_HOME": "~no_such_user/x"}, "AFTERWORD_HOME: want a path; there is no home directory"),
        ({"AFTERWORD_POLICY": "~no_such_user/x"}, "AFTERWORD_POLICY: want a path; there is no home directory"),
        ({"AFTERWORD_PURGE_AT": "25:00"}, "AFTERWORD_PURGE_AT: "),
        ({"AFTERWORD_TIMEZONE": "acme=Mars/Base"}, "AFTERWORD_TIMEZONE: want an IANA time zone"),
        ({"AFTERWORD_DEADLINE": "3m"}, "AFTERWORD_DEADLINE: 180s must be less than AFTERWORD_LEASE"),
        ({"AFTERWORD_DATABASE_URL": "postgresql://u@h/db"}, "AFTERWORD_KEY: with PostgreSQL a key of your own"),
    ],
)
def test_what_is_wrong_is_one_line_that_names_the_variable(given: dict[str, str], line: str, tmp_path: Path) -> None:
    with pytest.raises(SettingsError) as caught:
        read_settings({"AFTERWORD_HOME": str(tmp_path)} | given)
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


def test_a_century_is_the_longest_time_that_can_be_set() -> None:
    given = {"AFTERWORD_RETENTION_DAYS": "36500", "AFTERWORD_MAX_WAIT": "36500d"}
    settings = read_settings(given)
    assert (settings.retention_days, settings.max_wait) == (36_500, 36_500 * 86_400.0)


def test_a_malformed_secret_is_not_repeated() -> None:
    for name in ("AFTERWORD_KEY", "AFTERWORD_DATABASE_URL", "AFTERWORD_REDIS_URL"):
        with pytest.raises(SettingsError) as caught:
            read_settings({name: "hunter2-and-more"})
        assert "hunter2" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        "sqlite:////tmp/x.db",
        "postgresql://u:p@h:5432/db",
        "postgresql+psycopg://h/db",
        "postgresql:///db?host=/run/postgresql",
    ],
)
def test_every_form_of_database_url_is_taken(url: str) -> None:
    assert read_settings({"AFTERWORD_DATABASE_URL": url, "AFTERWORD_KEY": SECRET}).database == url


@pytest.mark.parametrize("url", ["redis://h", "rediss://u:p@h:6380/2", "unix:///run/r.sock", "redis+socket:///r.sock"])
def test_every_form_of_redis_url_is_taken(url: str) -> None:
    assert read_settings({"AFTERWORD_REDIS_URL": url}).redis_url == url


@pytest.mark.parametrize(("text", "seconds"), [("90", 90), ("30s", 30), ("5m", 300), ("1.5h", 5400), ("7d", 604800)])
def test_times_take_a_unit(text: str, seconds: float) -> None:
    assert read_settings({"AFTERWORD_MAX_WAIT": text}).max_wait == seconds


def test_a_time_zone_holds_for_all_or_by_tenant() -> None:
    settings = read_settings({"AFTERWORD_TIMEZONE": "acme=Asia/Shanghai, *=UTC"})
    assert str(settings.timezone_of("acme")) == "Asia/Shanghai"
    assert str(settings.timezone_of("other")) == "UTC"
    assert str(read_settings({"AFTERWORD_TIMEZONE": "Asia/Tokyo"}).timezone_of("x")) == "Asia/Tokyo"
    assert read_settings({}).timezone_of("acme") is None


def test_no_secret_stands_in_the_repr() -> None:
    settings = read_settings(
        {
            "AFTERWORD_KEY": SECRET,
            "AFTERWORD_DATABASE_URL": "postgresql://u:hunter2@h/db",
            "AFTERWORD_REDIS_URL": "redis://:hunter2@h",
            "OPENAI_API_KEY": "sk-hunter2",
        }
    )
    assert "hunter2" not in repr(settings)
    assert SECRET not in repr(settings)


def test_a_child_process_reads_the_same_settings() -> None:
    settings = read_settings(
        {
            "AFTERWORD_HOME": "/srv/x",
            "AFTERWORD_KEY": SECRET,
            "AFTERWORD_TIMEZONE": "acme=Asia/Shanghai,UTC",
            "AFTERWORD_SWEEP_SECONDS": "1.5",
            "AFTERWORD_PURGE_AT": "04:15",
            "AFTERWORD_EXTRACTOR": "rules",
            "AFTERWORD_CATALOGUE": "/etc/keys.toml",
            "OPENAI_API_KEY": "k",
            "OPENAI_BASE_URL": "http://localhost:8000/v1",
        }
    )
    assert read_settings(settings.environ()) == settings


def test_a_model_is_configured_by_key_by_server_or_by_choosing_the_rules() -> None:
    assert read_settings({}).model_configured is not None
    assert "OPENAI_API_KEY" in str(read_settings({}).model_configured)
    for given in (
        {"OPENAI_API_KEY": "k"},
        {"OPENAI_BASE_URL": "http://localhost:1/v1"},
        {"AFTERWORD_EXTRACTOR": "rules"},
    ):
        assert read_settings(given).model_configured is None


def test_every_setting_says_what_it_does() -> None:
    rows = described()
    assert len(rows) > 30
    assert all(says for _, _, says in rows)
    assert {name for name, _, _ in rows} >= {variable("database_url"), variable("redis_url"), variable("lease")}


def test_settings_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        read_settings({}).model = "other"  # type: ignore[misc]


def test_the_environment_is_read_where_none_is_given(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in os.environ if name.startswith("AFTERWORD_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("AFTERWORD_MODEL", "gpt-x")
    assert read_settings().model == "gpt-x"
    assert isinstance(read_settings(), Settings)
