"""Gymnasium spaces for text of any kind and for actions; Gymnasium's own `Text` knows only the letters it is told.

Batched, as vector environments have them, both are a tuple with one value for each environment.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import deepcopy
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import utils as vector

from . import actions
from .actions import InvalidAction, Spec
from .param import Param

_ALPHABET = "abc XYZ 019 äßé łŻ 李娜 🙂 \"'\\{}[]()\n\t"


class Unicode(gymnasium.Space[str]):
    """Any text: any length, any Unicode. `sample` gives short ones."""

    def __init__(self, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(dtype=str, seed=seed)

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """A text of up to 40 characters."""
        picked = self.np_random.integers(0, len(_ALPHABET), size=int(self.np_random.integers(0, 41)))
        return "".join(_ALPHABET[index] for index in picked)

    def contains(self, x: Any) -> bool:
        """Whether `x` is a text."""
        return isinstance(x, str)

    @property
    def is_np_flattenable(self) -> bool:
        """Texts have no fixed length."""
        return False

    def to_jsonable(self, sample_n: Iterable[str]) -> list[str]:
        """Texts are JSON as they are."""
        return list(sample_n)

    def from_jsonable(self, sample_n: list[Any]) -> list[str]:
        """Texts are JSON as they are."""
        return [str(text) for text in sample_n]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unicode)

    def __hash__(self) -> int:
        return hash(Unicode)

    def __repr__(self) -> str:
        return "Unicode()"


class ActionSpace(gymnasium.Space[Any]):
    """One call of an action, as a string such as `click("e12")` or as a dict; `sample` gives well-formed strings.

    Whether the page takes a well-formed action is another matter: a reference may not exist, for one.
    """

    def __init__(self, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(dtype=str, seed=seed)
        self._text = Unicode()

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """A well-formed action of any kind, but `finish` (ending by chance teaches nothing)."""
        names = [name for name in actions.specs() if name != "finish"]
        spec = actions.specs()[names[int(self.np_random.integers(len(names)))]]
        return str(actions.parse({"action": spec.name, **self._arguments(spec)}))

    def _arguments(self, spec: Spec) -> dict[str, Any]:
        return {p.name: self._value(p) for p in spec.params if p.required or self.np_random.random() < 0.5}

    def _value(self, param: Param) -> Any:
        match param.kind:
            case "ref":
                return f"e{int(self.np_random.integers(1, 200))}"
            case "int":
                assert param.minimum is not None
                assert param.maximum is not None
                return int(self.np_random.integers(param.minimum, min(param.maximum, param.minimum + 2000) + 1))
            case "bool":
                return bool(self.np_random.random() < 0.5)
            case "choice":
                return param.choices[int(self.np_random.integers(len(param.choices)))]
            case "several":
                return [choice for choice in param.choices if self.np_random.random() < 0.5]
            case "points":
                return [[int(self.np_random.integers(1000)) for _ in range(2)] for _ in range(3)]
            case "key":
                return ("Enter", "Tab", "Escape", "ArrowDown")[int(self.np_random.integers(4))]
        self._text.seed(int(self.np_random.integers(2**31)))
        return self._text.sample()

    def contains(self, x: Any) -> bool:
        """Whether `x` is a well-formed action, written either way."""
        if not isinstance(x, (str, Mapping, actions.Action)):
            return False
        try:
            actions.parse(dict(x) if isinstance(x, Mapping) else x)
        except InvalidAction:
            return False
        return True

    @property
    def is_np_flattenable(self) -> bool:
        """Actions are calls, not numbers."""
        return False

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ActionSpace)

    def __hash__(self) -> int:
        return hash(ActionSpace)

    def __repr__(self) -> str:
        return "ActionSpace()"


@vector.batch_space.register(Unicode)
@vector.batch_space.register(ActionSpace)
def _batched(space: Unicode | ActionSpace, n: int = 1) -> gymnasium.spaces.Tuple[Any]:
    """`n` spaces in a tuple, each with random numbers of its own."""
    seeds = deepcopy(space.np_random).integers(2**31, size=n)
    return gymnasium.spaces.Tuple(type(space)(seed=int(seed)) for seed in seeds)


@vector.batch_differing_spaces.register(Unicode)
@vector.batch_differing_spaces.register(ActionSpace)
def _side_by_side(  # type: ignore[misc]  # Gymnasium dispatches by the type of the first space
    spaces: Sequence[Unicode | ActionSpace],
) -> gymnasium.spaces.Tuple[Any]:
    return gymnasium.spaces.Tuple(deepcopy(space) for space in spaces)


@vector.concatenate.register(Unicode)
@vector.concatenate.register(ActionSpace)
def _together(space: Unicode | ActionSpace, items: Iterable[Any], out: Any) -> tuple[Any, ...]:
    """Values side by side; `out` is for arrays."""
    return tuple(items)


@vector.create_empty_array.register(Unicode)
def _empty(space: Unicode, n: int = 1, fn: Callable[..., Any] = np.zeros) -> tuple[str, ...]:
    return ("",) * n


@vector.create_empty_array.register(ActionSpace)
def _idle(space: ActionSpace, n: int = 1, fn: Callable[..., Any] = np.zeros) -> tuple[str, ...]:
    return (str(actions.parse({"action": "wait"})),) * n
