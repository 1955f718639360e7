"""The further questions, as rows: each a plan over the engine, and a report of its own."""

from collections.abc import Mapping

from loadtest.questions.clients import CLIENTS
from loadtest.questions.pythons import PYTHONS
from loadtest.questions.question import Question
from loadtest.questions.rate import RATE
from loadtest.questions.slow import SLOW
from loadtest.questions.sweep import SWEEP
from loadtest.questions.waiting import WAITING

_ROWS: tuple[Question, ...] = (RATE, WAITING, SLOW, SWEEP, CLIENTS, PYTHONS)
QUESTIONS: Mapping[str, Question] = {question.name: question for question in _ROWS}
