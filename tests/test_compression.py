"""Bodies in gzip: who gets one, and what goes with it. On real servers: see the request table."""

import gzip
import json

import pytest
from werkzeug.datastructures import Headers

from planettracker.api import client
from planettracker.api.compression import MIN_BYTES, prepared, takes_gzip
from planettracker.api.contract import CSV, JSON, Format, Route
from planettracker.api.messages import Request, Response
from planettracker.api.respond import etag, respond, run

LONG = b'{"name":"mars"}' * 100
SHORT = b"x" * MIN_BYTES
TAG = etag(LONG)
TAG_IN_GZIP = TAG[:-1] + '-gzip"'
REQUEST = Request("GET", "", {}, Headers())


def reply(body: bytes = LONG, content_type: str = "application/json", **headers: str) -> Response:
    return Response(200, {"Content-Type": content_type, **headers}, body)


def sent(
    response: Response, accepted: str | None = None, *formats: Format, known: str = ""
) -> Response:
    """Return the response as it is sent to who accepts this."""
    headers = Headers({"If-None-Match": known} if known else {})
    if accepted is not None:
        headers["Accept-Encoding"] = accepted
    route = Route("/try", lambda request: response, None, "", formats=formats)
    return run(respond(route, Request("GET", "", {}, headers, "/try")))


@pytest.mark.parametrize(
    ("accepted", "taken"),
    [
        ("gzip", True),
        ("x-gzip", True),
        ("GZIP", True),
        ("gzip, deflate, br, zstd", True),
        ("deflate,gzip;q=0.1", True),
        ("*", True),
        ("*;q=0.001", True),
        ("identity;q=0, *", True),
        ("identity;q=0,gzip;q=0.5", True),
        ("gzip;q=0.5, identity;q=0.5", True),
        ("gzip, *;q=0", True),
        ("", False),
        ("br", False),
        ("identity", False),
        ("identity;q=0", False),
        ("gzip;q=0", False),
        ("gzip;q=0, *", False),
        ("*;q=0", False),
        ("gzip;q=0.4, identity;q=0.5", False),
        ("gzip;q=0.4, *;q=0.5", False),
        ("gzip;q=2", False),
        ("gzip;q=-1", False),
        ("gzip;q=", False),
        ("gzip;v=1", False),
        ("gzipped", False),
        ('"gzip"', False),
        ("gz\N{LATIN SMALL LETTER DOTLESS I}p", False),
    ],
)
def test_gzip_is_taken_where_it_is_liked_as_well_as_the_body_itself(
    accepted: str, taken: bool
) -> None:
    assert takes_gzip(accepted) is taken


@pytest.mark.parametrize("accepted", ["gzip;q=" + "0" * 7000, "," * 7000, "a" * 7000 + ";q=1 x"])
def test_long_header_takes_one_pass(accepted: str) -> None:
    assert takes_gzip(accepted) is False


def test_body_is_coded_for_who_takes_it() -> None:
    coded = sent(reply(), "gzip")
    assert gzip.decompress(coded.body) == LONG
    assert coded.headers == {
        "Content-Type": "application/json",
        "Content-Encoding": "gzip",
        "Vary": "Accept-Encoding",
    }
    assert sent(reply(), "gzip").body == coded.body


def test_body_is_sent_as_it_is_to_all_others_who_are_told_of_the_choice() -> None:
    for accepted in (None, "br", "gzip;q=0"):
        assert sent(reply(), accepted) == reply(Vary="Accept-Encoding")


@pytest.mark.parametrize("body", [SHORT, b""])
def test_short_text_is_sent_as_it_is_and_varies_as_a_longer_one_does(body: bytes) -> None:
    """A reply for now may be longer than the limit at one instant, and not at the next."""
    assert sent(reply(body), "gzip") == reply(body, Vary="Accept-Encoding")


