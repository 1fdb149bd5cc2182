"""compose.yaml, the alert rules and the dashboard: they parse, refer to what exists, and run what the tests run."""

import importlib
import json
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

from worker.celery import HOUSE, QUEUES
from worker.cli.root import COMMANDS
from worker.embedded import DOOR, _worker_commands
from worker.http.application import ANY_HOST
from worker.metrics import NAMES
from worker.settings import described, read_settings

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "worker" / "deploy"
ALERTS = yaml.safe_load((DEPLOY / "alerts.yaml").read_text("utf-8"))
DASHBOARD = json.loads((DEPLOY / "dashboard.json").read_text("utf-8"))
COMPOSE = yaml.safe_load((ROOT / "compose.yaml").read_text("utf-8"))
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = [name for name, service in SERVICES.items() if service["image"] == "afterword"]
SUFFIXES = {"histogram": ("_bucket", "_sum", "_count"), "counter": ("",), "gauge": ("",)}


def expressions() -> list[str]:
    rules = [rule["expr"] for group in ALERTS["groups"] for rule in group["rules"]]
    return rules + [target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"]]


@pytest.mark.parametrize("expression", expressions())
def test_an_expression_names_only_metrics_that_exist_and_labels_that_they_have(expression: str) -> None:
    exposed = {name + suffix: row for name, row in NAMES.items() for suffix in SUFFIXES[row.kind]}
    named = re.findall(r"afterword_\w+", expression)
    assert named
    assert set(named) <= set(exposed)
    labels = {label for name in named for label in exposed[name].labels} | {"le"}
    for group in re.findall(r"by \(([^)]*)\)", expression):
        assert {label.strip() for label in group.split(",")} <= labels
    for name, selectors in re.findall(r"(afterword_\w+)\{([^}]*)\}", expression):
        assert set(re.findall(r"(\w+)\s*=", selectors)) <= set(exposed[name].labels)
    for opened, closed in ("()", "{}", "[]"):
        assert expression.count(opened) == expression.count(closed)


def test_every_alert_says_what_is_the_matter_and_what_to_do() -> None:
    rules = [rule for group in ALERTS["groups"] for rule in group["rules"]]
    assert len({rule["alert"] for rule in rules}) == len(rules)
    for rule in rules:
        assert set(rule["annotations"]) == {"summary", "action"}
        assert rule["labels"]["severity"] in ("page", "ticket")
        verbs = re.findall(r"\bafterword (\w+)", rule["annotations"]["action"])
        assert set(verbs) <= set(COMMANDS)


def test_every_metric_has_a_panel() -> None:
    shown = " ".join(target["expr"] for panel in DASHBOARD["panels"] for target in panel["targets"])
    assert [name for name in NAMES if name not in shown] == []
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


# --- compose ----------------------------------------------------------------------------------------------------------


def test_compose_has_all_that_runs() -> None:
    assert {"redis", "postgres", "migrate", "worker", "beat", "door"} <= set(SERVICES)
    assert SERVICES["redis"]["command"] == ["redis-server", "--appendonly", "yes"]


def test_every_reference_of_compose_leads_somewhere() -> None:
    for name, service in SERVICES.items():
        for needed, how in (service.get("depends_on") or {}).items():
            assert needed in SERVICES, name
            if how["condition"] == "service_healthy":
                assert "healthcheck" in SERVICES[needed]
        for volume in service.get("volumes") or ():
            assert volume.split(":")[0] in COMPOSE["volumes"], name
    assert _order()


def _order() -> list[str]:
    """The services as they start; a circle would leave some over."""
    started: list[str] = []
    while len(started) < len(SERVICES):
        free = [n for n, s in SERVICES.items() if n not in started and set(s.get("depends_on") or ()) <= set(started)]
        assert free, "services wait for each other"
        started += free
    return started


@pytest.mark.parametrize("name", OURS)
def test_what_is_ours_runs_without_root_on_a_read_only_file_system_after_the_migration(name: str) -> None:
    service = SERVICES[name]
    assert service["user"] == "1000:1000"
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    wanted = {"postgres", "prepare"} if name == "migrate" else {"redis", "postgres", "migrate"}
    assert set(service["depends_on"]) == wanted


@pytest.mark.parametrize("name", OURS)
def test_the_environment_is_made_of_settings_and_holds_no_secret(name: str) -> None:
    known = {variable for variable, _, _ in described()} | {"OPENAI_API_KEY", "OPENAI_BASE_URL"}
    environment = SERVICES[name]["environment"]
    assert set(environment) <= known
    for variable in ("AFTERWORD_KEY", "OPENAI_API_KEY", "AFTERWORD_DATABASE_URL"):
        assert "${" in environment[variable]
    filled = {"POSTGRES_PASSWORD": "p", "AFTERWORD_KEY": "ab" * 32, "AFTERWORD_PUBLIC_URL": "https://m.example"}

    def fill(found: re.Match[str]) -> str:
        return filled.get(found[1], "")

    read_settings({k: re.sub(r"\$\{(\w+)[^}]*\}", fill, str(value)) for k, value in environment.items()})


def test_the_commands_are_those_that_the_embedded_default_and_the_tests_run() -> None:
    commands = {name: [str(word) for word in SERVICES[name]["command"]] for name in OURS}
    embedded = {name: words[3:] for name, words in _worker_commands(read_settings({})).items()}
    assert commands["migrate"][0] == "afterword"
    assert commands["migrate"][1] in COMMANDS
    assert commands["beat"][1:] == embedded["beat"]
    assert commands["worker"][1:] == embedded["worker-1"][: len(commands["worker"]) - 1]
    assert commands["door"] == ["python", *DOOR[1:]]
    importlib.import_module("worker.http.__main__")
    queues = {HOUSE, *QUEUES.values()}
    for words in commands.values():
        assert {words[i + 1] for i, word in enumerate(words) if word == "-Q"} <= queues
    script = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["scripts"]
    assert "afterword" in script


def test_the_doors_health_check_asks_a_path_that_answers_any_host() -> None:
    test = " ".join(SERVICES["door"]["healthcheck"]["test"])
    assert re.search(r"http://127\.0\.0\.1:8321(/\w+)", test)[1] in ANY_HOST  # type: ignore[index]
    assert SERVICES["door"]["environment"]["AFTERWORD_HTTP"].endswith(":8321")
    assert SERVICES["door"]["ports"] == ["127.0.0.1:8321:8321"]


def test_the_image_copies_the_packages_and_installs_by_the_constraints() -> None:
    recipe = SERVICES["worker"]["build"]["dockerfile_inline"]
    for name in ("pipeline", "store", "worker", "constraints.txt", "pyproject.toml"):
        assert (ROOT / name).exists()
        assert name in recipe
    assert "--constraint constraints.txt" in recipe
    assert "USER afterword" in recipe
