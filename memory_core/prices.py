"""What a model's tokens cost, by the prices that genai-prices carries along; nothing is fetched."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, date, datetime
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars for some tokens, by the prices known for a day, and who lists them."""

    dollars: Decimal
    on: date
    source: str


def price_of(
    model: str,
    *,
    input_tokens: int,
    output_tokens: int,
    on: date,
    base_url: str | None = None,
) -> Price | None:
    """The price of so many tokens, None where it is not known.

    `base_url` tells who is paid: the same model costs nothing on one's own machine, so at an
    address that belongs to no known provider no price is known. Without it the model's name
    decides.
    """
    from genai_prices import Usage, __version__, calc_price  # slow: reads every price there is

    usage = Usage(input_tokens=input_tokens, output_tokens=output_tokens)
    at = datetime(on.year, on.month, on.day, tzinfo=UTC)
    try:
        if base_url is None:
            found = calc_price(usage, model, genai_request_timestamp=at)
        else:
            found = calc_price(usage, model, provider_api_url=base_url, genai_request_timestamp=at)
    except LookupError:
        return None
    if found.model_price.input_mtok is None or found.model_price.output_mtok is None:
        return None
    return Price(found.total_price, on, f"genai-prices {__version__} ({found.provider.name})")
