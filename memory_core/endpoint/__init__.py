"""Any endpoint that speaks OpenAI's chat completions: its address, and asking it."""

from __future__ import annotations

from memory_core.endpoint.address import Endpoint, endpoint_from_environment
from memory_core.endpoint.completing import completing

__all__ = ["Endpoint", "completing", "endpoint_from_environment"]
