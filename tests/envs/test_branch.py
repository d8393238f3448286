"""Going back: pages come back to the byte, by loading and filling where that is enough, else by the same actions."""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sitegym.envs import actions, branch_refs, branch_rows, branch_state
from sitegym.envs.branch import Checkpoint
from sitegym.envs.branch_restore import Rebuild
from sitegym.envs.episode import Episode
from sitegym.envs.host import BrowserHost
from sitegym.envs.observation import Observation
from sitegym.envs.session import Session, prepare
from sitegym.errors import EnvironmentFault, UsageError
from sitegym.sites.world.client import World, WorldServer
from sitegym.tasks import task

from .conftest import PageServer, Player

Step = Any
"""An action, or a function from what is seen to one."""

# ---- one page of everything ---------------------------------------------------------------------------------------


def on(name: str, role: str, label: str, *more: Any, **named: Any) -> Callable[[Observation], Any]:
    """An action on an element by role and name."""
    return lambda seen: getattr(actions, name)(seen.find(role, label), *more, **named)


NAME = on("type_", "textbox", "Name", "Ana")
FILLED: dict[str, list[Step]] = {
    "texts": [NAME, on("type_", "textbox", "Story", "one\ntwo"), on("type_", "spinbutton", "Count", "7")],
    "pickers": [on("type_", "textbox", "Day", "2026-03-18"), on("type_", "slider", "Level", "9")],
    "ticks": [on("check", "checkbox", "News"), on("check", "radio", "Large"), actions.wait(2000)],
    "choices": [on("select", "combobox", "Colour", "blue"), on("select", "listbox", "Tags", ["old", "sale"])],
    "hidden": [lambda seen: actions.click(_summary(seen)), on("type_", "textbox", "Deep", "in the shadow")],
    "scrolled": [
        lambda seen: actions.scroll("down", seen.find("region", "Box"), 50),
        actions.scroll("down", pixels=300),
    ],
    "changed and left": [
        NAME,
        on("click", "textbox", "Story"),
        lambda seen: actions.press("Control+A", seen.find("textbox", "Story")),
    ],
    "history": [actions.navigate("/plain"), actions.navigate("/selects"), actions.back(), actions.reload()],
    "tabs": [actions.new_tab("/plain"), actions.navigate("/branch"), NAME, actions.switch_tab(0), NAME],
}
AFTER: list[Step] = [
    on("type_", "textbox", "Name", "Bo", clear=False),
    on("click", "button", "Add"),
    actions.wait(1500),
]


def _summary(seen: Observation) -> str:
    return seen.find("generic", "More") if seen.elements("generic", "More") else seen.find("group")


def play(player: Player, steps: list[Step]) -> list[str]:
    """What is seen after each step; every one is taken."""
    shown = []
    for step in steps:
        seen = player.play(step(player.now) if callable(step) else step)
        assert seen.error == ""
        shown.append(seen.axtree)
    return shown


def copied(player: Player, pages: PageServer) -> tuple[Player, list[str]]:
    """A session brought to the state of another's, and what differs."""
    host = player.host
    state = pickle.loads(pickle.dumps(host.run(branch_state.capture(player.session))))
    assert state.slow == ""

    async def tell(ms: int) -> None:
        """No server keeps time here."""

    async def rebuild() -> tuple[Session, list[str]]:
        prepared = await prepare(host, pages.address, (1280, 800))
        begins = min(tab.page["origin"] for tab in state.tabs)
        session = Session(prepared, now=int(begins), seed="seed")
        await Rebuild(session, state, tell).run()
        return session, branch_state.differences(state, await branch_state.capture(session))

    session, differing = host.run(rebuild())
    copy = Player.__new__(Player)
    copy.host, copy.kinds, copy.session = host, player.kinds, session
    copy.look()
    return copy, differing


@pytest.mark.parametrize("steps", FILLED.values(), ids=FILLED)
def test_a_page_is_loaded_and_filled_and_lives_on_alike(
    player: Callable[..., Player], pages: PageServer, steps: list[Step]
) -> None:
    original = player("plain")
    play(original, [actions.navigate("/branch"), *steps])
    copy, differing = copied(original, pages)
    try:
        assert differing == []
        assert copy.now.axtree == original.now.axtree
        if original.now.title == "Branch":
            assert play(copy, AFTER) == play(original, AFTER)
    finally:
        copy.host.run(copy.session.close())


