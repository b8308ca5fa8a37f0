"""Published figures and tables of each benchmark, one file a benchmark; `registry` finds the right one."""
