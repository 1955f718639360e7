$ ab -q -k -r -t 10 -n 10000 -c 10000 -s 5 http://127.0.0.1:PORT/planets/mars  against gunicorn -k aiohttp.GunicornWebWorker on two busy cores: 1,943 connections closed without a reply
exit 0
