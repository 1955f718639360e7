"""HTTP clients as loads: what 100 requests cost the one who makes them.

Their rows in `loads.LOADS` say that they are clients: what limits such a load is the client, which
is what is asked about, and so it may use as much of a core as it likes; and a burst of requests is
over before there is a steady number under way.
"""
