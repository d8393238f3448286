"""The world that builds, serves, resets and branches the sites."""

from ..kit.site import Cookie
from ..kit.views import View
from .baseline import Baseline, baseline
from .client import World, WorldServer

__all__ = ["Baseline", "Cookie", "View", "World", "WorldServer", "baseline"]
