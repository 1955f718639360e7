"""What the routes of all bodies, of the stars and of a direction answer."""

from datetime import UTC, datetime

import orjson
import pytest

from planettracker.api import handlers, stars
from planettracker.api.contract import FIELDS, ProblemError
from planettracker.api.messages import Handler, Request, Response
from planettracker.api.tables import NEAR_FIELDS, STAR_FIELDS
from planettracker.sky import BODIES, Observer, PlanetTracker
from planettracker.sky.direction import Direction, nearest
from planettracker.sky.stars import STARS
from planettracker.sky.visibility import is_visible, sky_state

TIME = "time=2026-11-30T17:00:00Z"
ASKED = f"lat=48.1&lon=11.6&{TIME}"
MUNICH = PlanetTracker(Observer(11.6, 48.1))
AT = datetime(2026, 11, 30, 17, tzinfo=UTC)


def ask(handler: Handler, query: str = ASKED, **params: str) -> dict:
    reply = handler(Request("GET", query, params, {}))
    assert isinstance(reply, Response)
    answer: dict = orjson.loads(reply.body)
    return answer


def test_sky_has_its_state_before_its_bodies() -> None:
    answer = ask(handlers.sky)
    assert list(answer) == ["time", "observer", "sky", "bodies"]
    state = sky_state(MUNICH.ephemeris("sun", AT))
    assert answer["sky"] == {"state": state.state, "sun_alt": answer["bodies"][0]["alt"]}
    assert state.state == "astronomical"


def test_each_body_of_the_sky_is_its_own_reply_and_whether_it_is_visible() -> None:
    sun, *_ = MUNICH.sky(AT)
    for name, body in zip(BODIES, ask(handlers.sky)["bodies"], strict=True):
        assert list(body) == [*(field.name for field in FIELDS), "visible"]
        assert body.pop("visible") is is_visible(MUNICH.ephemeris(name, AT), sun)
        alone = ask(handlers.planet, name=name)
        assert body == {member: alone[member] for member in body}


def test_one_body_alone_is_not_told_visible() -> None:
    assert "visible" not in ask(handlers.planet, name="saturn")


def test_stars_are_told_as_bodies_are() -> None:
    answer = ask(stars.bright_stars)
    assert list(answer) == ["time", "observer", "stars"]
    assert [star["name"] for star in answer["stars"]] == list(STARS)
    for star in answer["stars"]:
        assert list(star) == [field.name for field in STAR_FIELDS]
        assert (star["alt_apparent"] is None) is not star["up"]


def test_direction_is_echoed_before_what_is_near_it() -> None:
    answer = ask(stars.identify, f"{ASKED}&az=360&alt=+89.1234567")
    assert list(answer) == ["time", "observer", "direction", "nearest"]
    assert answer["direction"] == {"az": 0.0, "alt": 89.12346}
    found = nearest(MUNICH, AT, Direction(360, 89.1234567))
    for told, each in zip(answer["nearest"], found, strict=True):
        assert list(told) == [field.name for field in NEAR_FIELDS]
        assert (told["kind"], told["name"]) == (each.kind, each.name)
        assert told["separation"] == round(each.separation_deg, 5)


@pytest.mark.parametrize("name", ["saturn", "Vega"])
def test_what_is_told_of_a_body_leads_back_to_it(name: str) -> None:
    told = ask(handlers.sky)["bodies"] + ask(stars.bright_stars)["stars"]
    one = next(each for each in told if each["name"] == name)
    query = f"{ASKED}&az={one['az']}&alt={one['alt_apparent']}"
    first = ask(stars.identify, query)["nearest"][0]
    assert (first["name"], first["separation"]) == (name, pytest.approx(0, abs=2e-5))


@pytest.mark.parametrize(
    ("query", "code", "parameter"),
    [
        (ASKED, "missing-parameter", "az"),
        (f"{ASKED}&az=10", "missing-parameter", "alt"),
        (f"{ASKED}&az= &alt=10", "missing-parameter", "az"),
        (f"{ASKED}&az=-0.1&alt=10", "out-of-range", "az"),
        (f"{ASKED}&az=10&alt=90.1", "out-of-range", "alt"),
        (f"{ASKED}&az=10&alt=1:30", "not-a-number", "alt"),
    ],
)
def test_direction_that_is_none_is_refused(query: str, code: str, parameter: str) -> None:
    with pytest.raises(ProblemError) as caught:
        stars.identify(Request("GET", query, {}, {}))
    assert caught.value.problem.code == code
    assert caught.value.members == {"parameter": parameter}


@pytest.mark.parametrize(
    ("handler", "other", "meant"),
    [
        (stars.identify, "altitude", "alt"),
        (stars.identify, "azimuth", "az"),
        (stars.identify, "height", "elevation"),
        (stars.bright_stars, "alt", "elevation"),
        (stars.bright_stars, "altitude", "elevation"),
        (handlers.sky, "alt", "elevation"),
    ],
)
def test_altitude_means_the_direction_where_there_is_one(
    handler: Handler, other: str, meant: str
) -> None:
    with pytest.raises(ProblemError, match=f"did you mean {meant}\\?"):
        handler(Request("GET", f"{other}=1", {}, {}))
