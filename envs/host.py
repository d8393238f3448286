"""The browser of a process: one Chromium on an event loop of its own thread, used from anywhere through `run`."""

from __future__ import annotations

import asyncio
import atexit
import os
import shutil
import threading
import weakref
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import EnvironmentFault, UsageError
from . import distant, sight, trial
from .spares import Spares

if TYPE_CHECKING:
    from playwright.async_api import Browser, Playwright

T = TypeVar("T")

GONE_S = 2.0
"""How long after its tabs a browser that died may be told to be gone; only what has failed already waits for it."""
CLOSE_TIMEOUT_S = 10.0
"""How long an orderly close may take before the host gives up waiting (the processes die with the driver anyway)."""

FLAGS = (
    "--disable-frame-rate-limit",  # a screenshot waits for a frame: 33 -> 18 ms
    "--disable-gpu-vsync",
    "--in-process-gpu",  # one process less: opening a page costs a fifth less, and nothing is drawn by a GPU anyway
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # a page's script sends nothing past the proxy
    "--no-pings",
    "--disable-checker-imaging",  # a picture never shows an image that is still being decoded
    "--disable-image-animation-resync",
    "--disable-partial-raster",
    "--disable-lcd-text",
    # Without LCD text every box that scrolls would get a layer of its own: a sixth more memory for a page.
    "--disable-prefer-compositing-to-lcd-text",
    "--font-render-hinting=none",
    "--hide-scrollbars",
    # What a page has left behind is collected while the agent thinks: V8 would wait for 8 s. A fifth less memory.
    "--js-flags=--gc-memory-reducer-start-delay-ms=300 --max-semi-space-size=4",
)

IGNORED = ("--enable-features=CDPScreenshotNewSurface",)
"""Flags of Playwright's own that are left out: a new surface for every picture costs a tenth of a step. Without it
pictures are as fresh: a test paints a page anew, in a frame of another origin as well, and looks at each."""

_THREADS = 32
"""Calls that block (to world servers, grading) at a time; more wait for their turn."""


