"""Errors of worlds, in a module of their own, so that both ends of the control channel find them."""

from __future__ import annotations

from ...errors import EnvironmentFault, UnknownName, out_of_disk

FULL = "no room on the disk where worlds are served or graded: free some there; SITEGYM_SITE_DISK is what `site` has"


def unforeseen(error: BaseException, doing: str) -> EnvironmentFault:
    """An error that is not ours, as a fault that says what was being done."""
    message = f"{doing}: {type(error).__name__}: {error}"
    if out_of_disk(error):
        return EnvironmentFault(f"{FULL} ({message})", cause="out_of_disk", retry=False)
    return EnvironmentFault(message, cause="server_error", retry=False)


class UnknownDataSet(UnknownName):
    """The site has no data set with this name."""

    kind = "data set"


class UnknownCheckpoint(UnknownName):
    """This world has no checkpoint with this id; it may have been forgotten, or be another world's."""

    kind = "checkpoint"


class UnknownUseCase(UnknownName):
    """The site has no service function with this name."""

    kind = "use case"


class UnknownWorld(UnknownName):
    """The server hosts no world with this id; it was closed."""

    kind = "world"
