"""`python3 -m esker`, and the command `esker` of the wheel: the program, with its own arguments."""

import os
import sys

from esker._recipe import program


def main():
    """Becomes the program."""
    path = program()
    os.execv(path, [path, *sys.argv[1:]])


if __name__ == "__main__":
    main()