@pytest.mark.parametrize(
    ("step", "reason"),
    [
        pytest.param(on("click", "button", "Mark"), "a script may have answered", id="what-a-script-may-remember"),
        pytest.param(on("click", "button", "Ask"), "a script may have answered", id="modal"),
        pytest.param(on("type_", "textbox", "Free", "x", clear=False), "a script may have answered", id="rich-text"),
        pytest.param(on("upload", "button", "Picture", "a.png"), "a file is chosen", id="chosen-file"),
        pytest.param(actions.key_down("Shift"), "held down", id="held-key"),
        pytest.param(actions.navigate("/frames"), "frames", id="frames"),
        pytest.param(actions.navigate("/file"), "downloaded", id="download"),
    ],
)
def test_what_loading_can_not_bring_back_is_known(player: Callable[..., Player], step: Step, reason: str) -> None:
    files = {"a.png": {"name": "a.png", "mimeType": "image/png", "buffer": b"x"}}
    original = player("branch", files=files)
    original.play(step(original.now) if callable(step) else step)
    assert reason in original.host.run(branch_state.capture(original.session)).slow


def test_a_checkpoint_changes_nothing(player: Callable[..., Player]) -> None:
    one, two = player("branch"), player("branch")
    play(one, FILLED["texts"])
    play(two, FILLED["texts"])
    one.host.run(branch_state.capture(one.session))
    assert play(one, AFTER) == play(two, AFTER)


def test_numbers_of_elements_can_be_read_and_given(player: Callable[..., Player]) -> None:
    here = player("branch")
    page = here.session.tabs.active

    async def numbers() -> branch_refs.Numbers:
        found = await branch_refs.read(await here.session.tabs.protocol(page))
        assert found is not None, "Playwright keeps its numbers elsewhere: see branch_refs.py"
        return found

    found = here.host.run(numbers())
    shown = {node.ref for node in here.now.tree.walk() if node.ref}
    assert shown <= {ref for *_, ref in found.refs}
    assert found.last >= len(found.refs)


# ---- the shop -----------------------------------------------------------------------------------------------------

TASK = task("store.admin/cancel-order", 0, data="tiny")


@pytest.fixture(scope="module")
def server() -> Iterator[WorldServer]:
    with WorldServer() as server:
        yield server


@pytest.fixture(scope="module")
def worlds(server: WorldServer) -> Iterator[tuple[World, World]]:
    with server.open(data="tiny") as one, server.open(data="tiny") as two:
        yield one, two


@pytest.fixture
def episodes(host: BrowserHost, worlds: tuple[World, World]) -> Iterator[tuple[Episode, Episode]]:
    one, two = (Episode(host, world) for world in worlds)
    yield one, two
    one.close()
    two.close()


def act(episode: Episode, steps: list[Step]) -> list[Observation]:
    seen = [episode.observe()]
    for step in steps:
        seen.append(episode.act(step(seen[-1]) if callable(step) else step))
        assert seen[-1].error == ""
    return seen[1:]


def told(seen: list[Observation]) -> list[Observation]:
    """Without the trees as data, which compare by identity."""
    return [replace(one, tree=seen[0].tree) for one in seen]


HOLD: list[Step] = [
    actions.navigate("/orders"),
    lambda seen: actions.check(seen.find_all("checkbox")[2]),
    on("type_", "combobox", "Search everything", "an"),
]


def test_an_episode_goes_on_from_a_checkpoint_as_it_would_have(episodes: tuple[Episode, Episode]) -> None:
    original, other = episodes
    original.reset(TASK)
    act(original, HOLD)
    order = _pending(original)
    original.world.call("orders.hold", number=order.number, v=order.v, reason="other")
    seen = original.act(actions.navigate(f"/orders/{order.number}"))
    kept = original.checkpoint()
    back = other.restore(kept)
    assert other.restored is not None
    assert (other.restored.way, other.restored.why) == ("fast", "")
    assert told([back, seen])[0] == told([back, seen])[1]
    after: list[Step] = [actions.click(seen.find("link", "Orders")), actions.wait(700), actions.back()]
    one, two = act(original, after), act(other, after)
    assert [each.axtree for each in one] == [each.axtree for each in two]
    assert [each.time for each in one] == [each.time for each in two]
    assert original.finish() == other.finish()
    assert _rows(original) == _rows(other)


