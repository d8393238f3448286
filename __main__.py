"""`python -m sitegym`: the command line without its script."""

from sitegym.cli import main

if __name__ == "__main__":
    main()
