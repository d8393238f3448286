"""A recording as the draft of an oracle: the same moves as Python, elements by role and name instead of by reference.

What the recorded instance's parameters say is written as `p.name`, so that the draft fits other instances of the
template where the way is the same. It is a draft: a person then says what varies, and proves it (`sitegym prove`).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

from ..envs import tree
from ..envs.actions import specs
from ..envs.tree import Node

_HELPERS = {"click": "click", "type": "type_", "select": "select", "check": "check", "press": "press",
            "navigate": "navigate", "back": "back", "reload": "reload", "finish": "finish"}  # fmt: skip
"""Actions that `tasks.page` has functions for, and how they are called there."""
_SHORTEST = 3
"""A parameter's value as a part of a longer text counts from so many characters on."""


def draft(trajectory: Mapping[str, Any], params: Mapping[str, Any]) -> str:
    """The method `oracle` that makes the moves of a trajectory; `params` are the instance's parameters by name."""
    steps = [step for step in trajectory["steps"] if step.get("observation")]
    values = {name: value for name, value in params.items() if isinstance(value, str | int)}
    names = {str(value): name for name, value in values.items() if not isinstance(value, bool) and str(value)}
    goal = str(trajectory["steps"][0]["message"]).replace("\\", "\\\\").replace('"', "'")
    lines = ["def oracle(self, page: Any, p: Any) -> Moves:", f'    """{goal}"""']
    for before, step in itertools.pairwise(steps):
        lines += [f"    {line}" for line in _move(before, step, names)]
    return "\n".join(lines) + "\n"


def _move(before: Mapping[str, Any], step: Mapping[str, Any], names: Mapping[str, str]) -> Iterator[str]:
    """One move, with a word about what a person has to look at."""
    call, error = step["tool_calls"][0], (step.get("extra") or {}).get("error")
    name, given = call["function_name"], call["arguments"]
    if error:  # it changed nothing
        return
    if name.startswith("mouse_"):
        yield "# by pixels, which is only as good as the layout: name an element"
    spec = specs()[name]
    shown = tree.parse(_text(before))
    arguments = {
        param.name: _argument(param.kind, given[param.name], shown, names)
        for param in spec.params
        if param.name in given and (param.required or given[param.name] != param.default)
    }
    if name in _HELPERS and all(param.name in _KNOWN[name] for param in spec.params if param.name in arguments):
        required = [param.name for param in spec.params if param.required]
        parts = [value if key in required else f"{key}={value}" for key, value in arguments.items()]
        made = f"{_HELPERS[name]}({', '.join(parts)})"
    else:
        fields = "".join(f', "{key}": {value}' for key, value in arguments.items())
        made = f'{{"action": "{name}"{fields}}}'
    yield f"yield {made}" if name == "finish" else f"page = yield {made}"


_KNOWN = {
    "click": {"ref"}, "type": {"ref", "text", "submit"}, "select": {"ref", "option"}, "check": {"ref", "checked"},
    "press": {"key"}, "navigate": {"url"}, "back": set(), "reload": set(), "finish": {"answer", "outcome"},
}  # fmt: skip
"""What those functions take."""


def _argument(kind: str, value: Any, shown: Node, names: Mapping[str, str]) -> str:
    if kind == "ref" and value is not None:
        return _element(str(value), shown, names)
    return _written(value, names)


def _element(ref: str, shown: Node, names: Mapping[str, str]) -> str:
    """How the element is found: by role and name, and by its number where there are several."""
    node = next((one for one in shown.walk() if one.ref == ref), None)
    if node is None:
        return repr(ref)
    name = " ".join((node.name or node.text).split())
    alike = [one for one in shown.walk() if one.ref and one.role == node.role and _name(one) == name]
    number = next(at for at, one in enumerate(alike) if one is node)
    parts = [repr(node.role), *([_written(name, names)] if name else []), *([f"nth={number}"] if number else [])]
    return f"page.find({', '.join(parts)})"


def _name(node: Node) -> str:
    return " ".join((node.name or node.text).split())


def _written(value: Any, names: Mapping[str, str]) -> str:
    """A value as Python writes it, with the instance's parameters in place of what they say."""
    if not isinstance(value, str):
        return repr(value)
    if value in names:
        return f"p.{names[value]}"
    found = sorted((said for said in names if len(said) >= _SHORTEST and said in value), key=len, reverse=True)
    if not found:
        return repr(value)
    before, _, after = value.partition(found[0])
    return "f" + repr(f"{_braced(before)}{{p.{names[found[0]]}}}{_braced(after)}")


def _braced(text: str) -> str:
    return text.replace("{", "{{").replace("}", "}}")


def _text(step: Mapping[str, Any]) -> str:
    content = step["observation"]["results"][0]["content"]
    return next((str(part["text"]) for part in content if part["type"] == "text"), "")
