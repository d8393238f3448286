"""The numbers of elements in Playwright's trees (`[ref=e12]`): read them off a document, and give them to its copy.

Playwright counts the elements of each document in the order in which its snapshots first met them, and puts `f` and the
number of the document within its tab in front. Both counts live in variables of its snapshot code, in a JavaScript
world of its own beside the page; the DevTools protocol shows them as what a listener of that code closes over. Nothing
of this is a promise of Playwright's: where it is not found as expected, the answer is None and the actions of an
episode are taken again instead (tests tell when a new Playwright moved it).
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from playwright.async_api import Error

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

_WORLD = "__playwright_utility_world"
_LISTENER = "_hitTargetInterceptor"
_GROUP = "sitegym-refs"
_DOCUMENT = re.compile(r"f(\d+)e")


@dataclass(frozen=True)
class Numbers:
    """Which number each element has (`[place, role, name, ref]`), and the last one given."""

    last: int
    refs: tuple[tuple[int, str, str, str], ...]

    @property
    def document(self) -> int:
        """The number of the document within its tab; -1 where no element has been numbered yet."""
        if not self.refs:
            return -1
        found = _DOCUMENT.match(self.refs[0][3])
        return int(found[1]) if found else 0


async def read(session: CDPSession) -> Numbers | None:
    """The numbers of the document that a tab shows; None where they can't be found."""
    found = await _call(session, "read")
    return None if found is None else Numbers(int(found["last"]), tuple((n, r, m, f) for n, r, m, f in found["refs"]))


async def write(session: CDPSession, numbers: Numbers) -> bool:
    """Give a fresh copy of a document its numbers, and let the next one be the same; false where that can't be."""
    given = {"last": numbers.last, "refs": [list(one) for one in numbers.refs]}
    return bool(await _call(session, "write", given))


async def _call(session: CDPSession, function: str, *given: Any) -> Any:
    """Call a function of refs.js on the variables of Playwright's snapshot code; None where these aren't found."""
    contexts: list[Mapping[str, Any]] = []

    def note(event: Mapping[str, Any]) -> None:
        contexts.append(event["context"])

    session.on("Runtime.executionContextCreated", note)
    try:
        await session.send("Runtime.enable")
        for world in [one["id"] for one in contexts if str(one["name"]).startswith(_WORLD)]:
            for chain in await _chains(session, world):
                call = {
                    "objectId": chain,
                    "functionDeclaration": f"function (...given) {{ {_functions()}; return {function}(this, given); }}",
                    "arguments": [{"value": one} for one in given],
                    "returnByValue": True,
                }
                answer = await session.send("Runtime.callFunctionOn", call)
                return None if "exceptionDetails" in answer else answer["result"].get("value")
        return None
    except Error:
        return None
    finally:
        session.remove_listener("Runtime.executionContextCreated", note)
        with suppress(Error):
            await session.send("Runtime.releaseObjectGroup", {"objectGroup": _GROUP})
            await session.send("Runtime.disable")


async def _chains(session: CDPSession, world: int) -> list[str]:
    """The chain of scopes that Playwright's listener closes over, as an object id; empty where there is none."""
    window = await session.send("Runtime.evaluate", {"expression": "window", "contextId": world, "objectGroup": _GROUP})
    listening = await session.send("DOMDebugger.getEventListeners", {"objectId": window["result"]["objectId"]})
    handlers = [one["handler"] for one in listening["listeners"] if "handler" in one]
    for handler in [one["objectId"] for one in handlers if _LISTENER in one.get("description", "")]:
        known = await session.send("Runtime.getProperties", {"objectId": handler, "ownProperties": True})
        inner = known.get("internalProperties", ())
        return [one["value"]["objectId"] for one in inner if one["name"] == "[[Scopes]]"]
    return []


@cache
def _functions() -> str:
    return (files(__package__) / "static" / "refs.js").read_text("utf-8")
