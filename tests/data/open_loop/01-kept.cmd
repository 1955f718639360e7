h2load --h1 -t 1 -m 1 -n 150 -c 20 -r 2 --rate-period=3ms --rps 25.000000 -N 10s --log-file=01-kept.tsv http://127.0.0.1:18281/
