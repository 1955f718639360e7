$ h2load --h1 -t 1 -m 1 -n 40 -c 4 -N 1s --log-file=log.tsv -H Connection: close http://127.0.0.1:18270/
exit 0
