"""Pages made from the code while the documentation is built: actions, formats, command line, a card for each task."""

from __future__ import annotations

import html
import inspect
import json
import re
import runpy
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from sitegym import sites, tasks
from sitegym.cli import cli
from sitegym.envs import actions, formats
from sitegym.envs.formats.format import Format, Member
from sitegym.envs.kinds import KINDS
from sitegym.sites.world.baseline import baseline
from sitegym.tasks import tags
from sitegym.tasks.listing import describe
from sitegym.verifiers import Snapshot
from sitegym.verifiers.answers import Answer
from sitegym.verifiers.text import shown

SPELLINGS = Path(__file__).resolve().parents[1] / "tests" / "verifiers" / "spellings.py"

GROUPS = {
    "Elements": ("click", "double_click", "right_click", "hover", "type", "clear", "press", "select", "check", "drag",
                 "drag_by", "scroll", "scroll_to", "upload"),
    "Pages and tabs": ("navigate", "back", "forward", "reload", "new_tab", "switch_tab", "close_tab"),
    "Dialogs of the browser": ("accept_dialog", "dismiss_dialog"),
    "The keyboard where the focus is": ("keyboard_type", "key_down", "key_up"),
    "The mouse by coordinates": ("mouse_move", "mouse_click", "mouse_drag", "mouse_down", "mouse_up", "mouse_scroll"),
    "Files and clipboard": ("read_download", "read_clipboard"),
    "Looking, waiting, ending": ("more", "wait", "finish"),
}  # fmt: skip
"""The order in which the reference tells of actions; what is not named here comes at the end."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages to those on disk."""
    for path, text in pages():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, **_: Any) -> str:
    """Put the table of observation kinds where a page asks for it."""
    return markdown.replace("<!-- kinds -->", "\n".join(kinds_table()))


def kinds_table() -> Iterator[str]:
    """What can be asked for, from the list that all faces read."""
    yield from ("| kind | type | meaning |", "|---|---|---|")
    types = {"text": "text", "picture": "uint8, height × width × 3", "json": "mapping; JSON text in Gymnasium"}
    for kind in KINDS.values():
        yield f"| `{kind.name}` | {types[kind.form]} | {kind.doc} |"


def pages() -> Iterator[tuple[str, str]]:
    """Every generated page: its path and its Markdown."""
    yield "reference/actions.md", actions_page()
    yield "reference/formats.md", formats_page()
    yield "reference/answers.md", answers_page()
    yield "reference/command-line.md", command_line_page()
    yield "tasks/index.md", tasks_page()
    for task_id in tasks.templates():
        yield card_path(task_id), card(task_id)


def actions_page() -> str:
    """The reference of actions, from the table that the parser, the schemas and the constructors use."""
    known = actions.specs()
    named = [name for group in GROUPS.values() for name in group]
    rest = tuple(name for name in known if name not in named)
    lines = [
        "# Actions",
        "",
        'An action is a call, a dict, or a value of `sitegym.envs.actions`: `click("e12")`, '
        '`{"action": "click", "ref": "e12"}` and `actions.click("e12")` are the same. The parser never guesses: prose '
        "around a call, two calls at once, or an unknown name are refused, with what would be right.",
        "",
        "This page is made from the table of actions itself.",
    ]
    for title, names in [*GROUPS.items(), ("Others", rest)]:
        if names:
            lines += ["", f"## {title}"]
        for name in names:
            lines += _action(known[name])
    return "\n".join(lines) + "\n"


def _action(spec: Any) -> Iterator[str]:
    yield from ("", f"### `{spec.signature()}`", "", spec.doc, "")
    if spec.params:
        yield from ("| parameter | values | meaning |", "|---|---|---|")
    for param in spec.params:
        default = "" if param.required else f"; default `{json.dumps(param.default)}`"
        yield f"| `{param.name}` | {_values(param)}{default} | {param.doc} |"


