"""json of Python, with values written so that nothing of them is lost."""
import json


def parse(data):
    return json.dumps(json.loads(data))
