"""Observing never changes the page, whatever the kind and the micro page: no mutation, no event, no other state."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from sitegym.envs.capture import references
from sitegym.envs.kinds import KINDS

from .conftest import PAGES, Player

Open = Callable[..., Player]
NAMES = sorted(path.relative_to(PAGES).with_suffix("").as_posix() for path in PAGES.rglob("*.html"))
ONE_BY_ONE = ("covered", "frames", "hands", "modes", "plain", "selects")
"""Pages on which each kind is looked at by itself as well; on the others all come in one look."""

WATCH = """() => {
  const roots = [document];
  for (const root of roots) {
    for (const node of root.querySelectorAll("*")) if (node.shadowRoot) roots.push(node.shadowRoot);
  }
  const watch = new MutationObserver(() => {});
  const all = { subtree: true, childList: true, attributes: true, characterData: true };
  for (const root of roots) watch.observe(root, all);
  const seen = [];
  const names = new Set();
  for (let at = document.body ?? document.documentElement; at; at = Object.getPrototypeOf(at)) {
    for (const name of Object.getOwnPropertyNames(at)) if (name.startsWith("on")) names.add(name.slice(2));
  }
  for (const name of [...names, "selectionchange", "visibilitychange", "DOMContentLoaded", "focusin", "focusout"]) {
    window.addEventListener(name, (event) => seen.push(event.type), { capture: true, passive: true });
    document.addEventListener(name, (event) => seen.push(event.type), { capture: true, passive: true });
  }
  window.__watched = () => ({ mutations: watch.takeRecords().length, events: [...seen] });
}"""

STATE = """() => {
  const roots = [document], state = [];
  for (const root of roots) {
    const focused = root.activeElement;
    for (const node of root.querySelectorAll("*")) {
      if (node.shadowRoot) roots.push(node.shadowRoot);
      state.push([
        node.localName, node.value, node.checked, node.selectedIndex, node.files?.length, node.open, node === focused,
        node.scrollTop, node.scrollLeft, node.selectionStart, node.selectionEnd, node.matches(":hover"),
        node.matches(":active"), JSON.stringify(node.getBoundingClientRect()), Object.keys(node).length,
      ]);
    }
    state.push(root.documentElement?.outerHTML ?? root.innerHTML);
  }
  const chosen = getSelection(), ranges = [];
  for (let i = 0; i < chosen.rangeCount; i += 1) ranges.push(String(chosen.getRangeAt(i)));
  const stored = () => [localStorage, sessionStorage].map((store) => ({ ...store }));
  return JSON.stringify([
    state, ranges, chosen.anchorOffset, scrollX, scrollY, innerWidth, innerHeight, document.hasFocus(), history.length,
    location.href, document.title, document.cookie, stored(), Object.keys(window).length, performance.now(),
    window.__watched(),
  ]);
}"""


def disturb(page: Player) -> None:
    """Give the page a state worth keeping: focus, scroll, a selection, a hovered element, something stored."""
    page.eval("""() => {
      document.cookie = "kept=1"; localStorage.kept = "1"; sessionStorage.kept = "2";
      if (document.body?.firstElementChild) getSelection().selectAllChildren(document.body.firstElementChild);
      scrollTo(0, 40);
    }""")
    page.play('press("Tab")')
    page.play("mouse_move(60, 60)")
    for frame in page.session.tabs.active.frames:
        page.host.run(frame.evaluate(WATCH))


def states(page: Player) -> list[object]:
    """What every document of the page says of itself, and the cookies of all."""
    told = [page.host.run(frame.evaluate(STATE)) for frame in page.session.tabs.active.frames]
    return [*told, page.host.run(page.session.context.cookies())]


@pytest.mark.parametrize("name", NAMES)
def test_no_kind_of_observation_touches_the_page(player: Open, name: str) -> None:
    page = player(name)
    disturb(page)
    if page.session.dialogs.open is not None:
        page.play("dismiss_dialog()")
    before = states(page)
    alone = [(kind,) for kind in KINDS] if name in ONE_BY_ONE else []
    for kinds in [*alone, tuple(KINDS)]:
        seen = page.host.run(page.session.observe(kinds))
        assert states(page) == before, kinds
    assert set(seen.boxes) == set(references(seen.axtree_full)), "all that the tree names is found on the page"
