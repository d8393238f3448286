"""The web applications, the machinery they share (`kit`) and the world that builds, serves, resets and branches them."""

from .registry import get, names, register

__all__ = ["get", "names", "register"]
