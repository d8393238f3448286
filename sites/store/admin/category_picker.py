"""The tree in which a product's categories are chosen, and the select beneath it, as HTML.

They are written here and not in a template, because every form of a product has all categories: this takes a tenth of
the time.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from ...kit.icons import icon

if TYPE_CHECKING:
    from .product_facts import Node


def branches(nodes: Iterable[Node], chosen: Collection[int]) -> Markup:
    """The items of the tree, with those below each."""
    return Markup("\n".join(_branch(node, chosen) for node in nodes))


def _branch(node: Node, chosen: Collection[int]) -> str:
    below = f'<ul role="group">{branches(node.children, chosen)}</ul>' if node.children else ""
    opened = ' aria-expanded="true"' if node.children else ""
    twist = f'data-twist aria-hidden="true">{icon("chevron-down")}' if node.children else 'aria-hidden="true">'
    hidden = "" if node.active else ' <span class="tag">Hidden</span>'
    name, path = escape(node.name), escape(node.path)
    return (
        f'<li role="treeitem" aria-level="{node.depth}" aria-selected="{"true" if node.id in chosen else "false"}"'
        f'{opened} aria-label="{name}" data-id="{node.id}" data-path="{path}" tabindex="-1">\n  <div class="row-x">'
        f'<span class="twist" {twist}</span>'
        f'<span class="tick" aria-hidden="true">{icon("check")}</span><span>{name}</span>{hidden}</div>{below}</li>'
    )


def options(nodes: Iterable[Node], chosen: Collection[int]) -> Markup:
    """All categories as the options of the select, in the order of the tree."""
    return Markup("".join(_options(nodes, chosen)))


def _options(nodes: Iterable[Node], chosen: Collection[int]) -> Iterator[str]:
    for node in nodes:
        yield f'<option value="{node.id}"{" selected" if node.id in chosen else ""}>{escape(node.path)}</option>'
        yield from _options(node.children, chosen)
