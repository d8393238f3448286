"""The command line `sitegym`: one module for each kind of command, put together in `main`."""

from .main import cli, main

__all__ = ["cli", "main"]
