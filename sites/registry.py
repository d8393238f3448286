"""The sites by name; each is imported when it is first asked for, so that a sweep over one site loads no other."""

from __future__ import annotations

from importlib import import_module

from ..errors import UnknownSite, UsageError
from .kit.site import Site

_targets: dict[str, str] = {"store": f"{__package__}.store.site:STORE"}


def get(name: str) -> Site:
    """The site with this name. Raises `UnknownSite`, with the nearest name, where there is none."""
    if name not in _targets:
        raise UnknownSite(name, _targets)
    return load(name, _targets[name])


def register(name: str, target: str) -> None:
    """Add a site of your own; `target` is `package.module:ATTRIBUTE`, importable by the world server too."""
    module, _, attribute = target.partition(":")
    if not module or not attribute:
        raise UsageError(f"site target {target!r} should read 'package.module:ATTRIBUTE'")
    _targets[name] = target


def names() -> list[str]:
    """Names of all sites, in alphabetical order."""
    return sorted(_targets)


def target(name: str) -> str:
    """Where a site is found (`package.module:ATTRIBUTE`), for a process that has not registered it."""
    if name not in _targets:
        raise UnknownSite(name, _targets)
    return _targets[name]


def load(name: str, target: str) -> Site:
    """Import a site from its target. Raises `UsageError` where the target holds no `Site`."""
    module, _, attribute = target.partition(":")
    site = getattr(import_module(module), attribute, None)
    if not isinstance(site, Site):
        raise UsageError(f"site {name!r}: {target} is not a Site")
    return site
