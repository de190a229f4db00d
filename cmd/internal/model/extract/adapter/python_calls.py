"""Calls of Python's methods and operators: how source makes them, their arguments, and what comes of them in this interpreter. It knows no engine."""

import inspect
import types

import protocol

OWNERS = {"str": str, "int": int, "bytes": bytes}

# Operators and builtin functions by which Python calls methods of such names.
OPERATORS = {
    "add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0} * {1}", "truediv": "{0} / {1}", "floordiv": "{0} // {1}", "mod": "{0} % {1}",
    "pow": "{0} ** {1}", "lshift": "{0} << {1}", "rshift": "{0} >> {1}", "and": "{0} & {1}", "or": "{0} | {1}", "xor": "{0} ^ {1}",
    "eq": "{0} == {1}", "ne": "{0} != {1}", "lt": "{0} < {1}", "le": "{0} <= {1}", "gt": "{0} > {1}", "ge": "{0} >= {1}",
    "getitem": "{0}[{1}]", "contains": "{1} in {0}", "divmod": "divmod({0}, {1})", "neg": "-{0}", "pos": "+{0}", "invert": "~{0}",
    "abs": "abs({0})", "len": "len({0})", "bool": "bool({0})", "int": "int({0})", "float": "float({0})", "repr": "repr({0})", "str": "str({0})",
    "round": "round({0}, {...})",
}


def form(name):
    """How Python calls a function: {0} and {1} are arguments, {...} are all others."""
    owner, _, method = name.partition(".")
    if method.startswith("__"):
        known = OPERATORS.get(method.strip("_"))
        if known is None:
            raise protocol.Unsupported("no operator calls it")
        return known
    of_value = isinstance(inspect.getattr_static(OWNERS[owner], method), (types.MethodDescriptorType, types.WrapperDescriptorType))
    return ("{0}.%s({...})" if of_value else owner + ".%s({...})") % method


def expression(name, arguments):
    """A function of Python that makes the call as source does, so that what a program would meet is run."""
    text = form(name)
    names = ["a%d" % i for i in range(arguments)]
    rest = [n for i, n in enumerate(names) if "{%d}" % i not in text]
    for i, n in enumerate(names):
        text = text.replace("{%d}" % i, n)
    text = text.replace(", {...}", "".join(", " + n for n in rest)).replace("{...}", ", ".join(rest))
    return eval("lambda %s: %s" % (", ".join(names), text))


def value(v):
    """An argument, as the protocol writes it."""
    if "str" in v:
        return v["str"]
    if "int" in v:
        return int(v["int"])
    if "hex" in v:
        return bytes.fromhex(v["hex"])
    if "bool" in v:
        return v["bool"]
    if "list" in v:
        return [value(x) for x in v["list"]]
    return None


def told(result):
    kinds = (str, int, bytes, bool, type(None), tuple, list, float, dict)
    if type(result) not in kinds:
        return {"how": "unknown", "value": "a " + type(result).__name__}
    return {"how": "returns", "kind": type(result).__name__, "value": repr(result)}


def raised(e):
    """An exception, by the type of which programs know it: CrossHair has types of its own that inherit from Python's."""
    name = next(c.__name__ for c in type(e).__mro__ if not c.__module__.startswith("crosshair"))
    return {"how": "raises", "kind": name, "value": name}


def original(function, args):
    try:
        return told(function(*args))
    except Exception as e:  # noqa: BLE001
        return raised(e)
