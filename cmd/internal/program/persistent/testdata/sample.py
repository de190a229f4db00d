# What the tests run by the driver for Python.
import json, os, sys

print("stray print while loading")


def parse(data):
    print("stray print")
    os.write(1, b"stray write\n")
    if data == b"crash":
        assert False, "never here"
    if data == b"deep":
        return parse(data)
    if data == b"exit":
        os._exit(3)
    if data == b"sys.exit":
        sys.exit(0)
    if data == b"decline":
        raise NotImplementedError("not here")
    if data == b"bug":
        return {}["missing"]
    if data[:1] == b"\xff":
        return data
    return json.loads(data)


def loops(text):
    total = 0
    for c in text:
        if c == "x":
            total += 1
        else:
            total += 2
    return str(total)
