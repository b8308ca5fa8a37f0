"""One small graph a condition; `editplan.planner.conditions.registry` finds them by name."""
