"""The scales of time in which PyEphem computes, from UTC and back.

A body moves in Terrestrial Time, TT; the Earth turns in UT1; people live in UTC. PyEphem takes the
date that it is given for UT1, and adds its own guess of delta-T, TT less UT1, to it: 4.7 s too much
in 2026, since its table ends in 2018. So it gets another date, that of the true TT less its own
guess; and what its Earth has then not turned, the observer's longitude makes up for.

TT is UTC and whole leap seconds; UT1 is measured by the IERS, and predicted for a year. Beyond that
the last values are held. Before 1972, when UTC began, an instant is UT1, as in JPL Horizons.
"""

import logging
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import chain, pairwise, takewhile
from math import tau
from pathlib import Path

import ephem
from astropy_iers_data import IERS_A_FILE, IERS_B_FILE, IERS_LEAP_SECOND_FILE

_LOG = logging.getLogger(__name__)

# PyEphem counts days from noon at the end of 1899, "Dublin Julian Days".
_EPOCH = datetime(1899, 12, 31, 12, tzinfo=UTC)
_DAY = timedelta(days=1)
_DAY_S = 86400.0

# The tables count Modified Julian Days, and so do the rows made of them.
_MJD_EPOCH = datetime(1858, 11, 17, tzinfo=UTC)
_MJD_OF_EPOCH = (_EPOCH - _MJD_EPOCH) / _DAY
_MJD_1972 = 41317
_UTC_BEGAN = _MJD_1972 - _MJD_OF_EPOCH  # in PyEphem's days

_TT_LESS_TAI_S = 32.184  # by definition
_TURN_RAD_PER_S = tau * 1.00273781191135448 / _DAY_S  # Capitaine and others (2000), equation 14


@dataclass(frozen=True, slots=True)
class Moment:
    """An instant as PyEphem has to be told of it.

    `date` is in PyEphem's days, for an observer's date; `turn_rad` is added to its longitude.
    """

    date: float
    turn_rad: float


@dataclass(frozen=True, slots=True)
class _Scales:
    """TAI less UTC and UT1 less TAI, in seconds, of each midnight UTC since 1972."""

    tai_utc_s: tuple[float, ...]
    ut1_tai_s: tuple[float, ...]

    def after_utc_s(self, utc_days: float) -> tuple[float, float]:
        """Return TT and UT1, both less UTC in seconds, of a date in PyEphem's days."""
        row, of_a_day = divmod(utc_days - _UTC_BEGAN, 1.0)
        index = int(row)
        if index >= len(self.ut1_tai_s) - 1:
            tai_utc_s = self.tai_utc_s[-1]
            return tai_utc_s + _TT_LESS_TAI_S, tai_utc_s + self.ut1_tai_s[-1]
        tai_utc_s, ut1_tai_s = self.tai_utc_s[index], self.ut1_tai_s[index]
        # UT1 less TAI has no leaps, so that days with one are like others.
        ut1_tai_s += of_a_day * (self.ut1_tai_s[index + 1] - ut1_tai_s)
        return tai_utc_s + _TT_LESS_TAI_S, tai_utc_s + ut1_tai_s


def moment(at: datetime) -> Moment:
    """Return what to tell PyEphem of an aware instant, of whatever year."""
    return _moment((at - _EPOCH) / _DAY)


def utc(date: float, near: Moment) -> datetime:
    """Return the UTC instant of a date that PyEphem's search found for an observer at `near`.

    The search held the observer's longitude, while what it makes up for drifts by some milliseconds
    a day: they are made up for here. Right for dates within a month or so of `near`.
    """
    utc_days = date
    # The first round is wrong by the minute of the scales' difference, and so by a microsecond.
    for _ in range(2):
        found = _moment(utc_days)
        drift_days = (found.turn_rad - near.turn_rad) / _TURN_RAD_PER_S / _DAY_S
        utc_days += date - drift_days - found.date
    return _EPOCH + timedelta(days=utc_days)


def known_until() -> datetime:
    """Return the last midnight UTC for which UT1 is measured or predicted, and not held."""
    return _EPOCH + (_UTC_BEGAN + len(_scales().ut1_tai_s) - 1) * _DAY


def _moment(utc_days: float) -> Moment:
    if utc_days < _UTC_BEGAN:
        return Moment(utc_days, 0.0)
    tt_s, ut1_s = _scales().after_utc_s(utc_days)
    date_s = tt_s - ephem.delta_t(utc_days)
    return Moment(utc_days + date_s / _DAY_S, (ut1_s - date_s) * _TURN_RAD_PER_S)


@cache
def _scales() -> _Scales:
    """Return the tables of the IERS, read on first use in some 20 ms.

    Threads that ask at once may each read them, and get the same.
    """
    ut1_utc_s = dict(chain(_ut1_utc_of_1972(), _ut1_utc_since_1973()))
    leaps = [*_leaps(), (max(ut1_utc_s) + 1, 0.0)]
    tai_utc_s: list[float] = []
    for (first, seconds), (end, _) in pairwise(leaps):
        tai_utc_s += [seconds] * (end - first)
    ut1_tai_s = (ut1_utc_s[_MJD_1972 + day] - seconds for day, seconds in enumerate(tai_utc_s))
    return _Scales(tuple(tai_utc_s), tuple(ut1_tai_s))


def _leaps() -> Iterator[tuple[int, float]]:
    """Yield each day, as MJD, from which TAI less UTC is so many seconds."""
    with Path(IERS_LEAP_SECOND_FILE).open(encoding="ascii") as lines:
        for line in lines:
            if not line.startswith("#"):
                mjd, _, _, _, seconds = line.split()
                yield int(float(mjd)), float(seconds)


def _ut1_utc_of_1972() -> Iterator[tuple[int, float]]:
    """Yield the MJD and UT1 less UTC of the days that the other table lacks (EOP 20 C04)."""
    with Path(IERS_B_FILE).open(encoding="ascii") as lines:
        for line in lines:
            if line.startswith(("1972", "1973   1   1")):
                yield int(float(line[16:26])), float(line[50:62])
            elif line.startswith("1973"):
                return


def _ut1_utc_since_1973() -> Iterator[tuple[int, float]]:
    """Yield the MJD and UT1 less UTC, measured and then predicted (finals2000A, Bulletin A)."""
    measured = predicted = 0
    with Path(IERS_A_FILE).open(encoding="ascii") as lines:
        for line in takewhile(lambda line: line[58:68].strip(), lines):
            predicted = int(line[7:12])
            measured = predicted if line[57] == "I" else measured
            yield predicted, float(line[58:68])
    _log_age(measured, predicted)


def _log_age(measured: int, predicted: int) -> None:
    """Tell the log how old the table is: louder where its last prediction is over."""
    last_day = _MJD_EPOCH + predicted * _DAY
    over = last_day < datetime.now(UTC)
    _LOG.log(
        logging.WARNING if over else logging.INFO,
        "UT1 is measured until %s and predicted until %s, beyond which it is held%s",
        (_MJD_EPOCH + measured * _DAY).date(),
        last_day.date(),
        ": update astropy-iers-data" if over else "",
    )
