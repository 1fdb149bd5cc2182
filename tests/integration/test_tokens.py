"""`afterword tokens`: made once, kept as a hash or not at all, revoked at once; the door's packages stay unloaded."""

import json
import socket
import subprocess
import sys
from datetime import UTC, datetime

import pytest
from commandline import CommandLine
from services import free_port
from sqlalchemy import select

from store.engine import open_engine, reading
from store.models import access_tokens
from store.tokens import MAX_TOKEN, Scope, verified
from worker.listening import bound, why_not
from worker.settings import read_settings

WAITING = {
    "tenant": "acme",
    "ticket_id": "T-1",
    "customer_id": "u1",
    "closed_at": "2026-03-02T09:00:00Z",
    "messages": [{"role": "customer", "text": "Please contact me by email."}],
}


def test_a_token_is_shown_once_and_kept_as_a_hash(afterword: CommandLine) -> None:
    made = afterword("tokens", "create", "--tenant", "acme", "--scope", "recall", "--role", "person", "--json").row
    assert made["token"].startswith(f"aw_{made['id']}_")
    listed = afterword("tokens", "list", "--tenant", "acme", "--json")
    assert listed.row == {name: value for name, value in made.items() if name != "token"}
    engine = open_engine(read_settings().database)
    with reading(engine) as connection:
        row = connection.execute(select(access_tokens)).one()
    assert made["token"].rpartition("_")[2] not in str(dict(row._mapping))
    found = verified(engine, made["token"], now=datetime.now(UTC))
    assert found is not None
    assert (found.tenant, found.scopes) == ("acme", {Scope.RECALL})
    engine.dispose()


def test_a_signing_secret_is_kept_nowhere_and_signs_nothing_but_events(afterword: CommandLine) -> None:
    made = afterword("tokens", "create", "--tenant", "acme", "--signing", "--json").row
    assert made["secret"].startswith("whsec_")
    assert made["scopes"] == ["enqueue"]
    engine = open_engine(read_settings().database)
    with reading(engine) as connection:
        assert connection.execute(select(access_tokens.c.hash)).scalar_one() is None
    for shown in (made["secret"], f"aw_{made['id']}_", f"aw_{made['id']}_x"):
        assert verified(engine, shown, now=datetime.now(UTC)) is None
    engine.dispose()


@pytest.mark.parametrize("shown", ["", "aw_", "aw__", "aw_x", "aw_x_y", "Bearer aw_x_y", "é", "aw_" + "x" * MAX_TOKEN])
def test_what_is_no_token_is_none(afterword: CommandLine, shown: str) -> None:
    afterword("tokens", "create", "--tenant", "acme", "--scope", "recall")
    engine = open_engine(read_settings().database)
    assert verified(engine, shown, now=datetime.now(UTC)) is None
    engine.dispose()


def test_revoking_ends_a_token_and_is_in_the_audit(afterword: CommandLine) -> None:
    made = afterword("tokens", "create", "--tenant", "acme", "--scope", "recall", "--json").row
    assert afterword("tokens", "revoke", made["id"], "--json").row["revoked_at"]
    engine = open_engine(read_settings().database)
    assert verified(engine, made["token"], now=datetime.now(UTC)) is None
    engine.dispose()
    lines = afterword("audit", "list", "--tenant", "acme", "--json").rows
    assert [(line["action"], line["outcome"]) for line in lines] == [("token", "created"), ("token", "revoked")]
    assert afterword("tokens", "revoke", "nothing").code == 4


@pytest.mark.parametrize(
    "words", [(), ("--signing", "--scope", "recall"), ("--scope", "everything"), ("--scope", "recall", "--days", "0")]
)
def test_a_token_that_makes_no_sense_is_a_usage_error(afterword: CommandLine, words: tuple[str, ...]) -> None:
    assert afterword("tokens", "create", "--tenant", "acme", *words).code == 2


def test_a_list_for_people_shows_no_secret(afterword: CommandLine) -> None:
    shown = afterword("tokens", "create", "--tenant", "acme", "--scope", "recall", "--name", "bot 机器人")
    secret = shown.out.splitlines()[0]
    listed = afterword("tokens", "list").out
    assert "bot 机器人" in listed
    assert secret not in listed


def test_help_and_enqueue_load_nothing_of_the_door() -> None:
    script = (
        "import sys, worker.cli.root, worker.cli.enqueue, worker.cli.tokens, worker.publish;"
        "print(sorted({'fastapi', 'starlette', 'uvicorn', 'jinja2', 'prometheus_client'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_door_as_a_command_says_in_one_line_what_is_wrong(afterword: CommandLine) -> None:
    afterword.setenv("AFTERWORD_HTTP", "off")
    done = subprocess.run([sys.executable, "-m", "worker.http"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.strip().splitlines()) == (2, ["afterword: AFTERWORD_HTTP is off"])
    afterword.setenv("AFTERWORD_HTTP", "nowhere")
    done = subprocess.run([sys.executable, "-m", "worker.http"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "want HOST:PORT" in done.stderr


def test_a_taken_port_is_said_in_our_words_by_the_door_and_by_up(afterword: CommandLine) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        address = f"127.0.0.1:{other.getsockname()[1]}"
        says = f"afterword: cannot listen on {address}: address already in use; set AFTERWORD_HTTP"
        afterword.setenv("AFTERWORD_HTTP", address)
        done = subprocess.run([sys.executable, "-m", "worker.http"], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stderr.strip().splitlines()) == (1, [says])
        up = afterword("up", "--until-idle", "--timeout", "60")
        assert up.code == 0 and says in up.err
        assert "the door:" not in up.out and " door" not in up.out.partition("logs in")[0]


def test_an_up_that_gives_up_says_where_the_reason_stands(
    afterword: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("worker.embedded._worker_commands", lambda _settings: {})
    afterword.setenv("AFTERWORD_HTTP", "off")
    afterword("enqueue", stdin=json.dumps(WAITING) + "\n")
    up = afterword("up", "--until-idle", "--timeout", "0.1")
    assert up.code == 1
    assert "1 ticket still unfinished after 0.1 s: they are safe; `afterword doctor` says" in up.err


def test_an_address_is_free_again_once_it_was_tried() -> None:
    address = f"localhost:{free_port()}"
    assert why_not(address) is None and why_not(address) is None
    first, *_ = taken = bound(address)
    first.listen()
    assert str(why_not(address)).startswith(f"cannot listen on {address}: address already in use")
    for one in taken:
        one.close()
    assert str(why_not("no-such-host.invalid:80")) == (
        "cannot listen on no-such-host.invalid:80: no such host; set AFTERWORD_HTTP"
    )
