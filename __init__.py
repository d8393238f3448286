"""sitegym: web applications with real, resettable databases as environments for browser agents."""

# absolute, because pytest may import this file under another name
from sitegym.registration import register_when_imported

__version__ = "0.1.0"

register_when_imported()
