"""Make the table of models that the package ships from two published ones, both MIT.

    python -m pip download --no-deps --dest FOLDER litellm genai-prices
    python scripts/lib/build_catalog.py FOLDER

LiteLLM's `model_prices_and_context_window_backup.json` gives most of it, `genai-prices` the models
that are not in there. A row is left out where a shorter name, or an earlier version of the same
major version, says the same.
"""

import ast
import json
import re
import sys
import tempfile
import zipfile
from collections import defaultdict
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, cast

from plimsoll.catalog.models import TABLE, FactsRow, Versions, find_row
from plimsoll.catalog.names import MARK, NEUTRAL, ModelName, parse_name

VENDORS = {
    "openai": "api.openai.com",
    "anthropic": "api.anthropic.com",
    "gemini": "generativelanguage.googleapis.com",
    "deepseek": "api.deepseek.com",
    "mistral": "api.mistral.ai",
    "xai": "api.x.ai",
    "moonshot": "api.moonshot.ai",
    "zai": "api.z.ai",
    "dashscope": "dashscope-intl.aliyuncs.com",
    "cohere_chat": "api.cohere.com",
    "minimax": "api.minimax.io",
    "amazon_nova": "api.nova.amazon.com",
}
"""Those that serve their own models, and where: their prices hold there alone."""
PRICED = {"gemini": "google", "xai": "x-ai", "zai": "zhipuai", "cohere_chat": "cohere"}
"""What genai-prices calls them, where it is another name."""
OWN = {
    "openai": ("gpt", "chatgpt", "o"),
    "anthropic": ("claude",),
    "gemini": ("gemini", "gemma"),
    "deepseek": ("deepseek",),
    "mistral": ("mistral", "ministral", "magistral", "devstral", "codestral", "pixtral", "open"),
    "xai": ("grok",),
    "moonshot": ("kimi", "moonshot"),
    "zai": ("glm",),
    "dashscope": ("qwen", "qwq", "qvq"),
    "cohere_chat": ("command",),
    "minimax": ("minimax",),
    "amazon_nova": ("nova",),
}
"""The first words of their own models' names."""
HOSTS = frozenset(
    [
        "together_ai",
        "deepinfra",
        "novita",
        "fireworks_ai",
        "groq",
        "cerebras",
        "sambanova",
        "nebius",
        "baseten",
        "ollama",
    ]
)
"""Who serves open models; the window most of them give is taken, of two the smaller."""
OPEN = frozenset(
    [
        "deepseek",
        "devstral",
        "gemma",
        "glm",
        "gpt",
        "granite",
        "kimi",
        "llama",
        "magistral",
        "minimax",
        "ministral",
        "mistral",
        "mixtral",
        "nemotron",
        "olmo",
        "phi",
        "pixtral",
        "qwen",
        "qwq",
    ]
)
"""The first words of open models' names."""
LEFT_OUT = (
    frozenset(
        [
            "audio",
            "base",
            "basic",
            "cloud",
            "customtools",
            "draft",
            "embed",
            "embedding",
            "gv",
            "highspeed",
            "image",
            "it",
            "live",
            "maas",
            "mt",
            "ocr",
            "omni",
            "prover",
            "realtime",
            "robotics",
            "safety",
            "search",
            "spot",
            "transcribe",
            "tts",
            "us",
        ]
    )
    - NEUTRAL
)
"""No models that an agent can use, or other prices for the same."""
SUMS = {400_000: 272_000, 1_050_000: 922_000}
"""Windows of OpenAI that include an answer of 128,000 tokens, and what they leave for a request."""
ADDED: Mapping[str, Mapping[str, int]] = {
    "chatgpt-4o": {"window": 128_000, "max_output": 16_384},
    "claude": {"window": 200_000, "max_output": 64_000},
    "gemini-2.0": {"window": 1_048_576},
    "gemini-2.5": {"window": 1_048_576},
    "gpt-4-32k": {"window": 32_768, "max_output": 4_096},
    "smollm2": {"window": 8_192},
}
"""What neither table has: by their makers, and the least window of any Claude."""
LAST_PUBLISHED = 5
"""The newest major version of GPT whose vocabulary is known."""
PRICES = (
    "input_cost_per_token",
    "output_cost_per_token",
    "cache_read_input_token_cost",
    "cache_creation_input_token_cost",
    "cache_creation_input_token_cost_above_1hr",
)
ABILITIES = {
    "v": "supports_vision",
    "t": "supports_function_calling",
    "r": "supports_reasoning",
}


Key = tuple[str, Versions]
"""A family and a version of it."""
Model = Mapping[str, Any]
"""What LiteLLM's table says of one name."""


