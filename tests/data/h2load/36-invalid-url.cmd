$ h2load --h1 -t 1 -m 1 -n 1 -c 1 -N 1s --log-file=log.tsv 127.0.0.1/planets
exit 1
