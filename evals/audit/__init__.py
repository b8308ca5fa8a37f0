"""`judge-audit`: how far a judge's verdicts can be trusted, measured where the truth is known."""
