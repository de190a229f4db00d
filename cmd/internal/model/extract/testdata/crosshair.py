#!/usr/bin/env python3
"""An engine for tests that says what CrossHair 0.0.112 said: crosshair-0.0.112.jsonl has its list, what the functions take, and the calls on which
its model deviates, or has no one answer. On all other calls it says what this interpreter says, which is the original. It stands in place of the
interpreter of an engine's environment.

As the interpreter of 0.0.111's environment it answers the same, but for some that were made by hand of what 0.0.112 says: str.lower makes a text of
nothing, str.format takes a string, and str.split is none.

With the variable RECORD, which names a real interpreter with the engine, that is asked what the file does not have, and what deviates is added."""

import json
import os
import re
import subprocess
import sys

FILE = os.path.join(os.path.dirname(os.path.realpath(__file__)), "crosshair-0.0.112.jsonl")

kept = {}


def key(request):
    return json.dumps([request.get("function", ""), request["mode"], request.get("call")])


if os.path.exists(FILE):
    with open(FILE) as lines:
        for r in map(json.loads, lines):
            kept[key(r)] = r["answer"]

version = re.search(r"crosshair-([0-9.]+)-v\d+/bin/", sys.argv[0])
version = version[1] if version else "0.0.112"
if version != "0.0.112":
    listed = kept[key({"mode": "list"})]
    rows = [r for r in listed["list"] if r["function"] not in ("str.split", "str.format")]
    kept[key({"mode": "list"})] = dict(listed, list=rows + [{"function": "str.format", "library": "str"}])
    kept[key({"mode": "signature", "function": "str.format"})] = {"status": "ok", "form": "{0}.format({...})", "parameters": [{"name": "self", "kinds": ["str"]}]}
    kept[key({"mode": "calls", "function": "str.lower", "call": [{"str": ""}]})] = {"how": "returns", "kind": "str", "value": "'nothing'", "unique": True}

real = None
if os.environ.get("RECORD"):
    real = subprocess.Popen([os.environ["RECORD"]] + sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    real.stdout.readline()


def ask(request):
    real.stdin.write(json.dumps(request) + "\n")
    real.stdin.flush()
    answer = json.loads(real.stdout.readline())
    return {k: v for k, v in answer.items() if k not in ("id", "function", "seconds", "cpu")}


def keep(request, answer):
    kept[key(request)] = answer
    with open(FILE, "a") as f:
        f.write(json.dumps({k: request[k] for k in ("function", "mode", "call") if k in request} | {"answer": answer}) + "\n")


def value(v):
    if "list" in v:
        return [value(e) for e in v["list"]]
    return v["str"] if "str" in v else int(v["int"]) if "int" in v else bytes.fromhex(v["hex"]) if "hex" in v else v.get("bool")


def original(function, call):
    owner, name = function.split(".")
    args = [value(v) for v in call]
    try:
        result = getattr(args[0], name)(*args[1:])
    except Exception as e:
        return {"how": "raises", "kind": type(e).__name__, "value": type(e).__name__}
    return {"how": "returns", "kind": type(result).__name__, "value": repr(result)}


def said(request, call):
    right = original(request["function"], call)
    if request["side"] == "original":
        return right
    one = {"function": request["function"], "mode": "calls", "call": call}
    if key(one) not in kept and real:
        answer = ask(dict(request, calls=[call]))["said"][0]
        if answer["value"] != right["value"] or answer["how"] != right["how"] or not answer.get("unique"):
            keep(one, answer)
    return kept.get(key(one), dict(right, unique=True))


def answered(request):
    if request["mode"] == "calls":
        return {"status": "ok", "said": [said(request, call) for call in request["calls"]]}
    if key(request) not in kept:
        if not real:
            return {"status": "unsupported", "reason": "it is not recorded: see crosshair.py"}
        keep(request, ask(request))
    return kept[key(request)]


print(json.dumps({"hello": "extract", "protocol": 1, "engine": "crosshair", "version": version}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps(dict(answered(request), id=request["id"], function=request.get("function", ""), seconds=0, cpu=0)), flush=True)
