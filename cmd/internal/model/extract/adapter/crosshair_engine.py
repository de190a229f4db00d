"""CrossHair's models of the methods and operators of str, int and bytes. It takes seconds to be imported, and only the model needs it.

CrossHair has no formulas that could be handed out: a model is Python code that runs on symbolic values and asks z3 where it branches. So it is
asked for calls. The arguments are symbolic values that are held to those of the call before the function runs; what the function returns or
raises then is the model's answer. It is unique if no branch was free. The original is the function of this interpreter, untraced."""

import ast
import inspect
import time
import types

import protocol
from crosshair import core
from crosshair.condition_parser import condition_parser
from crosshair.core import deep_realize
from crosshair.core_and_libs import NoTracing
from crosshair.libimpl import builtinslib
from crosshair.options import AnalysisKind
from crosshair.statespace import ModelValueNode, RootNode, StateSpace, StateSpaceContext, WorstResultNode
from crosshair.tracers import COMPOSITE_TRACER
from crosshair.typeshed_lookup import funcdefs, stub_class
from crosshair.util import ControlFlowException
from python_calls import form, raised, told

SECONDS = 10  # of CPU for a call

PROXIES = {str: builtinslib.LazyIntSymbolicStr, int: builtinslib.SymbolicInt, bytes: builtinslib.SymbolicBytes}

# Not what a value does, but how Python handles any object.
PLUMBING = {"__hash__", "__getnewargs__", "__buffer__", "__release_buffer__"} | (set(dir(object)) - {"__eq__", "__ne__", "__lt__", "__le__", "__gt__", "__ge__", "__repr__"})


def modeled():
    """The functions of which CrossHair has code of its own, by name: what it patches, and what the classes of its symbolic values define."""
    found = {}
    for entity in core._PATCH_REGISTRATIONS:
        name = getattr(entity, "__name__", "")
        owner = getattr(entity, "__objclass__", None) or getattr(entity, "__self__", None)
        if owner in PROXIES:
            found[owner.__name__ + "." + name] = entity
    for owner, proxy in PROXIES.items():
        for name in dir(owner):
            if name in PLUMBING and owner.__name__ + "." + name not in found:
                continue
            real = inspect.getattr_static(owner, name)
            if not isinstance(real, (types.MethodDescriptorType, types.WrapperDescriptorType)):
                continue
            for cls in proxy.__mro__:
                if name in vars(cls):
                    if cls.__module__.startswith("crosshair"):
                        found[owner.__name__ + "." + name] = getattr(owner, name)
                    break
    return dict(sorted(found.items()))


MODELED = modeled()
KINDS = {"str": "str", "int": "int", "bytes": "bytes", "bool": "bool", "None": "none", "SupportsIndex": "int", "ReadableBuffer": "bytes", "Buffer": "bytes"}


def kinds_of(annotation, owner):
    """The kinds of values that a parameter takes by its stub, of those that calls can have."""
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        return list(dict.fromkeys(kinds_of(annotation.left, owner) + kinds_of(annotation.right, owner)))
    if isinstance(annotation, ast.Subscript):
        of, inner = ast.unparse(annotation.value).split(".")[-1], annotation.slice
        if of == "Literal":
            return ["=" + e.value for e in getattr(inner, "elts", [inner]) if isinstance(getattr(e, "value", None), str)]
        if of == "Iterable":
            return ["list:" + k for k in kinds_of(inner, owner) if k in ("str", "bytes")][:1]
        return []
    if annotation is None:
        return []
    text = ast.unparse(annotation).split(".")[-1]
    if text in ("object", "Any", "Self"):
        return [owner]
    return [KINDS[text]] if text in KINDS else []


def parameters(name):
    """The parameters of a function, from the stubs that CrossHair goes by."""
    text = form(name)
    owner, _, method = name.partition(".")
    found = stub_class(owner)
    info = found[0].child_nodes.get(method) if found else None
    why = "no stub says what it takes"
    for definition in reversed(funcdefs(info, "builtins") if info else []):  # the last overload is the most general
        args = definition.args
        if args.vararg is not None:
            why = "it takes any number of arguments"
            continue
        needed = [a.arg for a, default in zip(args.kwonlyargs, args.kw_defaults) if default is None]
        if needed:
            why = "parameter %s is given by its name" % needed[0]
            continue
        given = args.posonlyargs + args.args
        defaults = len(given) - len(args.defaults)
        listed = []
        for i, a in enumerate(given):
            if i == 0:
                if "{0}" in text:
                    listed.append({"name": "self", "kinds": [owner]})
                continue  # or it is the class
            at = "{%d}" % len(listed)
            if at not in text and "{...}" not in text:
                break  # an operator has no more
            kinds = kinds_of(a.annotation, owner)
            if not kinds:
                if i < defaults or at in text:
                    why, listed = "parameter %s is no string, number or bytes" % a.arg, []
                break  # what follows is left to its default
            listed.append({"name": a.arg, "kinds": kinds, "optional": i >= defaults and at not in text})
        if listed:
            return listed
    raise protocol.Unsupported(why)


def symbol(space, v, name):
    """A symbolic value that is held to v. The kinds of values without symbols are as they are."""
    if isinstance(v, list):
        return [symbol(space, x, "%s_%d" % (name, i)) for i, x in enumerate(v)]
    if isinstance(v, bool):
        s = builtinslib.SymbolicBool(name, bool)
        space.add(s.var == v)
    elif isinstance(v, int):
        s = builtinslib.SymbolicBoundedInt(name, int)
        space.add(s.var == v)
    elif isinstance(v, str):
        s = builtinslib.LazyIntSymbolicStr(name)
        space.add(s._codepoints._smt_for_unification([ord(c) for c in v]))
    elif isinstance(v, bytes):
        inner = builtinslib.SymbolicBoundedIntTuple([(0, 255)], name)
        s = builtinslib.SymbolicBytes(inner)
        space.add(inner._smt_for_unification(list(v)))
    else:
        return v
    return s


def model(function, args):
    deadline = time.process_time() + SECONDS
    space = StateSpace(deadline, SECONDS, RootNode())
    space.mark_all_parent_frames()
    with condition_parser([AnalysisKind.PEP316]), core.Patched(), StateSpaceContext(space), COMPOSITE_TRACER:
        with NoTracing():
            held = [symbol(space, v, "arg_%d" % i) for i, v in enumerate(args)]
            before = len(space.choices_made)
        try:
            answer = function(*held)
            with NoTracing():
                answer = deep_realize(answer)
                said = told(answer)
        except ControlFlowException as e:  # it gives up on the path
            said = {"how": "unknown", "value": protocol.reason_of(e)}
        except Exception as e:  # noqa: BLE001
            with NoTracing():
                said = raised(e)
        with NoTracing():
            said["unique"] = not any(isinstance(n, (WorstResultNode, ModelValueNode)) and n.forced_path is None for n in space.choices_made[before:])
    return said


def asked(function, args):
    try:
        return model(function, args)
    except ControlFlowException as e:
        return {"how": "unknown", "value": protocol.reason_of(e)}
    except Exception as e:  # noqa: BLE001
        return {"how": "failed", "value": protocol.reason_of(e)}


def listed():
    rows = []
    for name in MODELED:
        row = {"function": name, "library": name.split(".")[0]}
        try:
            parameters(name)
        except protocol.Unsupported as e:
            row["reason"] = str(e)
        rows.append(row)
    return rows
