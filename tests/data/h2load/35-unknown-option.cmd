$ h2load --h1 -t 1 -m 1 --nonsense -n 1 http://127.0.0.1:18201/planets/mars?time=2026-01-01T00:00Z
exit 1
