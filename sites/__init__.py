"""The web applications, the machinery they share (`kit`), and the world that builds, serves and resets them."""

from .kit.site import Site
from .registry import get, names, register

__all__ = ["Site", "get", "names", "register"]
