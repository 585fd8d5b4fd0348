"""The web pages that an answer names as its sources, beside its text."""

from collections.abc import Iterable

from plimsoll.providers.http.endpoint import Json, object_at, text_at

MOST = 50
LONGEST_TITLE = 200


class Citations:
    """Gathers sources while an answer arrives, each page once."""

    def __init__(self) -> None:
        self._titles: dict[str, str] = {}

    def add(self, annotations: Iterable[Json]) -> None:
        """Take in the annotations of a text; those that name no web page mean nothing here."""
        for annotation in annotations:
            # OpenRouter nests what OpenAI's responses say beside the type.
            page = object_at(annotation.get("url_citation")) or annotation
            url = text_at(page.get("url"))
            if url.startswith(("https://", "http://")) and len(self._titles) < MOST:
                self._titles.setdefault(url, text_at(page.get("title")))

    def end(self) -> str:
        """Write the sources as what follows the text; empty where there are none."""
        if not self._titles:
            return ""
        lines = [
            f"- {_plain(title) or 'Page'}: <{_address(url)}>" for url, title in self._titles.items()
        ]
        return "\n".join(["\n\nSources:", *lines])


def _plain(title: str) -> str:
    return " ".join(title.split())[:LONGEST_TITLE]


def _address(url: str) -> str:
    return "".join(character for character in url if character not in "<> \t\r\n")
