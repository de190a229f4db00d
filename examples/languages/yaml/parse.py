"""PyYAML, as safe_load reads it."""
import datetime
import json
import re

import yaml

# libyaml where PyYAML has it would be another parser.
LOADER = yaml.SafeLoader


def parse(data):
    if re.search(rb"[^\n -~]", data):
        raise ValueError("not printable ASCII and line feeds")
    return write(yaml.load(data, LOADER))


def write(v, above=()):
    if isinstance(v, float) and (v != v or v in (float("inf"), float("-inf"))):
        return '".nan"' if v != v else '".inf"' if v > 0 else '"-.inf"'
    if isinstance(v, datetime.datetime):
        if v.tzinfo is not None:
            v = v.astimezone(datetime.timezone.utc).replace(tzinfo=None)
        fraction = ("%06d" % v.microsecond).rstrip("0")
        return json.dumps("%04d-%s%sZ" % (v.year, v.strftime("%m-%dT%H:%M:%S"), fraction and "." + fraction))
    if isinstance(v, datetime.date):
        return json.dumps("%04d-%02d-%02dT00:00:00Z" % (v.year, v.month, v.day))
    if isinstance(v, bytes):
        return json.dumps(v.decode("utf-8", "replace"))
    if isinstance(v, set):
        v = dict.fromkeys(v)
    if not isinstance(v, (list, tuple, dict)):
        return json.dumps(v)
    if id(v) in above:
        raise ValueError("a value that holds itself")
    above = above + (id(v),)
    if isinstance(v, dict):
        return "{%s}" % ",".join("%s:%s" % (key(write(k, above)), write(w, above)) for k, w in v.items())
    return "[%s]" % ",".join(write(w, above) for w in v)


def key(text):
    return text if text.startswith('"') else json.dumps("?" + text)
