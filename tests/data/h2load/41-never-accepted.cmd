$ h2load --h1 -t 1 -m 1 -n 40 -c 4 -N 1s --log-file=log.tsv http://127.0.0.1:42217/
exit 0
