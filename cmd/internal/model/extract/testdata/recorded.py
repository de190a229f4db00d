#!/usr/bin/env python3
"""An engine for tests that answers what angr 9.2.213 answered: angr-9.2.213.jsonl.gz has its models, and angr-9.2.213-concrete.jsonl what it
says of single calls; angr-9.2.213-null.jsonl has its models of calls with null pointers. It stands in place of the interpreter of an engine's environment, and leaves its arguments alone.

As the interpreter of another version's environment it answers the same, but for what angr-9.2.212.jsonl has. That was made by hand of what 9.2.213
says: isdigit lacks a digit, toupper ends, memchr knows that there is nothing in no bytes, free is a model, getuid is none, and strlen has no
answer: it writes the file hanging into the cache. Version 9.2.211 has the models of 9.2.213, and ends its process on each call that it is asked about.

With the variable RECORD, which names a real interpreter with the engine, that is asked what is not there, and its answer is added."""

import gzip
import json
import os
import re
import subprocess
import sys
import time

FOLDER = os.path.dirname(os.path.realpath(__file__))
CONCRETE = os.path.join(FOLDER, "angr-9.2.213-concrete.jsonl")
NULLS = os.path.join(FOLDER, "angr-9.2.213-null.jsonl")

models = {}
with gzip.open(os.path.join(FOLDER, "angr-9.2.213.jsonl.gz"), "rt") as lines:
    for answer in map(json.loads, lines):
        models[answer["function"]] = answer
version = re.search(r"angr-([0-9.]+)-v\d+/bin/", sys.argv[0])
version = version[1] if version else "9.2.213"
if version not in ("9.2.213", "9.2.211"):
    with open(os.path.join(FOLDER, "angr-9.2.212.jsonl")) as lines:
        for answer in map(json.loads, lines):
            models[answer["function"]] = answer
            if answer["status"] == "absent":
                del models[answer["function"]]
nulls = {}
with open(NULLS) as lines:
    for r in map(json.loads, lines):
        nulls[json.dumps([r["function"], r["null"]])] = r["answer"]
calls = {}
with open(CONCRETE) as lines:
    for r in map(json.loads, lines):
        calls[json.dumps([r["function"], r["symbolic"], r["input"]])] = r["result"]

real = None
if os.environ.get("RECORD"):
    real = subprocess.Popen([os.environ["RECORD"]] + sys.argv[1:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    real.stdout.readline()


def called(request, values):
    function, symbolic = request["function"], request.get("symbolic", False)
    key = json.dumps([function, symbolic, values])
    if key not in calls and real:
        real.stdin.write(json.dumps(dict(request, inputs=[values])) + "\n")
        real.stdin.flush()
        answer = json.loads(real.stdout.readline())["results"][0]
        calls[key] = dict(answer, seconds=0, cpu=0)
        with open(CONCRETE, "a") as f:
            f.write(json.dumps({"function": function, "symbolic": symbolic, "input": values, "result": calls[key]}) + "\n")
    return calls.get(key, {"status": "unsupported", "reason": "%s of %s is not recorded: see recorded.py" % (values, function), "unique": False, "seconds": 0, "cpu": 0})


def answered(request):
    if request["mode"] == "list":
        rows = [{"function": f, "library": "libc", "prototype": a.get("prototype", "")} for f, a in models.items()]
        return {"status": "ok", "list": rows + [{"function": "printf", "library": "libc", "reason": "it is variadic"}]}
    if request["mode"] == "concrete" and version == "9.2.211":
        os.kill(os.getpid(), 9)
    if request["mode"] == "concrete":
        return {"status": "ok", "results": [called(request, values) for values in request["inputs"]]}
    if request.get("null"):
        key = json.dumps([request["function"], request["null"]])
        if key not in nulls and real:
            real.stdin.write(json.dumps(request) + "\n")
            real.stdin.flush()
            nulls[key] = dict(json.loads(real.stdout.readline()), id=0, seconds=0, cpu=0)
            with open(NULLS, "a") as f:
                f.write(json.dumps({"function": request["function"], "null": request["null"], "answer": nulls[key]}) + "\n")
        return nulls.get(key, {"status": "unsupported", "reason": "it is not recorded with null pointers: see recorded.py"})
    if models[request["function"]]["status"] == "hangs":
        with open(os.path.join(os.environ["XDG_CACHE_HOME"], "hanging"), "w") as f:
            f.write("hanging\n")
        time.sleep(600)
    return models[request["function"]]


print(json.dumps({"hello": "extract", "protocol": 1, "engine": "angr", "version": version}), flush=True)
for line in sys.stdin:
    request = json.loads(line)
    print(json.dumps(dict(answered(request), id=request["id"], function=request.get("function", ""), seconds=0, cpu=0)), flush=True)
