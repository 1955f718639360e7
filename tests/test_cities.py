"""The cities that the page knows, as facts and as they are found."""

import itertools
import json
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
import tzfpy
from playwright.sync_api import Browser, Page

from tests import browser as browsers
from tests.pages import Server, one_app

FILE = Path(__file__).parents[1] / "client" / "cities.json"
CITIES: list[dict[str, Any]] = json.loads(FILE.read_text())

every_city = pytest.mark.parametrize("city", CITIES, ids=lambda city: city["name"])


def zones_by_country() -> dict[str, set[str]]:
    """Return the time zones of each country, from the tables of the zone data themselves."""
    zones: dict[str, set[str]] = {}
    for table in ("zone.tab", "zone1970.tab"):
        for line in (files("tzdata.zoneinfo") / table).read_text().splitlines():
            if not line.startswith("#"):
                countries, _, zone = line.split("\t")[:3]
                for country in countries.split(","):
                    zones.setdefault(country, set()).add(zone)
    return zones


ZONES = zones_by_country()


# The file


@every_city
def test_city_has_its_facts(city: dict[str, Any]) -> None:
    assert set(city) - {"also"} == {"name", "fa", "country", "lat", "lon", "elevation"}
    assert re.fullmatch(r"[A-Z]{2}", city["country"])
    assert -90 <= city["lat"] <= 90
    assert -180 <= city["lon"] < 180
    assert city["lat"] == round(city["lat"], 2)
    assert city["lon"] == round(city["lon"], 2)
    assert isinstance(city["elevation"], int)
    assert -430 <= city["elevation"] <= 5100, "lower or higher than any city on Earth"
    assert all("ARABIC" not in unicodedata.name(letter) for letter in city["name"])
    assert re.fullmatch(r"[آ-ی\u200cئؤأءپچژگک ]+", city["fa"])
    assert not re.search("[يكى]", city["fa"]), "an Arabic letter in a Persian name"


@every_city
def test_city_lies_in_its_country_by_its_time_zone(city: dict[str, Any]) -> None:
    assert tzfpy.get_tz(city["lon"], city["lat"]) in ZONES[city["country"]]


def test_no_city_stands_there_twice() -> None:
    for key in ("name", "fa"):
        assert [name for name, n in Counter(city[key] for city in CITIES).items() if n > 1] == []
    places = sorted((city["lat"], city["lon"], city["name"]) for city in CITIES)
    near = [
        (one, other)
        for (lat, lon, one), (other_lat, other_lon, other) in itertools.pairwise(places)
        if abs(lat - other_lat) < 0.05 and abs(lon - other_lon) < 0.05
    ]
    assert near == []


def test_cities_are_of_the_whole_earth() -> None:
    assert 200 <= len(CITIES) <= 300
    assert Counter(city["country"] for city in CITIES)["IR"] >= 30
    assert min(city["lat"] for city in CITIES) == -90
    assert max(city["lat"] for city in CITIES) > 82
    assert any(city["lon"] > 179 for city in CITIES)
    assert any(city["lon"] < -176 for city in CITIES)
    assert any(city["elevation"] < 0 for city in CITIES)
    for south, north, west, east in (
        (35, 70, -10, 40),  # Europe
        (-35, 35, -18, 51),  # Africa
        (0, 75, 51, 180),  # Asia
        (15, 83, -160, -50),  # North America
        (-55, 12, -82, -34),  # South America
        (-47, 0, 113, 180),  # Oceania
    ):
        inside = [c for c in CITIES if south < c["lat"] < north and west < c["lon"] < east]
        assert len(inside) >= 10


# The search


@pytest.fixture(scope="module")
def page(browser: Browser, server: Server) -> Iterator[Page]:
    with closing(browser.new_page()) as page:
        page.goto(server.url)
        yield page


def found(page: Page, text: str) -> list[str]:
    names: list[str] = page.evaluate(
        """(text) => import('/cities.js').then(async (m) =>
            m.searchCities(await m.loadCities(), text).map(({ name }) => name))""",
        text,
    )
    return names


