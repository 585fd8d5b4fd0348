"""Why a server's certificate is not trusted, and what to do about it. Pure."""

import ssl
from dataclasses import dataclass
from typing import Literal

from plimsoll.errors import Fix, ProviderUnavailable
from plimsoll.providers.http.site import Site

CertificateFault = Literal["authority", "itself", "expired", "early", "name", "other"]

_BY_CODE: dict[int, CertificateFault] = {
    9: "early",
    10: "expired",
    18: "itself",
    19: "authority",
    20: "authority",
    21: "authority",
    62: "name",
    64: "name",
}
"""The codes of OpenSSL (X509_V_ERR_…)."""
_TOLD: dict[CertificateFault, str] = {
    "authority": "it comes from an authority that is not trusted here",
    "itself": "it is signed by itself, by no authority",
    "expired": "it has expired",
    "early": "it is not valid yet",
    "name": "it is for another host",
    "other": "",
}
CA_FILE = "network.ca_file"


@dataclass(frozen=True, slots=True)
class Untrusted:
    """The fault for which a certificate is not trusted."""

    fault: CertificateFault
    words: str
    """The message of the TLS library."""

    @property
    def told(self) -> str:
        """The fault in our words and those of the library, which people search for."""
        why = _TOLD[self.fault]
        return f"{why} ({self.words})" if why else self.words


def untrusted_by(error: ssl.SSLCertVerificationError) -> Untrusted:
    """Classify the TLS library's error about a certificate."""
    words = str(getattr(error, "verify_message", "") or error.reason or "not trusted")
    return Untrusted(_BY_CODE.get(getattr(error, "verify_code", 0), "other"), words.rstrip("."))


def untrusted_error(found: Untrusted, whose: str, site: Site) -> ProviderUnavailable:
    """Build the error; ``whose``: the server or the proxy with the certificate."""
    advice, setting = _advice(found.fault, whose)
    return ProviderUnavailable(
        f"The certificate of {whose} is not trusted: {found.told}.",
        remedy=advice,
        data={"url": site.shown},
        fix=Fix(kind="setting", setting=setting, advice=advice),
    )


def _advice(fault: CertificateFault, whose: str) -> tuple[str, str]:
    """Return the advice for a fault of a certificate, and the setting to change."""
    match fault:
        case "authority" | "itself" | "other":
            what = "the certificate itself" if fault == "itself" else "its authority's certificate"
            advice = (
                f"If you trust it, set {CA_FILE} to a file with {what} (PEM): whoever runs your "
                "network or the server has it. The variable SSL_CERT_FILE is read too."
            )
            return advice, CA_FILE
        case "expired" | "early":
            advice = f"Check this machine's clock; else whoever runs {whose} has to renew it."
            return advice, "model.base_url"
        case "name":
            advice = "Check the address: its host has to be one that the certificate is for."
            return advice, "model.base_url"
