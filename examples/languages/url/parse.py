"""urllib.parse of Python, for URLs of http and https."""
import json
import urllib.parse

PORTS = {"http": 80, "https": 443}


def parse(text):
    u = urllib.parse.urlsplit(text)
    if u.scheme not in PORTS or not u.hostname:
        raise ValueError("no URL of http or https with a host")
    port = PORTS[u.scheme] if u.port is None else u.port
    # urlsplit leaves the encoding of characters that are not ASCII to the client.
    path, query = (urllib.parse.quote(s, safe="!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~ ") for s in (u.path or "/", u.query))
    return json.dumps({"scheme": u.scheme, "host": u.hostname, "port": str(port), "path": path, "query": query})
