"""Pages made from the code while the documentation is built: actions, formats, command line, a card for each task."""

from __future__ import annotations

import html
import inspect
import json
import runpy
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cards
import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from sitegym import tasks
from sitegym.cli import cli
from sitegym.envs import actions, formats
from sitegym.envs.formats.format import Format, Member
from sitegym.envs.kinds import KINDS
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

COLUMNS = {
    "OpenAI": ("openai/computer", "openai/computer-use-preview"),
    "Anthropic, computer": (
        "anthropic/computer_20250124", "anthropic/computer_20251124", "anthropic/computer_toolset_20260801",
    ),
    "Anthropic, browser": ("anthropic/browser_toolset_20260801",),
    "Gemini 3.5": ("gemini/3.5",), "Gemini 2.5": ("gemini/2.5",),
    "Playwright-MCP": ("playwright-mcp",), "BrowserGym": ("browsergym",),
}  # fmt: skip
"""The columns of the table of formats, and which formats each stands for."""

KEPT = ("reference/actions.md", "reference/answers.md", "reference/formats.md")
"""Pages that lie in the repository as well, where they are read without a build; `python docs/hooks.py` writes them."""


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the generated pages to those on disk, where a few words stand in for those that others link to."""
    for path, text in pages():
        if stand_in := files.get_file_from_path(path):
            files.remove(stand_in)
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
    yield "tasks/index.md", cards.tasks_page()
    for task_id in tasks.templates():
        yield cards.path(task_id), cards.card(task_id)


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
        "",
        "## At a glance",
        "",
        "By action, the calls of each format that become it. Those in italics do more than this one action. Examples "
        "were translated; with other arguments a call may become another action: `mouse_click` where it has "
        "coordinates instead of a reference, `dismiss_dialog` where it refuses a dialog. Coordinates of Gemini are "
        "thousandths of the window. What is refused, and why, is told by format below.",
        "",
        f"| action | {' | '.join(COLUMNS)} |",
        f"|---|{'---|' * len(COLUMNS)}",
        *_glance(),
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


def _glance() -> Iterator[str]:
    """A row for each of our actions that some format's call becomes."""
    calls: dict[str, dict[str, dict[str, None]]] = {}
    for title, names in COLUMNS.items():
        for one in (member for name in names for member in formats.FORMATS[name].members.values()):
            done = [] if one.refusal else one.read(one.sample(), formats.View(pointer=(640, 400), chosen="e12"))
            own = {action.name for action in done} or ({"*a look*"} if not one.refusal else set())
            for action in own:
                called = f"`{one.name}`" if len(own) == 1 else f"*`{one.name}`*"
                calls.setdefault(action, {}).setdefault(title, {})[called] = None
    order = [*(name for group in GROUPS.values() for name in group), "*a look*"]
    for action in sorted(calls, key=order.index):
        cells = [", ".join(calls[action].get(title, ())) for title in COLUMNS]
        yield f"| {action if action.startswith('*') else f'`{action}`'} | {' | '.join(cells)} |"


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
    return f"<code>{_literal(plain).replace(' ', '&#32;')}</code>{cut}" if plain else "nothing"


def _literal(text: str) -> str:
    """Text that is no Markdown wherever it stands."""
    return "".join(f"&#{ord(c)};" if c in "\\`*_[]~^|" else html.escape(c) for c in text)


def _because(answer: Answer, said: object) -> str:
    why = (answer.problem(said) or "").removeprefix(f"{shown(said)}: ")
    return _literal(why)


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


if __name__ == "__main__":
    folder = Path(sys.argv[1] if sys.argv[1:] else Path(__file__).parent)
    for place, text in pages():
        if place in KEPT:
            (folder / place).parent.mkdir(parents=True, exist_ok=True)
            (folder / place).write_text(text, "utf-8")
            print(folder / place)
