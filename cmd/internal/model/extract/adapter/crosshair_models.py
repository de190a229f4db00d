"""The adapter of CrossHair. Calls of the original run before CrossHair is imported, unless the model was asked before."""

import importlib.metadata

import protocol
import python_calls


def engine():
    import crosshair_engine

    return crosshair_engine


def calls(request):
    work = python_calls.original if request["side"] == "original" else engine().asked
    said = []
    for call in request["calls"]:
        args = [python_calls.value(v) for v in call]
        said.append(work(python_calls.expression(request["function"], len(args)), args))
    return {"status": "ok", "said": said}


protocol.serve(
    "crosshair",
    importlib.metadata.version("crosshair-tool"),
    {
        "list": lambda request: {"status": "ok", "list": engine().listed()},
        "signature": lambda request: {"status": "ok", "form": python_calls.form(request["function"]), "parameters": engine().parameters(request["function"])},
        "calls": calls,
    },
)
