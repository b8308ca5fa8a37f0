"""The command line; `main` is its entry point. One file a command, and nothing heavy until a command runs."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs a command. An error of ours is one line on stderr and exit code 2; interrupted is 130."""
    from editplan.cli.app import app
    from editplan.errors import EditplanError

    try:
        app()
    except EditplanError as error:
        _fail(error, code=2)
    except KeyboardInterrupt:
        sys.exit(130)
    except OSError as error:
        _fail(error, code=2)
    except Exception as error:
        _fail(error, code=1)


def _fail(error: Exception, *, code: int) -> None:
    import traceback

    from editplan.secrets import masked

    if code == 1:
        print(masked("".join(traceback.format_exception(error))), file=sys.stderr, end="")
        print("editplan: this is a bug; what was finished is kept", file=sys.stderr)
    else:
        print("editplan: " + " ".join(masked(str(error)).split()), file=sys.stderr)
    sys.exit(code)