def test_where_filling_does_not_lead_the_actions_are_taken_again(episodes: tuple[Episode, Episode]) -> None:
    original, other = episodes
    original.reset(TASK)
    original.act(actions.navigate("/orders"))
    original.observe(("axtree_full",))
    seen = original.act(actions.click(original.observe().find("button", "Columns")))
    back = other.restore(original.checkpoint())
    assert other.restored is not None
    assert other.restored.way == "replayed"
    assert "a script may have answered" in other.restored.why
    assert (back.axtree, back.time, back.steps_left) == (seen.axtree, seen.time, seen.steps_left)


def test_several_go_back_at_the_same_time(episodes: tuple[Episode, Episode]) -> None:
    original = episodes[0]
    seen = original.reset(TASK)
    kept = original.checkpoint()
    found: dict[int, str] = {}

    def restore(number: int) -> None:
        found[number] = episodes[number].restore(kept).axtree

    threads = [threading.Thread(target=restore, args=(number,)) for number in range(len(episodes))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {0: seen.axtree, 1: seen.axtree}


def test_a_checkpoint_that_leads_elsewhere_is_a_fault(episodes: tuple[Episode, Episode]) -> None:
    original, other = episodes
    original.reset(TASK)
    kept = replace(original.checkpoint(), seen="something else")
    with pytest.raises(EnvironmentFault, match="the page is not the one of the checkpoint") as caught:
        other.restore(kept)
    assert caught.value.cause == "restore_differs"
    assert other.verdict is None


def test_a_checkpoint_is_saved_and_restored_in_another_process(
    episodes: tuple[Episode, Episode], tmp_path: Path
) -> None:
    original = episodes[0]
    original.reset(TASK)
    seen = original.act(actions.navigate("/orders"))
    original.checkpoint().save(tmp_path / "kept")
    script = f"""
        import gymnasium, sitegym
        from sitegym.envs.branch import Checkpoint
        env = gymnasium.make("ShopAdmin-v0", data="tiny").unwrapped
        seen, info = env.restore(Checkpoint.load({str(tmp_path / "kept")!r}))
        open({str(tmp_path / "seen")!r}, "w").write(seen["axtree"] + info["restored"])
        env.close()
    """
    code = "\n".join(line.strip() for line in script.splitlines())
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "seen").read_text() == seen.axtree + "fast"


def test_what_can_not_be_restored_here_is_refused(
    episodes: tuple[Episode, Episode], host: BrowserHost, tmp_path: Path
) -> None:
    original, other = episodes
    original.reset(TASK)
    kept = original.checkpoint()
    wrong = {
        "use an env of the same data": replace(kept, baseline=("store", "base", 1, kept.baseline[3])),
        "made by another version": replace(kept, code="other"),
        "a window of 800 x 600": replace(kept, viewport=(800, 600)),
    }
    for reason, checkpoint in wrong.items():
        with pytest.raises(UsageError, match=reason):
            other.restore(checkpoint)
    (tmp_path / "no").write_text("nothing")
    with pytest.raises(UsageError, match="is no checkpoint"):
        Checkpoint.load(tmp_path / "no")
    with pytest.raises(UsageError, match="reset the episode first"):
        Episode(host, other.world).checkpoint()


def test_rows_are_kept_as_what_differs_from_the_baseline(worlds: tuple[World, World], tmp_path: Path) -> None:
    world = worlds[0]
    world.reset()
    base = world.baseline.path
    world.freeze(tmp_path / "same")
    assert branch_rows.read(base, tmp_path / "same").blocks == ()
    order = _pending_of(world)
    world.call("orders.hold", number=order.number, v=order.v, reason="other")
    frozen = world.freeze(tmp_path / "changed")
    rows = branch_rows.read(base, frozen)
    assert len(rows.data) < frozen.stat().st_size / 10
    rows.write(base, tmp_path / "again")
    assert branch_rows.read(base, tmp_path / "again") == rows


def _pending(episode: Episode) -> Any:
    return _pending_of(episode.world)


def _pending_of(world: World) -> Any:
    from sitegym.sites import registry
    from sitegym.verifiers import Snapshot

    with Snapshot(world.baseline.path, registry.get("store").metadata) as before:
        return before.rows("orders", status="pending")[0]


def _rows(episode: Episode) -> branch_rows.Rows:
    assert episode.frozen is not None
    return branch_rows.read(episode.world.baseline.path, episode.frozen)
