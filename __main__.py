"""`python -m sitegym`: the command line without its script."""

import sys

from sitegym.cli import main

if __name__ == "__main__":
    sys.exit(main())
