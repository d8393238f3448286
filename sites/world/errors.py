"""Names that a world doesn't know; in a module of their own, so that both ends of the control channel find them."""

from __future__ import annotations

from ...errors import UnknownName


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
