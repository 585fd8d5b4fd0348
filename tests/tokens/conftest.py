import pytest

from plimsoll.tokens.vocabulary import Vocabularies


@pytest.fixture(scope="session")
def vocabularies():
    return Vocabularies()


@pytest.fixture(scope="session", params=["o200k_base", "cl100k_base"])
def encoding(request, vocabularies):
    return vocabularies.encoding(request.param)
