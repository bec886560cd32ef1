"""``python -m layout_algebra`` is the command ``layout``."""

import sys

from ._native import command


def main():
    code, output, error = command(["layout", *sys.argv[1:]])
    sys.stderr.write(error)
    try:
        sys.stdout.write(output)
        sys.stdout.flush()
    except BrokenPipeError:
        # A reader such as `head` may close the pipe early: no error. Python would flush again at exit, and report one.
        sys.stdout = None
    return code


if __name__ == "__main__":
    sys.exit(main())