@browsers.needed
@one_app
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Tehran", "Tehran"),
        ("  tEHR", "Tehran"),
        ("تهران", "Tehran"),
        ("sao paulo", "São Paulo"),
        ("SAOPAULO", "São Paulo"),
        ("São Pa", "São Paulo"),
        ("munchen", "Munich"),
        ("zurich", "Zürich"),
        ("tromso", "Tromsø"),
        ("İSTANBUL", "Istanbul"),
        ("istanbul", "Istanbul"),
        ("ndjamena", "N'Djamena"),
        ("N’Dja", "N'Djamena"),
        ("nukualofa", "Nukuʻalofa"),
        ("utqiagvik", "Utqiaġvik"),
        ("barrow", "Utqiaġvik"),
        ("mazar i sharif", "Mazar-i-Sharif"),
        ("petersburg", "Saint Petersburg"),
        ("كرمان", "Kerman"),
        ("شيراز", "Shiraz"),
        ("ساري", "Sari"),
        ("آنکارا", "Ankara"),
        ("انکارا", "Ankara"),
        ("خرم اباد", "Khorramabad"),
        ("خرم‌آباد", "Khorramabad"),
        ("خرماباد", "Khorramabad"),
        ("سیول", "Seoul"),
        ("مـشـهـد", "Mashhad"),
        ("تِهران", "Tehran"),
        ("بارو", "Utqiaġvik"),
    ],
)
def test_city_is_found_first_whatever_the_spelling(page: Page, text: str, name: str) -> None:
    assert found(page, text)[0] == name


@browsers.needed
@one_app
def test_whole_names_come_first_and_then_beginnings_words_and_countries(page: Page) -> None:
    assert found(page, "kerman") == ["Kerman", "Kermanshah"]
    assert found(page, "city") == [
        "Kuwait City",
        "Ho Chi Minh City",
        "Mexico City",
        "Guatemala City",
        "Panama City",
    ]
    assert found(page, "luxem") == ["Luxembourg"]
    assert found(page, "japan") == ["Tokyo", "Osaka", "Sapporo"]
    assert found(page, "ژاپن") == ["Tokyo", "Osaka", "Sapporo"]
    assert len(found(page, "iran")) == 8


@browsers.needed
@one_app
@pytest.mark.parametrize("text", ["", "  ", "-", "Atlantis", "ehran", "\\", ".*", "(["])
def test_nothing_is_found_where_nothing_is(page: Page, text: str) -> None:
    assert found(page, text) == []


@browsers.needed
@one_app
def test_every_city_is_found_by_each_of_its_names(page: Page) -> None:
    names = {
        name: city["name"]
        for city in CITIES
        for name in (city["name"], city["fa"], *city.get("also", ()))
    }
    missing = page.evaluate(
        """(names) => import('/cities.js').then(async (m) => {
            const cities = await m.loadCities();
            return Object.entries(names).filter(([name, of]) =>
                !m.searchCities(cities, name).some((city) => city.name === of));
        })""",
        names,
    )
    assert missing == []


@browsers.needed
@one_app
@pytest.mark.parametrize(
    ("lat", "lon", "most", "name"),
    [
        (35.7, 51.4, 50, "Tehran"),
        (-13.84, 188.24, 10, "Apia"),
        (-8.52, -180.7, 50, "Funafuti"),
        (48.1, 11.6, 3, None),
        (0, -30, 500, None),
    ],
)
def test_nearest_city_is_found_within_a_distance(
    page: Page, lat: float, lon: float, most: float, name: str | None
) -> None:
    nearest = page.evaluate(
        """([lat, lon, most]) => import('/cities.js').then(async (m) =>
            m.nearestCity(await m.loadCities(), { lat, lon }, most)?.name ?? null)""",
        [lat, lon, most],
    )
    assert nearest == name
