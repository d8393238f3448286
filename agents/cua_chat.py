"""What the conversations with the vendors' computer-use models have in common."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from ..envs.formats import Format, View
from . import extras, reach, retries
from .base import ModelCall, Retry

if TYPE_CHECKING:
    from .model_options import ModelOptions


@dataclass(frozen=True, kw_only=True)
class Said:
    """One answer: text, reasoning where it is told apart, and the calls in the vendor's form."""

    text: str = ""
    reasoning: str = ""
    calls: Sequence[Any] = ()


class CuaChat(ABC):
    """A conversation with one vendor's model. Made for an episode; the client is made with the first request."""

    formats: ClassVar[tuple[str, ...]]
    """The formats that it drives, the usual one first."""
    package: ClassVar[str]
    extra: ClassVar[str]
    key_env: ClassVar[str]
    url_env: ClassVar[str] = ""

    def __init__(self, options: ModelOptions, form: Format) -> None:
        self.options, self.form = options, form
        why = f"the agent cua on {self.extra}'s models"
        reach.check_needs(self._no_key(), extras.missing(self.package, self.extra, why))
        reach.check_address(self.address, "base_url" if options.base_url else self.url_env)
        self._client: Any = None

    @property
    def address(self) -> str:
        """The address of the server, where it is not the vendor's own."""
        return self.options.base_url or (os.environ.get(self.url_env, "") if self.url_env else "")

    def key(self) -> str:
        """The key; a word where there is none, for a server of one's own."""
        return os.environ.get(self.options.key_env or self.key_env, "") or "none"

    def _no_key(self) -> str:
        name = self.options.key_env or self.key_env
        if os.environ.get(name) or self.address:
            return ""
        return f"the environment variable {name} holds no key, and no base_url names a server"

    @property
    def client(self) -> Any:
        """The vendor's client."""
        if self._client is None:
            self._client = self.connect(extras.use(self.package, self.extra, "the agent cua"))
        return self._client

    @abstractmethod
    def connect(self, sdk: Any) -> Any:
        """A client of the vendor's SDK, without retries of its own."""

    @abstractmethod
    def begin(self, system: str, goal: str, view: View, also: Sequence[str]) -> None:
        """What stands before the first request: prompt, goal, tools and the first picture."""

    @abstractmethod
    def ask(self) -> tuple[Said, ModelCall]:
        """The next answer. Raises as `retries.call` does."""

    @abstractmethod
    def give(self, call: Any, result: Any) -> None:
        """The result of a call, as the format makes it."""

    @abstractmethod
    def told(self, text: str, view: View) -> None:
        """Words and the picture after an answer whose calls were not played."""

    def close(self) -> None:
        """Close its connections."""
        if self._client is not None:
            self._client.close()

    def called(self, ask: Callable[[], Any]) -> tuple[dict[str, Any], tuple[Retry, ...], float]:
        """The response to a request as plain JSON values, the failed tries and the seconds."""
        response, failed, seconds = retries.call(ask, self.options.patience(), self.where())
        plain: dict[str, Any] = response.model_dump(mode="json", exclude_none=True, warnings=False)
        return plain, failed, seconds

    def where(self) -> str:
        """The address, for people."""
        return str(self.options.base_url or self.extra)


def number(told: Any, name: str) -> int:
    """A count in what a server says of usage; 0 where it says nothing of it."""
    return int((told or {}).get(name) or 0)
