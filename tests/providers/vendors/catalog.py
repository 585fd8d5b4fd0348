"""The vendors, each from a file of its own."""

import importlib
from pathlib import Path

from providers.vendors.conformance import Vendor

VENDORS: list[Vendor] = [
    importlib.import_module(f"providers.vendors.{path.parent.name}.{path.stem}").VENDOR
    for path in sorted(Path(__file__).parent.glob("*/*.py"))
]
