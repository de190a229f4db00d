"""An engine for tests: what it does with a request is in the name of the function. Its arguments are its name and version and, optionally,
what is wrong with it from the start."""

import json
import os
import signal
import subprocess
import sys
import time

engine, version, fault = sys.argv[1], sys.argv[2], (sys.argv + [""])[3]


def write(line):
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if fault == "silent":
    time.sleep(3600)
if fault == "dies":
    sys.exit("no module named engine")
if fault == "stranger":
    write("Welcome!")
write(json.dumps({"hello": "extract", "protocol": 1, "engine": engine, "version": version}))

PATH = {"smt": "(set-logic QF_BV)\n(declare-const ret (_ BitVec 32))\n(assert (= ret #x00000000))\n", "ret": "scalar"}

asked = 0
for line in sys.stdin:
    asked += 1
    request = json.loads(line)
    name = request.get("function", "")
    answer = {"id": request["id"], "function": name, "status": "ok", "seconds": 0.0, "cpu": 0.0}
    if request["mode"] == "list":
        answer["list"] = [{"function": "f", "library": "libc", "prototype": "int f(int)"}, {"function": "g", "library": "libc", "reason": "variadic"}]
    elif request["mode"] == "signature":
        answer["form"], answer["parameters"] = name + "({...})", [{"name": "n", "kinds": ["int"]}]
        if name == "nosignature":
            del answer["parameters"]
    elif request["mode"] == "calls":
        if any(c == [{"int": "666"}] for c in request["calls"]):
            os.kill(os.getpid(), signal.SIGSEGV)
        answer["said"] = [{"how": "returns", "kind": "int", "value": request["side"] + " " + c[0]["int"], "unique": True} for c in request["calls"]]
        if name == "fewer":
            answer["said"].pop()
    elif request["mode"] == "concrete":
        if any(v.get("int") == "666" for i in request["inputs"] for v in i):
            os.kill(os.getpid(), signal.SIGSEGV)
        answer["results"] = [{"status": "ok", "form": "scalar", "value": i[0]["int"], "unique": True} for i in request["inputs"]]
        if request.get("symbolic"):
            for r in answer["results"]:
                r["reason"] = "symbols for %d elements, plain %s" % (request["sizes"]["buffer"], request["plain"])
    else:
        answer["result"] = {"name": "ret", "kind": "scalar", "bits": 32}
        answer["paths"] = [PATH]
        answer["reason"] = str(os.getpid())  # so that tests see which process answered
    if name == "exception":
        answer = {"id": request["id"], "function": name, "status": "crash", "reason": "ValueError: no", "seconds": 0.0, "cpu": 0.0}
    elif name == "full" or name == "fills" and asked > 1:
        answer = {"id": request["id"], "function": name, "status": "crash", "reason": "out of memory", "passing": True, "seconds": 0.0, "cpu": 0.0}
    elif name == "crash":
        sys.stderr.write("about to crash\n")
        sys.stderr.flush()
        os.kill(os.getpid(), signal.SIGSEGV)
    elif name.startswith("hang:"):
        child = subprocess.Popen(["sleep", "3600"])
        with open(name[len("hang:") :], "w") as f:
            f.write(str(child.pid))
        time.sleep(3600)
    elif name == "garbage":
        write("Warning: symbolic memory read")
    elif name == "other":
        answer["id"] += 1
    elif name == "noresult":
        sys.exit(0)
    elif name == "nopaths":
        del answer["paths"]
    elif name == "closes":
        os.close(1)
        time.sleep(3600)
    elif name == "memory":
        held = bytearray(512 << 20)
    write(json.dumps(answer))
