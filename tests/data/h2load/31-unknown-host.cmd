$ h2load --h1 -t 1 -m 1 -n 20 -c 2 -N 1s --log-file=log.tsv http://planets.invalid/
exit 1
