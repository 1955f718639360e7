$ h2load --h1 -t 1 -m 1 -n 20 -c 2 -N 1s --log-file=log.tsv http://127.0.0.1:18099/
exit 0
