$ h2load --h1 -t 1 -m 1 -n 100000 -c 4 -N 1s --log-file=log.tsv http://127.0.0.1:18201/planets/mars?time=2026-01-01T00:00Z
exit -2
