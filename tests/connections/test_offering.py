"""What is offered of the connected addresses."""

from plimsoll.connections.known import ConnectedAddress, ListedModel
from plimsoll.connections.offering import KEYWORD_SEARCH, offers_of
from plimsoll.errors import ProviderUnavailable
from plimsoll.session.ports.offered_models import (
    AddressOffer,
    ModelOffer,
    ModelOffers,
    TokenPrice,
    offer_words,
    offers_markdown,
)
from plimsoll.settings.shape import ModelSettings, Settings

LOCAL = ConnectedAddress(
    provider="openai",
    base_url="http://127.0.0.1:11434/v1",
    models=(ListedModel("nobody-knows-it", 4_096), ListedModel("gpt-4o")),
    used={"gpt-4o": 5.0},
)
VENDOR = ConnectedAddress(provider="openai", models=(ListedModel("gpt-4o"),), used={"gpt-4o": 9.0})
SETTINGS = Settings(
    model=ModelSettings(provider="openai", name="set-by-hand", base_url=LOCAL.base_url),
    utility_model=ModelSettings(provider="openai", name="set-by-hand", base_url=LOCAL.base_url),
)
PRICED = "$2.5 in, $10 out per million · images, tools"
DOWN = ProviderUnavailable("Nothing is running there.")


def test_each_model_has_its_address_window_price_and_what_it_takes_the_last_used_first():
    found = offers_of(SETTINGS, (VENDOR, LOCAL), {("openai", LOCAL.address): DOWN})
    local = {"provider": "openai", "base_url": LOCAL.base_url, "address": LOCAL.address}
    facts = {"window": 128_000, "window_source": "table", "images": True, "tools": True}
    there = {"base_url": None, "address": VENDOR.address, "provider": "openai"}
    assert found == ModelOffers(
        (
            ModelOffer(
                id="openai@api.openai.com/gpt-4o",
                name="gpt-4o",
                price=TokenPrice(2.5, 10),
                used=9.0,
                **there,
                **facts,
            ),
            ModelOffer(id="openai/gpt-4o", name="gpt-4o", used=5.0, **local, **facts),
            ModelOffer(id="openai/set-by-hand", name="set-by-hand", **local),
            ModelOffer(
                id="openai/nobody-knows-it",
                name="nobody-knows-it",
                window=4_096,
                window_source="server",
                **local,
            ),
            KEYWORD_SEARCH,
        ),
        (
            AddressOffer(
                provider="openai", base_url=None, address="https://api.openai.com", is_set=False
            ),
            AddressOffer(
                provider="openai",
                base_url=LOCAL.base_url,
                address=LOCAL.address,
                is_set=True,
                error=DOWN,
            ),
        ),
    )
    assert offers_markdown("openai/set-by-hand", found).splitlines() == [
        "The model is `openai/set-by-hand`.",
        "",
        "`/model NAME` takes another one:",
        "",
        f"- `openai@api.openai.com/gpt-4o` · {VENDOR.address} · 128,000 tokens · {PRICED}",
        f"- `openai/gpt-4o` · {LOCAL.address} · not reachable now · 128,000 tokens · images, tools",
        "- `openai/set-by-hand` · http://127.0.0.1:11434 · not reachable now · window not known",
        "- `openai/nobody-knows-it` · http://127.0.0.1:11434 · not reachable now · 4,096 tokens",
        "- `embedded/search` · in this process, no network",
    ]


def test_a_model_that_needs_no_server_says_so():
    assert offer_words(KEYWORD_SEARCH, answers=True) == "in this process, no network"
