"""The one road to a provider: budgets, limits, retries, journal, ledger."""
