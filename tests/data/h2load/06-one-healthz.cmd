$ h2load --h1 -t 1 -m 1 -n 1 -c 1 -N 10s --log-file=log.tsv http://127.0.0.1:18201/healthz
exit 0
