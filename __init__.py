"""sitegym: web applications with real, resettable databases as environments for browser agents."""

__version__ = "0.1.0"
