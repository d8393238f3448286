"""One listening port on 127.0.0.1, served by waitress in threads of its own until it is closed."""

from __future__ import annotations

import errno
import logging
import threading
from typing import Any

import waitress
from waitress.channel import HTTPChannel
from waitress.task import ErrorTask
from waitress.wasyncore import dispatcher

from ...errors import EnvironmentFault, UsageError

_THREADS = 6  # as many as a browser opens connections to one host
_MAX_UPLOAD_BYTES = 32 * 1024 * 1024
_GRACE_S = 1
_IDLE_CONNECTION_S = 3600  # an agent may think for long between two requests

logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # a busy page is no news


class _Unread(ErrorTask):  # type: ignore[misc]
    """Answers a request that no application can be given (broken, too large), and lets ours know of it."""

    def execute(self) -> None:
        """Send the error."""
        if note := self.channel.server.unread:
            asked, error = self.request, self.request.error
            method, uri = (getattr(asked, name, "") or "?" for name in ("command", "request_uri"))
            note(method, uri, error.code, error.reason)
        super().execute()


class _Channel(HTTPChannel):  # type: ignore[misc]
    error_task_class = _Unread


class Port:
    """Serves a WSGI application on a loopback port from construction until `close`.

    Its method `unread(method, uri, status, why)`, if it has one, is told of requests that were refused before it.
    """

    def __init__(self, app: Any, port: int = 0) -> None:
        self._sockets: dict[int, Any] = {}
        self._server = _listen(app, port, self._sockets)
        self.number = int(self._server.effective_port)
        self._thread = threading.Thread(target=self._server.run, name=f"port-{self.number}", daemon=True)
        self._thread.start()

    def hang_up(self) -> None:
        """Drop all connections: what came over them and was not begun is never answered."""
        done = threading.Event()

        def drop() -> None:
            self._drop_connections()
            done.set()

        self._server.trigger.pull_trigger(drop)
        done.wait(_GRACE_S)

    def close(self) -> None:
        """Stop listening, drop the connections, end the threads; a request under way is not waited for long.

        Threads wake the loop through a pipe whose number they remember, so it is closed after the last of them: a byte
        written to a number that was closed before may end up in another world's database.
        """
        self._server.trigger.pull_trigger(self._drop)
        self._thread.join(5)
        workers = self._server.task_dispatcher
        workers.shutdown(timeout=_GRACE_S)
        if workers.threads:
            threading.Thread(target=self._close_pipe, name=f"port-{self.number}-closing", daemon=True).start()
        else:
            self._close_pipe()

    def _close_pipe(self) -> None:
        workers = self._server.task_dispatcher
        with workers.lock:
            while workers.threads:
                workers.thread_exit_cv.wait()
        self._server.trigger.close()

    def _drop(self) -> None:
        """Runs in the loop's own thread, which ends when nothing is left to watch."""
        dispatcher.close(self._server)  # the listening socket only: the server's own method closes the pipe too
        self._drop_connections()
        self._server.trigger.del_channel()

    def _drop_connections(self) -> None:
        for watched in list(self._sockets.values()):
            if watched not in (self._server, self._server.trigger):
                watched.handle_close()


def _listen(app: Any, port: int, sockets: dict[int, Any]) -> Any:
    try:
        server = waitress.create_server(
            app,
            map=sockets,
            host="127.0.0.1",
            port=port,
            threads=_THREADS,
            ident=None,
            asyncore_use_poll=True,
            channel_timeout=_IDLE_CONNECTION_S,
            max_request_body_size=_MAX_UPLOAD_BYTES,
            clear_untrusted_proxy_headers=True,
            channel_request_lookahead=1,  # so that a stream of events learns that its page is gone
        )
        server.channel_class, server.unread = _Channel, getattr(app, "unread", None)
        return server
    except OSError as error:
        if error.errno in (errno.EADDRINUSE, errno.EACCES):
            why = "is in use" if error.errno == errno.EADDRINUSE else "needs more rights than this process has"
            raise UsageError(f"port {port} {why}: choose another one, or 0 for any that is free") from error
        raise EnvironmentFault(f"can't listen on 127.0.0.1:{port}: {error}", cause="no_port") from error
