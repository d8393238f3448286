"""Audits: people and language models attempt tasks, knowing only the intent and the site; each refusal is judged."""
