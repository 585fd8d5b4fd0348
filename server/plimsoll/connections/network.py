"""The network as a person set it: settings, environment and keyring become one value."""

from collections.abc import Mapping
from pathlib import Path

from plimsoll.network.environment import certificate_store, further_certificates, proxy_variables
from plimsoll.network.proxies import Network, proxy_at
from plimsoll.redaction.secrets import Secrets
from plimsoll.settings.shape import NetworkSettings

IN_KEYRING = "proxy"
"""Before the proxy's address, as the keyring has its password."""


class PersonNetwork:
    """The proxy and certificates of the person's network, as they are set now."""

    def __init__(
        self, settings: NetworkSettings, variables: Mapping[str, str], secrets: Secrets | None
    ) -> None:
        """``secrets`` learns the proxy's password."""
        self._settings = settings
        self._variables = variables
        self._secrets = secrets
        self._kept: dict[str, str] = {}
        """Passwords that the keyring gave, by the proxy's address; empty: it gave none."""

    def configure(self, settings: NetworkSettings) -> None:
        """Apply new settings."""
        self._settings = settings

    async def load(self, seconds: float) -> None:
        """Read the proxy's password from the system's keyring, if the settings say it is there.

        ``seconds``: the longest wait for the keyring, which may ask a person to unlock it.
        """
        settings = self._settings
        if settings.proxy is None or not settings.proxy_password_keyring:
            return
        place = proxy_at(settings.proxy, "network.proxy").url
        if self._kept.get(place):
            return
        # Loaded late: nobody else needs it, and it asks the system for its service.
        from plimsoll.system_keyring import read_key

        self._kept[place] = await read_key(IN_KEYRING, place, seconds) or ""

    def now(self) -> Network:
        """Return the network as it is set now; the secrets in it are redacted from now on."""
        settings, variables = self._settings, self._variables
        own = () if settings.ca_file is None else (str(Path(settings.ca_file).expanduser()),)
        followed = settings.proxy_from_environment
        return Network(
            proxy=settings.proxy,
            password=self._password(),
            exempt=settings.no_proxy,
            proxy_loopback=settings.proxy_loopback,
            verify_proxy=settings.verify_proxy,
            variables=proxy_variables(variables) if followed else (),
            ca_files=(*own, *further_certificates(variables)),
            store=certificate_store(variables),
        )

    def _password(self) -> str:
        settings = self._settings
        if settings.proxy is None:
            return ""
        named = self._variables.get(settings.proxy_password_env or "", "")
        place = proxy_at(settings.proxy, "network.proxy").url
        password = named or self._kept.get(place, "")
        if password and self._secrets is not None:
            self._secrets.add("proxy password", password)
        return password