class BrowserHost:
    """One Chromium for a whole process: a context per episode, safe to use from many threads and inside a running loop.

    `headless=False` shows the window; `executable` names a browser instead of the discovered one; `flags` are for its
    command line. The browser starts at the first use. Raises `EnvironmentFault` (cause `browser_died`) from every call
    once the browser is gone, and `UsageError` when used after `close()` or in a process forked from the one that made
    it.
    """

    def __init__(self, headless: bool = True, executable: str | None = None, *, flags: Sequence[str] = FLAGS) -> None:
        self.headless = headless
        self.executable = executable
        self.flags = tuple(flags)
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._died: asyncio.Future[str] | None = None
        self._threads = ThreadPoolExecutor(_THREADS, "sitegym-host")
        self._closed = False
        self.spares = Spares()
        """Room for contexts that are made ahead; for coroutines on the host's loop."""
        _hosts.add(self)

    @property
    def browser(self) -> Browser:
        """The running browser, for coroutines given to `run`."""
        if self._browser is None:
            raise UsageError("the browser has not started yet: go through run()")
        return self._browser

    @property
    def works(self) -> bool:
        """False once the browser has died or the host was closed."""
        return not self._closed and not (self._died is not None and self._died.done())

    def run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Run `coroutine` on the host's loop and give back its result; blocks the calling thread only."""
        return _result(self.start(coroutine))

    def call(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Like `run`, for a coroutine that says itself (by `guard`) where it needs the browser."""
        return _result(self._begin(coroutine))

    def start(self, coroutine: Coroutine[Any, Any, T]) -> Future[T]:
        """Begin `coroutine` on the host's loop without waiting for it."""
        return self._begin(coroutine, guard=True)

    async def visit(self, coroutine: Coroutine[Any, Any, T]) -> T:
        """Await `coroutine` on the host's loop, from whatever loop runs here; cancelling this cancels it.

        Raises `EnvironmentFault` (cause `closed`) where the work was ended from elsewhere, by `close()` for one.
        """
        here = self._thread is not None and threading.current_thread() is self._thread
        try:
            if not here and self._browser is None:
                await asyncio.to_thread(self._running)  # starts the browser, which takes its time
        except BaseException:
            coroutine.close()
            raise
        work = asyncio.ensure_future(coroutine) if here else asyncio.wrap_future(self._begin(coroutine))
        try:
            return await work
        except asyncio.CancelledError:
            if _cancelled():
                raise
            raise _ended() from None

    async def threaded(self, call: Callable[..., T], *args: Any) -> T:
        """Do what blocks in a thread, for a coroutine on the host's loop."""
        return await asyncio.get_running_loop().run_in_executor(self._threads, call, *args)

    def _begin(self, coroutine: Coroutine[Any, Any, T], *, guard: bool = False) -> Future[T]:
        try:
            loop = self._running()
        except BaseException:
            coroutine.close()
            raise
        return asyncio.run_coroutine_threadsafe(self.guard(coroutine) if guard else coroutine, loop)

    async def guard(self, work: Awaitable[T]) -> T:
        """The result of `work`, or a fault as soon as the browser is gone; for coroutines on the host's loop."""
        from playwright.async_api import Error

        assert self._died is not None
        task = asyncio.ensure_future(work)
        either: list[asyncio.Future[Any]] = [task, self._died]
        try:
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
        except Error as error:
            await self._dies()
            raise self._fault(error) from error
        except EnvironmentFault as error:
            if error.cause != "no_tab" or not await self._dies():
                raise
        finally:
            if not task.done():
                task.cancel()
                task.add_done_callback(forget)
        raise EnvironmentFault(f"the browser died: {self._died.result()}", cause="browser_died")

    async def _dies(self) -> bool:
        """Whether the browser is gone: its tabs are told to be closed shortly before it is told to be gone itself."""
        assert self._died is not None
        await asyncio.wait([self._died], timeout=GONE_S)
        return self._died.done()

    def _fault(self, error: Exception) -> EnvironmentFault:
        gone = self._browser is None or not self._browser.is_connected() or "Connection closed" in str(error)
        if gone:
            return EnvironmentFault("the browser died", cause="browser_died")
        return EnvironmentFault(f"the browser failed: {error}", cause="browser_failed")

    def _running(self) -> asyncio.AbstractEventLoop:
        if self._pid != os.getpid():
            raise UsageError("a BrowserHost cannot be used after fork; make one in the new process")
        if threading.current_thread() is self._thread:
            raise UsageError("run() would wait for itself: await the coroutine instead")
        with self._lock:
            if self._closed:
                raise UsageError("this BrowserHost is closed; make a new one")
            if self._loop is None:
                self._launch()
            assert self._loop is not None
            return self._loop

    def _launch(self) -> None:
        loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=_serve, args=(loop,), name="sitegym-browser", daemon=True)
        self._thread.start()
        self._loop = loop
        try:
            asyncio.run_coroutine_threadsafe(self._open(), loop).result()
        except BaseException:
            self._stop()
            raise

    async def _open(self) -> None:
        from playwright.async_api import Error, async_playwright

        died: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._died = died
        self._playwright = await async_playwright().start()
        await sight.register(self._playwright)
        try:
            self._browser = await self._started(self._playwright)
        except Error as error:
            await self._playwright.stop()
            which = f"the browser {self.executable}" if self.executable else "the browser"
            raise EnvironmentFault(
                f"{which} does not start: {trial.explain(str(error))}", cause="browser_start", retry=False
            ) from error
        self._browser.on("disconnected", lambda _: None if died.done() else died.set_result("its connection closed"))

    async def _started(self, playwright: Playwright) -> Browser:
        """A browser of this machine's, or the one elsewhere that `SITEGYM_BROWSER` names (its flags are its own)."""
        if self.executable is None and (there := distant.endpoint()):
            return await playwright.chromium.connect(there)
        options = _launch_options(self.headless, self.executable)
        options["args"] = [*options.get("args", []), *self.flags]
        options["ignore_default_args"] = list(IGNORED)
        return await playwright.chromium.launch(**options)

    def close(self) -> None:
        """End the browser, its driver and the thread; may be called twice and from any thread."""
        with self._lock:
            self._closed = True
            self._threads.shutdown(wait=False)
            if self._loop is None or self._pid != os.getpid():
                return
            try:
                asyncio.run_coroutine_threadsafe(self._shut(), self._loop).result(CLOSE_TIMEOUT_S)
            except TimeoutError:
                pass  # the driver hangs; it ends when this process does
            finally:
                self._stop()

    async def _shut(self) -> None:
        from playwright.async_api import Error

        try:
            if self._browser is not None:
                await self._browser.close()
            if self._playwright is not None:
                await self._playwright.stop()
        except Error:
            pass  # it is gone already
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def _stop(self) -> None:
        loop, self._loop = self._loop, None
        if loop is not None and self._thread is not None:
            loop.call_soon_threadsafe(loop.stop)
            self._thread.join(CLOSE_TIMEOUT_S)
        self._browser = self._playwright = None

    def __deepcopy__(self, memo: object) -> BrowserHost:
        """A host is a handle: Gymnasium copies the arguments of an environment, and the copy means the same browser."""
        return self

    def __enter__(self) -> BrowserHost:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def forget(task: asyncio.Future[Any]) -> None:
    """Take note of how an abandoned task ended, so that asyncio does not complain about it."""
    if not task.cancelled():
        task.exception()


def _result(future: Future[T]) -> T:
    try:
        return future.result()
    except CancelledError:
        raise _ended() from None
    except BaseException:  # Ctrl-C, say
        future.cancel()
        raise


def _ended() -> EnvironmentFault:
    return EnvironmentFault("the episode or its browser host was closed while this ran", cause="closed")


def _cancelled() -> bool:
    task = asyncio.current_task()
    return task is not None and task.cancelling() > 0


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    asyncio.set_event_loop(loop)
    try:
        loop.run_forever()
    finally:
        loop.close()


def _launch_options(headless: bool, executable: str | None) -> dict[str, Any]:
    try:
        from .discovery import launch_options
    except ImportError:
        executable = executable or shutil.which("chromium-headless-shell")
        return {"headless": headless, "executable_path": executable, "args": ["--no-sandbox"]}
    options = dict(launch_options(headless))
    if executable is not None:
        options["executable_path"] = executable
    return options


_hosts: weakref.WeakSet[BrowserHost] = weakref.WeakSet()


@atexit.register
def _close_all() -> None:
    for host in list(_hosts):
        host.close()
