"""`python -m editplan.cli`: the command line without the installed script."""

from editplan.cli import main

main()
