"""Make the environments known to Gymnasium, without importing it for those who don't use it.

Gymnasium (and NumPy with it) takes as long to import as all the rest of a short command. So it is told at once where it
is imported already, and else at the moment it gets imported; both orders of the two imports work.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType

ENVIRONMENTS = {"ShopAdmin-v0": ("sitegym.envs.gym_env:BrowserEnv", "sitegym.envs.vector_env:BrowserVectorEnv")}
"""Id to entry points: of one environment, and of many in one browser."""


def register_environments() -> None:
    """Register all environments with Gymnasium; a second call changes nothing."""
    import gymnasium

    for name, (one, many) in ENVIRONMENTS.items():
        if name not in gymnasium.registry:
            # Gymnasium's checker takes a first reset that raised for one that worked, and fails in every step after it.
            gymnasium.register(id=name, entry_point=one, vector_entry_point=many, disable_env_checker=True)


def register_when_imported() -> None:
    """Register now if Gymnasium is imported already, else as soon as it is."""
    if hasattr(sys.modules.get("gymnasium"), "register"):
        register_environments()
    elif not any(isinstance(finder, _Watch) for finder in sys.meta_path):
        sys.meta_path.insert(0, _Watch())


class _Watch(MetaPathFinder):
    """Sees the first import of Gymnasium, steps aside, and has the environments registered after it."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The ordinary spec of Gymnasium with a loader that registers afterwards; nothing for any other module."""
        if fullname != "gymnasium":
            return None
        sys.meta_path.remove(self)
        spec = find_spec(fullname)
        if spec is not None and spec.loader is not None:
            spec.loader = _Registering(spec.loader)
        return spec


class _Registering(Loader):
    """Gymnasium's own loader, and then ours."""

    def __init__(self, own: Loader) -> None:
        self.own = own

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        """As Gymnasium's own loader does."""
        return self.own.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        """Run Gymnasium's code, then register."""
        if module.__spec__ is not None:
            module.__spec__.loader = self.own
        module.__loader__ = self.own
        self.own.exec_module(module)
        register_environments()
