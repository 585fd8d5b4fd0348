"""What each refusal is told as: its kind, what a person is to do, and whether it may pass."""

import pytest

from plimsoll.errors import (
    Fix,
    Passing,
    ProviderAnswer,
    ProviderAuth,
    ProviderError,
    ProviderModel,
    ProviderOverflow,
    ProviderRateLimited,
    ProviderUnavailable,
)
from plimsoll.providers.http.complaints import Complaint
from plimsoll.providers.http.faults import (
    cut_error,
    is_loading,
    no_answer,
    stream_error,
    translate,
    unusual_end_error,
)
from plimsoll.providers.http.site import Site

PATH = "/chat/completions"
SITE = Site(
    url=f"https://host/v1{PATH}", path=PATH, model="big", key_env="KEY", secret="s3cret-key-1"
)
SHOWN = f"https://host/v1{PATH}"


def told(status: int | None, message: str = "", **more: object) -> ProviderError:
    return translate(Complaint(message=message, status=status, **more), SITE)


@pytest.mark.parametrize(
    ("status", "message", "code", "kind", "said"),
    [
        (401, "", "", ProviderAuth, "does not accept the key for model 'big' (401)."),
        (403, "", "", ProviderAuth, "does not accept the key for model 'big' (403)."),
        (400, "No connected DB.", "", ProviderAuth, "does not accept the key for"),
        (400, "no", "invalid_api_key", ProviderAuth, "does not accept the key for"),
        (404, "Invalid API key", "", ProviderUnavailable, "Nothing is served at this address: "),
        (402, "", "", ProviderRateLimited, "has no quota left for model 'big' (402)."),
        (429, "", "", ProviderRateLimited, "takes no more requests for model 'big' (429)."),
        (429, "", "insufficient_quota", ProviderRateLimited, "has no quota left for"),
        (400, "Your credit balance is too low", "", ProviderRateLimited, "has no quota left for"),
        (300, "", "", ProviderUnavailable, "answers with a redirect (300), which is not followed."),
        (399, "", "", ProviderUnavailable, "answers with a redirect (399)"),
        (299, "", "", ProviderAnswer, "refused the request for model 'big' (299)."),
        (404, "", "", ProviderUnavailable, f"Nothing is served at this address: {SHOWN} (404)."),
        (405, "", "", ProviderUnavailable, f"Nothing is served at this address: {SHOWN} (405)."),
        (404, "This model: no", "", ProviderModel, "has no model 'big' (404): This model: no"),
        (404, "no big here", "", ProviderModel, "has no model 'big' (404): no big here"),
        (404, "<html>a model</html>", "", ProviderUnavailable, "Nothing is served"),
        (400, "unknown model", "", ProviderModel, "has no model 'big' (400): unknown model"),
        (400, "sorry", "model_not_found", ProviderModel, "has no model 'big' (400): sorry"),
        (407, "", "", ProviderUnavailable, "is failing for model 'big' (407)."),
        (408, "", "", ProviderUnavailable, "is failing for model 'big' (408)."),
        (409, "", "", ProviderAnswer, "refused the request for model 'big' (409)."),
        (499, "", "", ProviderAnswer, "refused the request for model 'big' (499)."),
        (500, "oh", "", ProviderUnavailable, "is failing for model 'big' (500): oh"),
        (413, "", "", ProviderOverflow, "The prompt is too long for model 'big' (413)."),
        (400, "x", "context_length_exceeded", ProviderOverflow, "The prompt is too long for"),
        (None, "", "", ProviderAnswer, "refused the request for model 'big'."),
    ],
)
def test_a_status_and_its_words_are_one_kind_of_fault(
    status: int | None, message: str, code: str, kind: type[ProviderError], said: str
):
    error = told(status, message, code=code)
    assert type(error) is kind
    assert said in error.message


@pytest.mark.parametrize(
    ("error", "remedy", "fix", "data"),
    [
        (told(401), "Set KEY to a valid key.", Fix(kind="key", variable="KEY"), {}),
        (
            told(404),
            "Check model.base_url: it ends where the API begins, often with /v1.",
            Fix(kind="address", setting="model.base_url"),
            {"url": SHOWN},
        ),
        (
            told(302),
            "Set model.base_url to the final address of the API.",
            Fix(kind="address", setting="model.base_url"),
            {},
        ),
        (
            told(404, code="model_not_found"),
            "Check model.name against the models of the server; for Ollama: `ollama pull big`.",
            Fix(kind="model", setting="model.name"),
            {},
        ),
        (told(402), "Check the plan and billing of the account.", Fix(kind="account"), {}),
        (told(429), "Try again in a minute.", None, {}),
        (told(429, retry_after=0), "Try again in 0 s.", None, {"retryAfterSeconds": 0}),
        (
            told(429, retry_after=9, lasting=True),
            (
                "The limit is of a day or longer: choose another model, or check the plan of the "
                "account."
            ),
            None,
            {},
        ),
        (
            told(413, tokens=9, limit=8),
            "Compact the conversation, or set model.context_window to the model's true window.",
            Fix(kind="window", setting="model.context_window", advice="Compact the conversation."),
            {"tokens": 9, "limit": 8},
        ),
        (
            told(500),
            "Try again in a minute; if it stays, see the provider's status page or server log.",
            None,
            {},
        ),
    ],
)
def test_a_fault_comes_with_what_to_do(
    error: ProviderError, remedy: str, fix: Fix | None, data: dict[str, object]
):
    assert (error.remedy, error.fix, error.data) == (remedy, fix, data)