def _values(param: Any) -> str:
    if param.kind == "several":
        return "list of " + ", ".join(f"`{json.dumps(choice)}`" for choice in param.choices)
    if param.choices:
        return ", ".join(f"`{json.dumps(choice)}`" for choice in param.choices)
    if param.kind == "int":
        return f"whole number, {param.minimum:,} to {param.maximum:,}"
    return {"ref": "reference", "bool": "true or false", "texts": "text or list of texts", "key": "key or chord",
            "points": "list of `[x, y]`",
            "answer": "text, number, list or object"}.get(param.kind, "text")  # fmt: skip


def formats_page() -> str:
    """What each call of other vendors becomes: made by translating an example of every member."""
    lines = [
        "# Formats of others",
        "",
        "Each row is made by the translator itself: the call stands for an example, and beside it is what it becomes. "
        "How to use a format is told in [Computer-use models](../guides/computer-use.md).",
    ]
    for form in formats.FORMATS.values():
        lines += [
            "",
            f"## `{form.name}`",
            "",
            f"Built from: {form.source}.",
            "",
            "| call | becomes | |",
            "|---|---|---|",
        ]
        lines += [_format_row(form, one) for one in form.members.values()]
    return "\n".join(lines) + "\n"


def _format_row(form: Format, one: Member) -> str:
    if one.refusal:
        return f"| `{one.name}` | *refused* | {one.refusal} |"
    view = formats.View(pointer=(640, 400), chosen="e12")
    given = json.dumps(one.sample(), ensure_ascii=False).replace("|", "\\|")
    done = "<br>".join(f"`{action}`" for action in one.read(one.sample(), view)) or "a look"
    optional = [param.name for param in one.params if not param.required and param.name not in one.example]
    more = f"; also takes {', '.join(f'`{name}`' for name in optional)}" if optional else ""
    return f"| `{one.name}` `{given}` | {done} | {one.doc.rstrip('.')}{more} |"


def answers_page() -> str:
    """What counts as which answer: the spellings that the tests hold, with the reasons that the verifier gives."""
    spellings = runpy.run_path(str(SPELLINGS))
    lines = [
        "# Answers",
        "",
        "An answer is read as a value of the asked type and compared. It may be given as text or as JSON; white space, "
        "characters that nobody sees, and a code fence around the whole answer don't matter. Amounts and dates are "
        "read as en-US writes them, in which every episode begins.",
        "",
        "Each row is held by a test, and each reason is the verifier's own: this page is made by asking it.",
    ]
    for kind, rows in _by_type(spellings["ACCEPTED"]).items():
        lines += ["", f"## {kind.__name__}", "", inspect.cleandoc(kind.__doc__ or ""), ""]
        lines += ["| wanted | counts |", "|---|---|"]
        lines += [f"| {_said(str(answer))} | {'<br>'.join(map(_said, said))} |" for answer, said in rows]
        lines += ["", "| wanted | does not count | because |", "|---|---|---|"]
        for answer, refused in _by_type(spellings["REFUSED"]).get(kind, []):
            lines += [f"| {_said(str(answer))} | {_said(said)} | {_because(answer, said)} |" for said, _ in refused]
    return "\n".join(lines) + "\n"


def _by_type(table: list[tuple[Answer, list[Any]]]) -> dict[type[Answer], list[tuple[Answer, list[Any]]]]:
    found: dict[type[Answer], list[tuple[Answer, list[Any]]]] = {}
    for answer, said in table:
        found.setdefault(type(answer), []).append((answer, said))
    return found


def _said(said: object) -> str:
    """A spelling as code, with what can't be seen as escapes; long ones cut."""
    text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False)
    plain = "".join(c if c == " " or c.isprintable() else c.encode("unicode_escape").decode() for c in text[:90])
    cut = f" … ({len(text):,} characters)" if len(text) > 90 else ""
    return (
        f"<code>{html.escape(plain).replace('|', '&#124;').replace(' ', '&#32;')}</code>{cut}" if plain else "nothing"
    )


def _because(answer: Answer, said: object) -> str:
    why = (answer.problem(said) or "").removeprefix(f"{shown(said)}: ")
    return html.escape(why, quote=False).replace("|", "&#124;")


