"""The library: what a model still sees of a conversation, and why."""