def build(folder: Path) -> dict[str, Any]:
    """Return the table made of the packages in the folder."""
    wheels = [next(folder.glob(f"{name}-*.whl")) for name in ("litellm", "genai_prices")]
    with tempfile.TemporaryDirectory() as unpacked:
        for wheel in wheels:
            zipfile.ZipFile(wheel).extractall(unpacked)
        table = Path(unpacked, "litellm", "model_prices_and_context_window_backup.json")
        models: Mapping[str, Model] = json.loads(table.read_text())
        # Read and not run: it is a package like any other.
        published = ast.parse(Path(unpacked, "genai_prices", "data.py").read_text())
    # Whoever comes later knows better.
    rows = {**published_rows(published), **open_rows(models), **own_rows(models), **added_rows()}
    rows |= shorter_rows(rows)
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "sources": ["{} {}, MIT".format(*wheel.name.split("-")) for wheel in wheels],
        "families": written(thinned(rows)),
    }


def own_rows(models: Mapping[str, Model]) -> dict[Key, FactsRow]:
    """Return the rows of vendors' own models, with their prices."""
    found: dict[Key, list[FactsRow]] = defaultdict(list)
    for name, model in models.items():
        vendor = model.get("litellm_provider", "")
        key = _key(name, OWN.get(vendor, ()))
        # A tuned model costs more than its own.
        if key and not name.startswith("ft:") and (row := _row(model)):
            found[key].append({**row, "vendor": VENDORS[vendor], **_prices(model)})
    return {key: _agreed(several) for key, several in found.items()}


def published_rows(tree: ast.AST) -> dict[Key, FactsRow]:
    """Return the rows of genai-prices, which has models that the other table does not have."""
    found: dict[Key, FactsRow] = {}
    for provider in _calls(tree, "Provider"):
        name = _constant(provider, "id")
        vendor = next((one for one in OWN if PRICED.get(one, one) == name), "")
        for model in _calls(provider, "ModelInfo"):
            key, window = (
                _key(str(_constant(model, "id")), OWN.get(vendor, ())),
                _constant(model, "context_window"),
            )
            if key and isinstance(window, int):
                found[key] = {"window": SUMS.get(window, window), "vendor": VENDORS[vendor]}
    return found


def _calls(tree: ast.AST, name: str) -> list[ast.Call]:
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return [call for call in calls if isinstance(call.func, ast.Name) and call.func.id == name]


def _constant(call: ast.Call, name: str) -> object:
    given = next((each.value for each in call.keywords if each.arg == name), None)
    return given.value if isinstance(given, ast.Constant) else None


def open_rows(models: Mapping[str, Model]) -> dict[Key, FactsRow]:
    """Return the rows of open models, which anybody serves: they have no price of their own."""
    found: dict[Key, list[FactsRow]] = defaultdict(list)
    for name, model in models.items():
        key = _key(name, OPEN)
        if key and model.get("litellm_provider") in HOSTS and (row := _row(model)):
            found[key].append(row)
    return {key: _agreed(several) for key, several in found.items()}


def added_rows() -> dict[Key, FactsRow]:
    """Return what is known besides."""
    rows: dict[Key, FactsRow] = {}
    for name, row in ADDED.items():
        key = _key(name, (parse_name(name).words[0],))
        assert key is not None
        rows[key] = cast("FactsRow", {**row, "abilities": "t"})
    return rows


def shorter_rows(rows: Mapping[Key, FactsRow]) -> dict[Key, FactsRow]:
    """Return rows for the names that end behind a version, such as `gemini-4`: the least of all."""
    majors = {(family, *(one[0] for one in versions)) for family, versions in rows}
    found: dict[Key, list[FactsRow]] = defaultdict(list)
    for (family, versions), row in rows.items():
        words = family.split()
        for length in range(1, len(words)):
            shorter = " ".join(words[:length]), versions
            whole = versions and words[:length].count(MARK) == len(versions)
            if whole and (shorter[0], *(one[0] for one in versions)) not in majors:
                found[shorter].append(row)
    return {key: _least(several) for key, several in found.items()}


def _least(rows: list[FactsRow]) -> FactsRow:
    least = min(rows, key=lambda row: row["window"])
    able = set.intersection(*(set(row.get("abilities", "")) for row in rows))
    kept: FactsRow = {"window": least["window"]}
    if able:
        kept["abilities"] = "".join(one for one in ABILITIES if one in able)
    return kept


def _key(name: str, first_words: Iterable[str]) -> Key | None:
    found = parse_name(name)
    if not found.words or found.words[0] not in first_words or LEFT_OUT & {*found.words}:
        return None
    return found.family(len(found.words))


