"""The models that angr lists and the prototypes that its type library has."""

import io

from protocol import Unsupported, reason_of

import angr
from angr.sim_type import (
    SimStruct,
    SimTypeArray,
    SimTypeBottom,
    SimTypeChar,
    SimTypeFloat,
    SimTypeFunction,
    SimTypeInt,
    SimTypeNum,
    SimTypePointer,
    SimTypeReg,
    SimUnion,
)

try:
    from angr.sim_type import TypeRef
except ImportError:  # later and earlier releases have it elsewhere
    TypeRef = ()


# The engine's libraries of C functions. The first that has a name is the one that counts.
LIBRARIES = ("libc", "glibc", "posix", "uclibc", "gnulib")


def plain(ty):
    while TypeRef and isinstance(ty, TypeRef):
        ty = ty.type
    return ty


class Library:
    """The engine's own list of models and its own prototypes."""

    def __init__(self):
        definitions = angr.procedures.definitions
        load = getattr(definitions, "load_all_definitions", None)
        if load:
            load()
        self.arch = angr.project.Project(io.BytesIO(b"\xf4"), main_opts={"backend": "blob", "arch": "AMD64"}).arch
        self.models = {}
        for library in LIBRARIES:
            for name, model in angr.SIM_PROCEDURES.get(library, {}).items():
                self.models.setdefault(name, (library, model))
        known = angr.SIM_LIBRARIES.get("libc.so.6") or angr.SIM_LIBRARIES.get("libc.so.0") or []
        self.types = known if isinstance(known, list) else [known]

    def prototype(self, name):
        for library in self.types:
            if library.has_prototype(name):
                found = library.get_prototype(name, arch=self.arch)
                if found is not None:
                    return found
        return None

    def parsed(self, text):
        text = text.strip()
        try:
            declared = angr.types.parse_defns(text if text.endswith(";") else text + ";", arch=self.arch)
        except Exception as e:  # noqa: BLE001: of the parser of C that the engine uses
            raise Unsupported("the engine does not read the prototype %s: %s" % (text, reason_of(e))) from None
        for ty in declared.values():
            if isinstance(plain(ty), SimTypeFunction):
                return plain(ty).with_arch(self.arch)
        raise Unsupported("the prototype is none of a function: " + text)


def sort_of(ty, arch):
    """How an argument or result is given: (kind, bits), where bits are those of an element for pointers."""
    ty = plain(ty)
    if ty is None or isinstance(ty, SimTypeBottom):
        return "void", 0
    if isinstance(ty, SimTypeFloat):
        raise Unsupported("floating point")
    if isinstance(ty, SimTypePointer):
        to = plain(ty.pts_to)
        if isinstance(to, SimTypeBottom):
            if to.label not in (None, "", "void"):
                raise Unsupported("a pointer to " + to.label + ", which the engine does not describe")
            return "bytes", 8
        if isinstance(to, SimTypeChar):
            return "string", 8
        if isinstance(to, (SimStruct, SimUnion)):
            raise Unsupported("a pointer to " + str(to))
        if isinstance(to, SimTypePointer):
            return "pointer", arch.bits
        if isinstance(to, SimTypeFunction):
            raise Unsupported("a pointer to a function")
        if isinstance(to, (SimTypeInt, SimTypeNum, SimTypeReg)):
            bits = to.with_arch(arch).size
            return ("string", 16) if bits == 16 else ("cell", bits)
        raise Unsupported("a pointer to " + str(to))
    if isinstance(ty, (SimStruct, SimUnion, SimTypeArray)):
        raise Unsupported("a value of type " + str(ty))
    size = ty.with_arch(arch).size
    if not size:
        raise Unsupported("a value of type " + str(ty))
    return "scalar", size


def described(prototype, arch):
    """The arguments of a prototype, and its result."""
    if prototype.variadic:
        raise Unsupported("variadic")
    arguments = []
    for i, ty in enumerate(prototype.args):
        try:
            kind, bits = sort_of(ty, arch)
        except Unsupported as e:
            raise Unsupported("argument %d is %s" % (i, e)) from None
        ty = plain(ty)
        arguments.append(
            {
                "name": "arg_%d" % i,
                "kind": kind,
                "bits": bits,
                "signed": bool(getattr(ty, "signed", False)) if kind == "scalar" else False,
                "size": kind == "scalar" and bits == arch.bits and not getattr(ty, "signed", True),
            }
        )
    try:
        kind, bits = sort_of(prototype.returnty, arch)
    except Unsupported as e:
        raise Unsupported("the result is %s" % e) from None
    result = {"name": "ret", "kind": kind if kind in ("void", "scalar") else "address", "bits": bits if kind in ("void", "scalar") else arch.bits}
    result["signed"] = kind == "scalar" and bool(getattr(plain(prototype.returnty), "signed", False))
    return arguments, result


def declaration(prototype, name):
    return prototype.c_repr(name).replace("(%s)" % name, name, 1)


def listed(library):
    rows = []
    for name in sorted(library.models):
        where, model = library.models[name]
        row = {"function": name, "library": where}
        rows.append(row)
        prototype = library.prototype(name)
        if prototype is None:
            row["reason"] = "the engine has no prototype of it"
            continue
        row["prototype"] = declaration(prototype, name)
        try:
            described(prototype, library.arch)
            if model.NO_RET or name in library.types[0].non_returning:
                raise Unsupported("does not return")
        except Unsupported as e:
            row["reason"] = str(e)
    return rows
