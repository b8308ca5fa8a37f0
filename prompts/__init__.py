"""Prompt texts as versioned files `<task>/v<N>.md`; `editplan.prompts.loader` reads them."""
