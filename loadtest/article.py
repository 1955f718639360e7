"""What the article that this project grew from measured, on its machine and its day's versions.

"Asynchronous vs Synchronous Python Performance Analysis", in its Persian translation. There
aiohttp's development server stands at 1402.08 requests/s: the number was turned, as a year, into
the Persian calendar. The article's own 1000 requests in 0.494 s, its +180.24 %, +18.45 % and
+25.65 % all need 2023.08.
"""

LOAD = "ab"
THROUGHPUT_RPS = {
    "aiohttp-dev": 2023.08,
    "flask-dev": 721.92,
    "aiohttp-gunicorn": 2396.24,
    "flask-gunicorn": 1041.30,
    "aiohttp-gunicorn-4": 2541.97,
    "flask-gunicorn-4": 1729.17,
}
CORRECTION = (
    "The article prints 1402.08 requests/s for aiohttp's development server; its own percentages "
    "need 2023.08, the number before the translation turned it, as a year, into the Persian "
    "calendar."
)
CAVEAT = (
    "The article's two apps answered different bytes (140 and 64), printed a line for each "
    "request, and were measured once each, in sequence."
)
# What it says of clients. Of its times no copy was to be had that goes so far.
NOT_KNOWN = "not known"
CLIENTS = (
    "The article asked https://example.com 100 times, by requests in a loop, by threads and by "
    "aiohttp.",
    "Its times are not known here, and would be of a server far away, over TLS, which answers when "
    "it likes.",
    "Its threads stand in a generator, which is used up when they are started, so that none is "
    "joined; and 100 // n requests for each of n threads drop the rest.",
)
