"""The adapter's side of the protocol that package extract describes: JSON lines in, JSON lines out. It knows no engine."""

import json
import os
import resource
import sys
import time

PROTOCOL = 1


class Unsupported(Exception):
    """Why a function cannot be asked."""


def own_output():
    """Keeps descriptor 1 for answers alone: what the engine prints goes to standard error."""
    out = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return out


OUT = own_output()

if len(sys.argv) > 1 and int(sys.argv[1]) > 0:  # megabytes of memory
    most = int(sys.argv[1]) << 20
    resource.setrlimit(resource.RLIMIT_DATA, (most, most))


def send(answer):
    OUT.write(json.dumps(answer, separators=(",", ":")) + "\n")
    OUT.flush()


def reason_of(error):
    return ("%s: %s" % (type(error).__name__, error)).split("\n")[0][:300]


def guarded(work, *args):
    """What work returns, or what it throws as an answer: what an engine throws is a result."""
    began, used = time.time(), time.process_time()
    try:
        answer = work(*args)
    except Unsupported as e:
        answer = {"status": "unsupported", "reason": str(e)}
    except MemoryError:
        answer = {"status": "crash", "reason": "out of memory", "passing": True}  # what was asked before may have filled it
    except Exception as e:  # noqa: BLE001
        answer = {"status": "crash", "reason": reason_of(e)}
        if os.environ.get("PARALLAX_EXTRACT_TRACE"):
            import traceback

            traceback.print_exc()
    answer["seconds"], answer["cpu"] = round(time.time() - began, 3), round(time.process_time() - used, 3)
    return answer


def agreed(outcomes, ways):
    """The outcome of a call that may end in several ways: it is the only one if all of them say the same, and all were looked at."""
    outcome = dict(outcomes[0])
    outcome["unique"] = ways == len(outcomes) and all(o == outcomes[0] and o["unique"] for o in outcomes)
    return outcome


def serve(engine, version, modes):
    """Answers requests until there are no more. modes has a function of a request for each mode."""
    send({"hello": "extract", "protocol": PROTOCOL, "engine": engine, "version": version})
    for line in sys.stdin:
        request = json.loads(line)
        work = modes.get(request["mode"])
        answer = guarded(work, request) if work else {"status": "unsupported", "reason": "the adapter has no mode " + request["mode"]}
        answer["id"], answer["function"] = request["id"], request.get("function", "")
        send(answer)
