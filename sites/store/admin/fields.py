"""The parts that every field of a form has: its label, the attributes that tie it to its messages, and these.

They are written here and not in a template, because a page has dozens of fields: this takes a fifth of the time.
"""

from __future__ import annotations

from markupsafe import Markup, escape

from ...kit.forms import Form
from ...kit.icons import icon

OPTIONAL = Markup(' <span class="optional" aria-hidden="true">(optional)</span>')


def label(id: str, text: object, required: bool) -> Markup:
    """The label of the field `id`."""
    return Markup(f'<label for="{escape(id)}">{escape(text)}{"" if required else OPTIONAL}</label>')


def attributes(form: Form, name: str, id: str, hint: object) -> Markup:
    """Id and name of a control, whether it is wrong, and which texts describe it."""
    wrong, shown = bool(form.error(name)), escape(id)
    said = [*([f"{shown}-error"] if wrong else ()), *([f"{shown}-hint"] if hint else ())]
    text = f'id="{shown}" name="{escape(name)}"'
    text += ' aria-invalid="true"' if wrong else ""
    return Markup(text + (f' aria-describedby="{" ".join(said)}"' if said else ""))


def below(form: Form, name: str, id: str, hint: object) -> Markup:
    """What stands below a control: what is wrong with it, and a hint."""
    wrong, text = form.error(name), ""
    if wrong:
        text += f'<p class="field-error" id="{escape(id)}-error">{icon("exclamation-circle-fill")}'
        text += f"<span>{escape(wrong)}</span></p>"
    return Markup(text + (f'<p class="hint" id="{escape(id)}-hint">{escape(hint)}</p>' if hint else ""))
