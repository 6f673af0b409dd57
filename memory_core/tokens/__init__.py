"""Tokens: exact counts without the network, estimates under their own name."""
