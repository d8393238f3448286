"""Reading the forms out of a page of ours: what each field is called and what it holds, as a browser would send it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from urllib.parse import urljoin, urlsplit

VOID = frozenset({"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"})
UNSENT = frozenset({"button", "submit", "reset", "image", "file", "password"})


@dataclass
class PageField:
    """One name of a form with all its controls: `values` are what would be sent, `texts` what people read for them."""

    name: str
    kind: str
    """text, hidden, checkbox, radio or select."""
    label: str = ""
    values: list[str] = field(default_factory=list)
    texts: dict[str, str] = field(default_factory=dict)
    controls: int = 0


@dataclass
class PageForm:
    """A form that posts to the path `action`."""

    action: str
    fields: dict[str, PageField] = field(default_factory=dict)


@dataclass
class _Control:
    """A control as it was met, to be labelled once all labels are known."""

    form: str
    attributes: dict[str, str]
    kind: str
    group: str = ""
    inside_label: int = -1
    value: str = ""
    chosen: list[str] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)


@dataclass
class _Open:
    """An element that is not closed yet, with the text in it so far."""

    tag: str
    attributes: dict[str, str]
    text: list[str] = field(default_factory=list)
    silent: bool = False


def forms_of(html: str, path: str) -> list[PageForm]:
    """The posting forms of the page at `path`; actions are paths without a query."""
    reader = _Reader(path)
    reader.feed(html)
    reader.close()
    return reader.forms()


class _Reader(HTMLParser):
    def __init__(self, path: str) -> None:
        super().__init__(convert_charrefs=True)
        self.path = path
        self.stack: list[_Open] = []
        self.actions: dict[str, str] = {}
        self.controls: list[_Control] = []
        self.texts: dict[str, str] = {}
        self.labels: dict[str, str] = {}
        self.wrapped: dict[int, str] = {}
        self.opened_labels = 0
        self.form = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = {name: value or "" for name, value in attrs}
        if tag in VOID:
            if tag == "input" and not self._inert():
                self._input(attributes)
            return
        if tag == "option" and self.stack and self.stack[-1].tag == "option":
            self.handle_endtag("option")
        silent = attributes.get("aria-hidden") == "true" or tag in ("script", "style", "svg")
        self.stack.append(_Open(tag, attributes, silent=silent))
        if tag == "form":
            self._open_form(attributes)
        elif tag == "label":
            self.opened_labels += 1
            attributes["#"] = str(self.opened_labels)
        elif tag in ("select", "textarea") and not self._inert():
            self.controls.append(_Control(self._form_of(attributes), attributes, tag, inside_label=self._label()))

    def handle_endtag(self, tag: str) -> None:
        at = next((i for i in range(len(self.stack) - 1, -1, -1) if self.stack[i].tag == tag), None)
        if at is None:
            return
        while len(self.stack) > at:
            self._close(self.stack.pop())

    def handle_data(self, data: str) -> None:
        if self.stack:
            self.stack[-1].text.append(data)

    def _close(self, element: _Open) -> None:
        raw = "".join(element.text)
        text = " ".join(raw.split())
        if identity := element.attributes.get("id"):
            self.texts[identity] = text
        if element.tag == "label":
            self.wrapped[int(element.attributes["#"])] = text
            if target := element.attributes.get("for"):
                self.labels.setdefault(target, text)
        elif element.tag == "form":
            self.form = ""
        elif element.tag == "textarea" and self.controls and self.controls[-1].attributes is element.attributes:
            self.controls[-1].value = raw.removeprefix("\n")
        elif element.tag == "option" and self.controls and self.controls[-1].kind == "select":
            self._option(element.attributes, text)
        if self.stack and not element.silent and element.tag not in ("select", "textarea"):
            self.stack[-1].text.append(f" {raw} " if element.tag in ("div", "p", "li", "td") else raw)

    def _open_form(self, attributes: dict[str, str]) -> None:
        if self._inert() or attributes.get("method", "get").lower() != "post":
            return
        self.form = attributes.get("id") or f"#{len(self.actions)}"
        self.actions[self.form] = urlsplit(urljoin(self.path, attributes.get("action") or self.path)).path

    def _input(self, attributes: dict[str, str]) -> None:
        kind = attributes.get("type", "text").lower()
        if kind in UNSENT:
            return
        control = _Control(self._form_of(attributes), attributes, kind, inside_label=self._label())
        control.value = attributes.get("value", "on" if kind in ("checkbox", "radio") else "")
        control.group = self._group()
        self.controls.append(control)

    def _option(self, attributes: dict[str, str], text: str) -> None:
        control = self.controls[-1]
        value = attributes.get("value", text)
        control.options[value] = text
        if "selected" in attributes:
            control.chosen.append(value)

    def _form_of(self, attributes: dict[str, str]) -> str:
        return attributes.get("form") or self.form

    def _inert(self) -> bool:
        """Inside a template, which is no part of the page yet."""
        return any(element.tag == "template" for element in self.stack)

    def _label(self) -> int:
        """The label around this place, or -1."""
        return next(
            (int(e.attributes["#"]) for e in reversed(self.stack) if e.tag == "label" and "#" in e.attributes), -1
        )

    def _group(self) -> str:
        """What the group around this place is called."""
        for element in reversed(self.stack):
            if element.attributes.get("role") in ("radiogroup", "group"):
                by = element.attributes.get("aria-labelledby", "")
                return element.attributes.get("aria-label") or self.texts.get(by, "")
        return ""

    def forms(self) -> list[PageForm]:
        """The forms with their fields, in the order of the page."""
        found = {key: PageForm(action) for key, action in self.actions.items()}
        for control in self._sent():
            self._take(found[control.form], control)
        return list(found.values())

    def _sent(self) -> Iterator[_Control]:
        for control in self.controls:
            if control.form in self.actions and control.attributes.get("name") and "disabled" not in control.attributes:
                yield control

    def _take(self, form: PageForm, control: _Control) -> None:
        name = control.attributes["name"]
        kind = control.kind if control.kind in ("hidden", "checkbox", "radio", "select") else "text"
        label = self._name(control)
        into = form.fields.setdefault(name, PageField(name, kind, label))
        into.controls += 1
        if kind in ("checkbox", "radio"):
            into.texts[control.value] = label
            into.label = control.group if into.controls > 1 or kind == "radio" else label
            into.values += [control.value] if "checked" in control.attributes else []
        elif kind == "select":
            into.texts.update(control.options)
            first = list(control.options)[:1] if "multiple" not in control.attributes else []
            into.values += control.chosen or first
        else:
            into.values.append(control.value)

    def _name(self, control: _Control) -> str:
        attributes = control.attributes
        by = attributes.get("aria-labelledby", "")
        return (
            attributes.get("data-label")
            or attributes.get("aria-label")
            or " ".join(self.texts.get(part, "") for part in by.split()).strip()
            or self.labels.get(attributes.get("id", ""))
            or self.wrapped.get(control.inside_label, "")
        )
