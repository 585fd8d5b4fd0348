"""Every setting of Plimsoll, and the sources that set it."""

from plimsoll.settings.layers import Layer
from plimsoll.settings.shape import (
    MemorySettings,
    ModelSettings,
    PermissionSettings,
    PruningSettings,
    ReferSettings,
    SandboxSettings,
    Settings,
    ShellSettings,
)
from plimsoll.settings.sources import (
    client_layer,
    config_path,
    environment_layer,
    file_layer,
    local_layers,
    merge,
    with_profile,
)

__all__ = [
    "Layer",
    "MemorySettings",
    "ModelSettings",
    "PermissionSettings",
    "PruningSettings",
    "ReferSettings",
    "SandboxSettings",
    "Settings",
    "ShellSettings",
    "client_layer",
    "config_path",
    "environment_layer",
    "file_layer",
    "local_layers",
    "merge",
    "with_profile",
]