def command_line_page() -> str:
    """The help of every command."""
    lines = ["# Command line", "", "`./run COMMAND` from a checkout, `sitegym COMMAND` where it is installed.", ""]
    context = click.Context(cli, info_name="sitegym")
    for name, command in sorted(cli.commands.items()):
        lines += _command(command, context, name)
    return "\n".join(lines) + "\n"


def _command(command: click.Command, parent: click.Context, name: str) -> list[str]:
    context = click.Context(command, info_name=name, parent=parent)
    lines = [f"## {context.command_path}", "", "```text", command.get_help(context), "```", ""]
    for below, sub in getattr(command, "commands", {}).items():
        lines += _command(sub, context, below)
    return lines


def tasks_page() -> str:
    """All templates by kind, with what they ask for."""
    found = tasks.templates()
    kinds = Counter(str(one.kind) for one in found.values())
    told = ", ".join(f"{count} {kind}" for kind, count in sorted(kinds.items()))
    lines = ["# Tasks", "", f"{len(found)} templates: {told}. Each card is made from the code.", ""]
    lines += ["| task | kind | what it asks for | tags |", "|---|---|---|---|"]
    for task_id, one in found.items():
        about = inspect.cleandoc(one.__doc__ or "").split("\n")[0]
        link = f"[{task_id.partition('/')[2]}]({card_path(task_id).partition('/')[2]})"
        lines.append(f"| {link} | {one.kind} | {about} | {' '.join(one.tags)} |")
    lines += ["", "## Tags", "", "| tag | stands for |", "|---|---|"]
    lines += [f"| {tag} | {tags.meaning(tag)} |" for tag in _used()]
    return "\n".join(lines) + "\n"


def _used() -> list[str]:
    every = {tag for one in tasks.templates().values() for tag in one.tags}
    return sorted(every, key=lambda tag: (tag[0], int(tag[1:])))


def card_path(task_id: str) -> str:
    """Where the card of a template stands."""
    return f"tasks/{re.sub('[^a-z0-9-]+', '-', task_id)}.md"


def card(task_id: str) -> str:
    """One template: what it asks for, an instance with its expected change in words, what must fail, and its tags."""
    one, example = tasks.template(task_id), tasks.task(task_id, 0, data="tiny")
    can, can_not = tasks.outcomes(task_id)
    site = sites.get(one.site)
    with Snapshot(baseline(site.name, "tiny", 1).path, site.metadata) as before:
        expected = list(describe(example.expectation(before)))
        misses = sorted({miss.name for miss in one.near_misses(before, example.instance)})
        others = sorted({other.name for other in one.still_right(before, example.instance)})
    lines = [f"# {task_id.partition('/')[2]}", "", inspect.cleandoc(one.__doc__ or ""), ""]
    lines += ["| | what |", "|---|---|", f"| id | `{task_id}` |", f"| kind | {one.kind} |", f"| role | {one.role} |"]
    lines += [f"| starts on | `{one.start_url}` |", f"| steps | at most {one.max_steps} |"]
    twins = f", and {can_not:,} that can't be done" if can_not else ""
    lines += [f"| distinct outcomes in `base` | {can:,}{twins} |"]
    lines += [f"| tags | {', '.join(f'{tag} ({tags.meaning(tag)})' for tag in one.tags)} |", ""]
    lines += ["## An instance", "", f"> {example.goal}", ""]
    lines += ["What the database must hold afterwards (`tiny`, seed 0):", "", "```text", *expected, "```", ""]
    lines += ["## Ways to say it", "", *(f"- {intent}" for intent in one.intents(example.instance)), ""]
    lines += _listed("Must earn nothing", "Beside those that every template has", misses)
    lines += _listed("Must earn 1 as well", "Beside extra reads, reloads and detours", others)
    return "\n".join(lines) + "\n"


def _listed(title: str, before: str, names: list[str]) -> list[str]:
    return [f"## {title}", "", f"{before}:", "", *(f"- {name}" for name in names), ""] if names else []