def test_plain_http_to_a_server_of_https_is_corrected():
    site = Site(url=f"http://host/v1{PATH}", path=PATH, model="big", key_env="KEY")
    words = "The plain HTTP request was sent to HTTPS port"
    error = translate(Complaint(message=words, status=400), site)
    assert error.message == f"{site.shown} speaks https alone, and was asked in plain http."
    assert error.remedy == "Set model.base_url to https://host/v1."
    assert error.fix == Fix(kind="address", address="https://host/v1", setting="model.base_url")


def test_without_a_key_it_is_said_that_there_is_none_and_no_key_is_ever_quoted():
    bare = Site(url="https://host/v1", model="", key_env="KEY")
    error = translate(Complaint(message="", status=401), bare)
    assert error.message == "https://host/v1 was given no key for its list of models (401)."
    assert "s3cret" not in told(401, "Bad key s3cret-key-1, or part: s3cret-k").message


LIMIT = "Limit of tokens per min (TPM): Limit 30000, Requested "


@pytest.mark.parametrize(
    ("words", "kind"),
    [
        (f"{LIMIT}30001", ProviderOverflow),
        (f"{LIMIT}30000", ProviderRateLimited),
        (f"{LIMIT}29999", ProviderRateLimited),
        ("Too many tokens per minute.", ProviderRateLimited),
        ("Too many tokens per minute: context limit 30000.", ProviderRateLimited),
    ],
)
def test_a_request_above_what_an_account_may_send_at_a_time_has_to_become_smaller(
    words: str, kind: type[ProviderError]
):
    error = told(429, words)
    assert type(error) is kind
    if kind is ProviderOverflow:
        assert error.data == {"rate": 30000, "requested": 30001}
        assert error.fix == Fix(kind="account", advice="Compact the conversation.")


@pytest.mark.parametrize(
    ("error", "passing"),
    [
        (told(429, retry_after=9), Passing(seconds=9, limited=True)),
        (told(429), Passing(limited=True)),
        (told(None, "Your limit: tokens per minute"), Passing(limited=True)),
        (told(503, retry_after=2), Passing(seconds=2)),
        (told(408), Passing()),
        (told(409), Passing()),
        (told(402), None),
        (told(429, code="insufficient_quota"), None),
        (told(429, lasting=True), None),
        (told(413), None),
        (told(401), None),
        (told(400), None),
        (told(501), None),
        (told(500, "Conversation roles must alternate user/assistant"), None),
    ],
)
def test_only_what_may_pass_is_sent_again(error: ProviderError, passing: Passing | None):
    assert error.passing == passing


@pytest.mark.parametrize(
    ("payload", "passing"),
    [
        ({"error": {"message": "Something went wrong"}}, Passing()),
        ({"error": {"message": "It is busy, retry in 3 seconds"}}, Passing(seconds=3)),
        ({"error": {"message": "No."}}, None),
        ({"error": {"message": "Something went wrong", "code": 400}}, None),
        ({"error": {"message": "unknown model, try again"}}, None),
        ({"error": {"message": "unexpected role 'user' after role 'tool'"}}, None),
    ],
)
def test_a_failure_in_a_stream_passes_if_its_words_tell_of_one(
    payload: object, passing: Passing | None
):
    assert stream_error(payload, SITE).passing == passing


@pytest.mark.parametrize(
    ("status", "message", "loading"),
    [
        (503, "Loading model", True),
        (503, "The model is still loading", True),
        (503, "Overloaded", False),
        (500, "Loading model", False),
    ],
)
def test_a_server_that_loads_its_model_says_so(status: int, message: str, loading: bool):
    assert is_loading(Complaint(message=message, status=status)) is loading


def test_an_answer_that_ended_wrongly_is_told_and_asked_for_again():
    cut, ended = cut_error(SITE), unusual_end_error("spool\x07", SITE)
    assert cut.message == f"The answer of model 'big' from {SHOWN} broke off."
    assert cut.remedy == "No tool was run. Send the message again."
    assert ended.message == f"{SHOWN} ended the answer of model 'big' before a word, with `spool`."
    assert ended.remedy == "Send the message again, or choose another model."
    assert (cut.passing, ended.passing) == (Passing(), Passing())


def test_a_document_that_is_no_answer_points_at_the_address():
    error = no_answer("<html>hi</html>", SITE)
    assert error.message == (
        f"{SHOWN} answers with a document that is no answer of a model: <html>hi</html>"
    )
    assert error.fix == Fix(kind="address", setting="model.base_url")
