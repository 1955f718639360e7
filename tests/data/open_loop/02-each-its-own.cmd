h2load --h1 -t 1 -m 1 -n 150 -c 150 -r 1 --rate-period=2ms -N 10s --log-file=02-each-its-own.tsv -H 'Connection: close' http://127.0.0.1:18281/
