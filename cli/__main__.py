"""`python -m sitegym.cli`: the command line without its script."""

import sys

from .main import main

if __name__ == "__main__":
    sys.exit(main())