@pytest.mark.parametrize(
    "response",
    [
        reply(b"\x89PNG" * 1000, "image/png"),
        reply(LONG, "application/gzip"),
        Response(204),
    ],
    ids=["picture", "compressed", "none"],
)
def test_body_without_a_choice_stays_as_it_is(response: Response) -> None:
    assert sent(response, "gzip") == response


@pytest.mark.parametrize(
    "content_type",
    ["application/json", "application/problem+json", "text/csv; charset=utf-8", "text/calendar"],
)
def test_texts_of_every_type_are_coded(content_type: str) -> None:
    assert "Content-Encoding" in sent(reply(LONG, content_type), "gzip").headers


def test_vary_names_both_headers_where_both_choose() -> None:
    assert sent(reply(), "gzip", JSON, CSV).headers["Vary"] == "Accept, Accept-Encoding"
    assert sent(Response(204), "gzip", JSON, CSV).headers["Vary"] == "Accept"


# Entity tags


def test_each_coding_has_a_tag_of_its_own() -> None:
    assert sent(reply(ETag=TAG)).headers["ETag"] == TAG
    assert sent(reply(ETag=TAG), "gzip").headers["ETag"] == TAG_IN_GZIP
    assert sent(reply(SHORT, ETag=TAG), "gzip").headers["ETag"] == TAG


@pytest.mark.parametrize("accepted", [None, "gzip"])
@pytest.mark.parametrize("held", [TAG, TAG_IN_GZIP])
def test_tag_of_either_coding_is_known(held: str, accepted: str | None) -> None:
    known = sent(reply(ETag=TAG), accepted, known=f'"x", W/{held}')
    assert known == Response(304, {"ETag": held, "Vary": "Accept-Encoding"})


def test_of_two_known_tags_that_of_the_coding_asked_for_is_answered() -> None:
    for known in (f"{TAG}, {TAG_IN_GZIP}", f"{TAG_IN_GZIP}, {TAG}", "*"):
        assert sent(reply(ETag=TAG), None, known=known).headers["ETag"] == TAG
        assert sent(reply(ETag=TAG), "gzip", known=known).headers["ETag"] == TAG_IN_GZIP


def test_another_bodys_tag_is_not_known() -> None:
    assert sent(reply(ETag=TAG), "gzip", known='"x-gzip"').status == 200


# What is compressed once


def test_prepared_body_is_the_same_each_time_and_says_no_time() -> None:
    first, again = prepared(reply()).gzipped, prepared(reply()).gzipped
    assert first == again
    assert first[4:8] == b"\0\0\0\0"
    assert gzip.decompress(first) == LONG


def test_body_that_gzip_would_lengthen_is_not_prepared() -> None:
    assert prepared(reply(b"{}")).gzipped == b""


def test_every_text_of_the_client_is_compressed_beforehand() -> None:
    for route in client.routes():
        answer = route.handler(REQUEST)
        assert isinstance(answer, Response)
        if route.media_type == "image/png":
            assert answer.gzipped == b""
        else:
            assert gzip.decompress(answer.gzipped) == answer.body
            assert sent(answer, "gzip").body is answer.gzipped


def test_list_of_the_clients_files_has_their_tags() -> None:
    answers = {route.path: sent(route.handler(REQUEST)) for route in client.routes()}
    listed = json.loads(answers.pop(client.LISTING).body)
    del answers["/"]
    assert listed == {path: answer.headers["ETag"] for path, answer in answers.items()}


def test_documents_and_the_worker_have_a_strict_policy() -> None:
    policies = {
        route.path: sent(route.handler(REQUEST)).headers.get("Content-Security-Policy")
        for route in client.routes()
    }
    ruled = {path for path, policy in policies.items() if policy}
    assert ruled == {"/", "/index.html", "/icon.svg", "/sw.js", client.LISTING}
    (policy,) = {policies[path] for path in ruled}
    assert policy.startswith("default-src 'none'; script-src 'self'; ")
    assert "unsafe" not in policy
