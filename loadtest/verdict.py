"""A summary in sentences: what to read in a hurry."""

from collections.abc import Iterator

from loadtest.figures import factor
from loadtest.summary import BASELINE, FRAMEWORKS, Summary
from loadtest.tables import shares, with_idle_worker

ENOUGH_BLOCKS = 5  # Student's t makes an interval of 2 blocks seven times as wide as one of 5


def headline(summary: Summary) -> list[str]:
    """Return the sentences to read in a hurry."""
    sentences = list(_verdicts(summary))
    if sentences:
        sentences += _few_blocks(summary)
    sentences += [*_noise(summary), *_idle_workers(summary)]
    never = summary.never_valid()
    if never:
        why = "; see the invalid trials" if summary.invalid() else ""
        sentences.append(f"Without any valid trial: {', '.join(never)}{why}.")
    return sentences or ["No two lanes of this run can be compared."]


def _verdicts(summary: Summary) -> Iterator[str]:
    ratios = summary.throughput_ratios()
    for server in summary.servers:
        a, b = (server.lane(framework) for framework in FRAMEWORKS)
        throughput_ratio = ratios.get((a, b))
        cpu_ratio = summary.cpu_ratio(b, a)
        if throughput_ratio is None or cpu_ratio is None:
            continue
        where = f"On the {server.label}" if server == BASELINE else f"Under {server.label}"
        if throughput_ratio.holds(1):
            yield (
                f"{where}, no difference between aiohttp and Flask was shown "
                f"(aiohttp/Flask {factor(throughput_ratio)})."
            )
        else:
            yield (
                f"{where}, aiohttp answers {factor(throughput_ratio)} times as many requests "
                f"per second as Flask; a request costs Flask {factor(cpu_ratio)} times the CPU."
            )


def _few_blocks(summary: Summary) -> Iterator[str]:
    blocks = len({trial.block for trial in summary.run.trials if trial.invalid is None})
    if blocks < ENOUGH_BLOCKS:
        only = "1 block" if blocks == 1 else f"{blocks} blocks"
        yield f"Only {only}: with more of them (--blocks 10) more can be shown."


def _noise(summary: Summary) -> Iterator[str]:
    noise = summary.noise()
    if noise is None or summary.twins is None:
        return
    lane = summary.twins[0]
    if noise.holds(1):
        yield f"The noise: {lane} is {factor(noise)} times as fast as itself under another name."
    else:
        yield (
            f"Beware: {lane} is {factor(noise)} times as fast as itself under another name. "
            "Something came between the two; trust no difference of that size, and measure again."
        )


def _idle_workers(summary: Summary) -> Iterator[str]:
    for lane, found in shares(summary).items():
        idle = with_idle_worker(found)
        if 2 * idle >= len(found):
            yield (
                f"In {idle} of {len(found)} trials of {lane} some worker had nothing to do, so "
                "that it shows less than its workers could do: a connection that is kept alive "
                "stays with the worker that accepted it."
            )
