"""The README says what the code does: every code, setting and verb in it, and none left out."""

import re
from pathlib import Path

import click

from pipeline.events import TicketClosed
from pipeline.reasons import Reason
from worker.cli.root import COMMANDS, root
from worker.house import PURGED
from worker.recalling import Flag
from worker.settings import described

ROOT = Path(__file__).parents[2]
README = (ROOT / "README.md").read_text("utf-8")


def plain(cell: str) -> str:
    """A cell that is code as a whole, without its marks."""
    code = re.fullmatch(r"`([^`]*)`", cell.strip())
    return code[1] if code else cell.strip()


def section(name: str) -> str:
    return README.split(f"<!-- {name} -->")[1].split(f"<!-- /{name} -->")[0]


def rows(name: str) -> list[tuple[str, ...]]:
    """The table's rows whose first cell is code."""
    found = re.findall(r"^\| `([^`]+)` \|(.*)\|$", section(name), re.MULTILINE)
    return [(first, *(plain(cell) for cell in rest.split(" | "))) for first, rest in found]


def test_every_reason_code_stands_in_the_readme_with_its_sentence() -> None:
    assert dict(rows("reasons")) == {reason.value: reason.explain for reason in Reason}


def test_every_setting_stands_in_the_readme_with_its_default() -> None:
    assert rows("settings") == [tuple(row) for row in described()]


def test_every_class_of_a_purge_stands_in_the_readme_and_in_its_help() -> None:
    assert rows("purged") == [(name, one.explain, one.after) for name, one in PURGED.items()]
    assert {one.after for one in PURGED.values()} <= {name for name, *_ in rows("settings")} | {"at once", "with those"}
    command = root.get_command(click.Context(root), "purge")
    assert command
    told = command.get_help(click.Context(command, terminal_width=200))
    assert all(name in told and one.explain in told for name, one in PURGED.items())


def test_every_flag_of_a_recall_stands_in_the_readme() -> None:
    assert [flag for flag, _ in rows("flags")] == [flag.value for flag in Flag]


def test_every_verb_stands_in_the_readme_and_no_other() -> None:
    block = README.split("## The command line")[1].split("```")[1]
    named = {verb for names in re.findall(r"afterword ([a-z|]+)", block) for verb in names.split("|")}
    assert named == set(COMMANDS)


def listed() -> list[tuple[str, list[click.Command], set[str]]]:
    """Each entry of the verb table: as it stands, the commands it speaks of, and the options it names."""
    block = README.split("## The command line")[1].split("```")[1]
    found = []
    for entry in re.findall(r"afterword .*?(?=  |$)", block, re.MULTILINE):
        words = entry.split()[1:]
        commands = [root.get_command(click.Context(root), verb) for verb in words[0].split("|")]
        if isinstance(commands[0], click.Group):
            commands = [commands[0].get_command(click.Context(commands[0]), name) for name in words[1].split("|")]
        assert None not in commands, entry
        found.append((entry, [one for one in commands if one], set(re.findall(r"--[a-z-]+", entry))))
    return found


def test_the_verb_table_names_options_that_there_are_and_every_one_that_is_required() -> None:
    for entry, commands, named in listed():
        for command in commands:
            options = [one for one in command.params if isinstance(one, click.Option)]
            assert named <= {name for one in options for name in one.opts}, f"{entry}: {command.name}"
            assert {one.opts[0] for one in options if one.required} <= named, f"{entry}: {command.name}"


def test_every_verb_has_help_that_loads() -> None:
    context = click.Context(root)
    for name in COMMANDS:
        command = root.get_command(context, name)
        assert command is not None and command.get_short_help_str(), name


def test_every_filter_of_a_replay_says_what_it_does() -> None:
    command = root.get_command(click.Context(root), "replay")
    assert command is not None
    assert [one.name for one in command.params if isinstance(one, click.Option) and not one.help] == []


def test_the_help_of_enqueue_names_every_field_of_a_ticket() -> None:
    command = root.get_command(click.Context(root), "enqueue")
    assert command is not None and command.help is not None
    required, optional = command.help.split("Required:")[1].split("Optional:")
    for name, field in TicketClosed.model_fields.items():
        assert name in (required if field.is_required() else optional), name


def test_every_reason_code_is_met_by_a_test() -> None:
    tests = [path for path in (ROOT / "tests").rglob("*.py") if path.name != "test_readme.py"]
    text = "\n".join(path.read_text("utf-8") for path in tests)
    spelt = r'Reason\.{r.name}\b|"{r.value}"|(?:ADD|UPDATE|NOOP|REJECT)[ ·]+{r.value}\b'
    assert [r.value for r in Reason if not re.search(spelt.format(r=r), text)] == []


def test_links_in_the_readme_lead_to_files() -> None:
    for target in re.findall(r"\]\((?!http)([^)#]+)\)", README):
        assert (ROOT / target).exists(), target