def _row(model: Model) -> FactsRow | None:
    window, output = model.get("max_input_tokens"), model.get("max_output_tokens")
    if model.get("mode") not in {"chat", "responses"} or not isinstance(window, int) or window < 1:
        return None
    able = "".join(letter for letter, name in ABILITIES.items() if model.get(name))
    row: FactsRow = {"window": SUMS.get(window, window)}
    if isinstance(output, int) and 0 < output < row["window"]:
        row["max_output"] = output
    if able:
        row["abilities"] = able
    return row


def _prices(model: Model) -> dict[str, Any]:
    """Return the prices of a row, and those of long prompts."""
    prices = [_price(model, name) for name in PRICES]
    if not prices[0] or prices[1] is None:
        return {}
    found: dict[str, Any] = {"prices": prices}
    for name in model:
        long = re.fullmatch(r"input_cost_per_token_above_(\d+)k_tokens", name)
        if long:
            above = [_price(model, f"{each}_above_{long[1]}k_tokens") for each in PRICES]
            found["long_from"] = int(long[1]) * 1000
            found["long_prices"] = [new or old for new, old in zip(above, prices, strict=True)]
    return found


def _price(model: Model, name: str) -> float | None:
    value = model.get(name)
    return round(value * 1e6, 6) if isinstance(value, int | float) and value > 0 else None


def _agreed(rows: list[FactsRow]) -> FactsRow:
    """Return the row that most have; of two windows the smaller, and every ability of any."""
    windows = [row["window"] for row in rows]
    window = max(sorted(set(windows)), key=lambda one: (windows.count(one), -one))
    best = max((row for row in rows if row["window"] == window), key=len)
    able = "".join(one for one in ABILITIES if any(one in row.get("abilities", "") for row in rows))
    return {**best, "abilities": able} if able else best


def _tokenizer(family: str, versions: Versions) -> str | None:
    """Return the vocabulary that OpenAI has published for a family."""
    first, *rest = family.split()
    if first == "chatgpt" or rest[:1] in (["oss"], ["#o"]):
        return "o200k_base"
    if versions and first in {"o", "gpt"}:
        major = versions[0][0]
        newer = versions[0] >= (4, 1) or first == "o"
        return ("o200k_base" if newer else "cl100k_base") if major <= LAST_PUBLISHED else None
    return None


def thinned(rows: Mapping[Key, FactsRow]) -> dict[str, dict[Versions, FactsRow]]:
    """Leave out each row that says what would be said without it."""
    kept: dict[str, dict[Versions, FactsRow]] = defaultdict(dict)
    # Short names and early versions first: the others are compared with them.
    for (family, versions), row in sorted(
        rows.items(), key=lambda one: (len(one[0][0].split()), one[0])
    ):
        tokenizer = _tokenizer(family, versions)
        new: FactsRow = {**row, "tokenizer": tokenizer} if tokenizer else row
        found = find_row(_named(family, versions), kept)
        said = kept[found[0]][found[1]] if found else None
        if found and not _is_exact(found, family, versions):
            said = {name: value for name, value in (said or {}).items() if "price" not in name}
        if new != said:
            kept[family][versions] = new
    return {family: dict(sorted(rows.items())) for family, rows in sorted(kept.items()) if rows}


def _named(family: str, versions: Versions) -> ModelName:
    return ModelName(tuple(family.split()), versions)


def _is_exact(found: Key, family: str, versions: Versions) -> bool:
    rest = family.split()[len(found[0].split()) :]
    return found[1] == versions and NEUTRAL.issuperset(rest)


def written(families: Mapping[str, Mapping[Versions, FactsRow]]) -> dict[str, dict[str, FactsRow]]:
    """Return the table as it is written: versions with the same row share it."""
    table: dict[str, dict[str, FactsRow]] = {}
    for family, rows in families.items():
        shared: dict[str, list[str]] = defaultdict(list)
        for versions, row in rows.items():
            name = " ".join(".".join(map(str, one)) for one in versions)
            shared[json.dumps(row, sort_keys=True)].append(name)
        table[family] = {"|".join(names): json.loads(row) for row, names in shared.items()}
    return table


def main(folder: Path) -> None:
    """Write the table."""
    table = build(folder)
    families = table.pop("families")
    lines = [f"  {json.dumps(name)}: {json.dumps(value)}," for name, value in table.items()]
    rows = [f"    {json.dumps(name)}: {json.dumps(row)}" for name, row in families.items()]
    text = "\n".join(["{", *lines, '  "families": {', ",\n".join(rows), "  }", "}"]) + "\n"
    TABLE.write_text(text, encoding="utf-8")
    print(TABLE, len(families), "families,", len(text), "bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
