"""The profiles of a running server: which one holds, and choosing another until the server ends."""

import json
from collections.abc import Awaitable, Callable, Sequence

from plimsoll.session.ports.profiles import ProfileShown, ProfileValueShown
from plimsoll.settings import Settings, with_profile
from plimsoll.settings.layers import spell_setting
from plimsoll.settings.profiles import PROFILES


class ServerProfiles:
    """The ``Profiles`` port of sessions; its choice stands until the setting is changed."""

    def __init__(
        self, settings: Callable[[], Settings], configure: Callable[[Settings], Awaitable[None]]
    ) -> None:
        """``configure`` makes the settings hold in the whole server."""
        self._settings = settings
        self._configure = configure
        self._set = settings().profile
        self._chosen: str | None = None

    @property
    def held(self) -> str:
        """The name of the profile that holds."""
        return self._settings().profile

    def list_profiles(self) -> Sequence[ProfileShown]:
        """List all profiles, with the values that the person has set otherwise."""
        return shown_profiles(self._settings())

    async def choose(self, name: str) -> None:
        """Make another profile hold until the server ends; raises SettingsInvalid."""
        settings = with_profile(self._settings(), name)
        self._chosen = name
        await self._configure(with_profile(settings, self._set))

    def with_chosen_profile(self, settings: Settings) -> Settings:
        """Return settings with the profile that was chosen, unless they name another one now."""
        if settings.profile != self._set:
            self._set, self._chosen = settings.profile, None
        return settings if self._chosen is None else with_profile(settings, self._chosen)


def shown_profiles(settings: Settings) -> tuple[ProfileShown, ...]:
    """Describe all profiles, each value beside the one that the settings set."""
    return tuple(
        ProfileShown(
            name,
            profile.purpose,
            tuple(
                ProfileValueShown(
                    setting=spell_setting(one.path, "toml"),
                    value=json.dumps(one.value),
                    why=one.why,
                    overridden=one.path in settings.given,
                )
                for one in profile.values
            ),
        )
        for name, profile in PROFILES.items()
    )
