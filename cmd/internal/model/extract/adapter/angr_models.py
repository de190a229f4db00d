"""Answers requests about angr's models of C functions.

A model (a SimProcedure) is hooked at an address of an empty program and called there with the prototype that angr's own type library gives, so that
no code of a C library can run in its place; what ran is looked at all the same.
"""

import inspect
import io
import itertools
import logging
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from protocol import Unsupported, agreed, guarded, reason_of, serve  # noqa: E402, I001: it takes standard output away before the engine is loaded

import angr  # noqa: E402
import claripy  # noqa: E402

from angr.sim_type import SimTypeFunction  # noqa: E402
from angr_types import Library, declaration, described, listed  # noqa: E402
from claripy_smt import BASE, NOWHERE, STRIDE, Decoder, Script, identity  # noqa: E402

for name in ("angr", "cle", "claripy", "pyvex"):
    logging.getLogger(name).setLevel(logging.CRITICAL)
sys.setrecursionlimit(20000)

ENTRY, CODE, RETURN = 0x400000, 0x18000000, 0x18000100  # no file is mapped there
BEFORE = 8  # guard bytes before a buffer; behind it are as many and as many as it has elements, since functions like strcat write there
ELEMENTS = 8  # of a buffer whose size the request does not say
STEPS = 1000  # of a call, before what is left of it is given up
ALIKE = 8  # how many ways in which a call ends are compared
SPLIT = 64  # how many combinations of sizes are tried one by one


class Buffer:
    """What an argument points to, with guard bytes around."""

    def __init__(self, index, bits, content, elements):
        self.index, self.bits, self.address = index, bits, BASE + index * STRIDE
        self.size = len(content)
        after = BEFORE + elements * (bits // 8)
        name = "arg_%d.%d"
        before = [claripy.BVS(name % (index, i), 8, explicit_name=True) for i in range(-BEFORE, 0)]
        behind = [claripy.BVS(name % (index, i), 8, explicit_name=True) for i in range(self.size, self.size + after)]
        self.bytes = dict(zip(range(-BEFORE, self.size + after), before + content + behind))

    def store(self, state):
        state.memory.store(self.address - BEFORE, claripy.Concat(*self.bytes.values()))


def empty_program():
    options = {"backend": "blob", "arch": "AMD64", "base_addr": ENTRY, "entry_point": ENTRY}
    try:
        return angr.Project(io.BytesIO(b"\xf4" * 16), main_opts=options, simos="linux")
    except NotImplementedError:  # earlier releases (9.2.68) want a thread's memory of Linux, which no blob has
        return angr.Project(io.BytesIO(b"\xf4" * 16), main_opts=options)


class Call:
    """One call of a model."""

    def __init__(self, request):
        library = LIBRARY
        self.request, self.mode = request, request["mode"]
        self.symbolic, self.fixed = bool(request.get("symbolic")), []  # what holds the symbols of an input to its values
        self.name = request["function"]
        if self.name not in library.models:
            raise Unsupported("the engine has no model of it")
        self.where, self.model = library.models[self.name]
        text = request.get("prototype")
        self.prototype = library.prototype(self.name)
        if text and (self.prototype is None or text != declaration(self.prototype, self.name)):
            self.prototype = library.parsed(text)
        if self.prototype is None:
            raise Unsupported("the engine has no prototype of it")
        self.arguments, self.result = described(self.prototype, library.arch)
        if self.model.NO_RET:
            raise Unsupported("does not return")
        self.project = empty_program()
        self.project.hook(CODE, self.procedure())
        self.ran = []

    def procedure(self):
        project = self.project
        cc = angr.calling_conventions.default_cc(project.arch.name, platform="Linux")(project.arch)
        own = LIBRARY.prototype(self.name)
        prototype = named(self.model, self.prototype, project.arch) if own is None or own.variadic else self.prototype
        made = self.model(project=project, cc=cc, prototype=prototype)
        made.display_name = self.name
        return made

    def values(self, held):
        """The values of the arguments, the buffers that they point to, and what is assumed of them. held has values of some, by number."""
        sizes, nulls = self.request.get("sizes") or {}, set(self.request.get("null") or ())
        elements = self.elements = int(sizes.get("buffer") or ELEMENTS)
        given = self.request.get("input")
        plain = set(self.request.get("plain") or ())  # arguments that stay values in an input whose others are symbols
        values, buffers, assumed, names = [], [], [], set()
        pointers = any(a["kind"] in ("bytes", "string") for a in self.arguments)
        for i, a in enumerate(self.arguments):
            kind, bits = a["kind"], a["bits"]
            content = given[i] if given is not None and i < len(given) else None
            if kind == "scalar":
                symbol = self.symbolic and i not in plain
                if content is not None and "int" in content and not symbol:  # held at one value
                    values.append(claripy.BVV(int(content["int"]) & ((1 << bits) - 1), bits))
                    a["held"] = content["int"]
                    continue
                if i in held:
                    a["assumed"] = elements
                    values.append(claripy.BVV(held[i], bits))
                    continue
                v = claripy.BVS(a["name"], bits, explicit_name=True)
                names.add(a["name"])
                values.append(v)
                if content is not None and "int" in content:
                    self.fixed.append(v == int(content["int"]) & ((1 << bits) - 1))
                if a["size"] and pointers:
                    a["assumed"] = elements
                    assumed.append(claripy.ULE(v, elements))
                continue
            if i in nulls or (content is not None and content.get("null")):
                a["null"] = True
                values.append(claripy.BVV(0, 64))
                continue
            data = bytes.fromhex(content["hex"]) if content is not None and "hex" in content else None
            if data is not None and not self.symbolic:
                part = [claripy.BVV(x, 8) for x in data]
                count = len(data) // (bits // 8)
            else:
                count = 1 if kind in ("cell", "pointer") else elements
                total = count * (bits // 8)
                symbols = self.mode == "symbolic-bytes" or self.symbolic
                part = [
                    claripy.BVS("arg_%d.%d" % (i, k), 8, explicit_name=True) if symbols else claripy.BVV(0x61 + k % 26 if k % (bits // 8) == 0 else 0, 8)
                    for k in range(total)
                ]
                if kind == "string":
                    part += [claripy.BVV(0, 8)] * (bits // 8)
            b = Buffer(i, bits, part, count)
            a["bytes"], a["before"], a["behind"] = b.size, BEFORE, len(b.bytes) - b.size - BEFORE
            if self.symbolic:
                if data is None or len(data) != b.size:
                    raise Unsupported("argument %d has %d bytes, and a symbolic one has %d" % (i, len(data or b""), b.size))
                self.fixed += [v == (data[k] if 0 <= k < b.size else 0xA5) for k, v in b.bytes.items()]
            elif self.mode == "concrete":
                for k in b.bytes:
                    if not 0 <= k < b.size:
                        b.bytes[k] = claripy.BVV(0xA5, 8)
            names.update("arg_%d.%d" % (i, k) for k in b.bytes)
            buffers.append(b)
            values.append(claripy.BVV(b.address, 64))
        return values, buffers, assumed, names

    def run(self, values, buffers, assumed):
        options = {angr.options.SYMBOL_FILL_UNCONSTRAINED_MEMORY, angr.options.SYMBOL_FILL_UNCONSTRAINED_REGISTERS}
        state = self.project.factory.call_state(CODE, *values, prototype=self.prototype, ret_addr=RETURN, add_options=options)
        for b in buffers:
            b.store(state)
        for c in assumed:
            state.solver.add(c)

        def note(s):
            p = s.inspect.simprocedure
            if p is not None:
                self.ran.append((type(p).__module__, getattr(p, "display_name", "")))

        state.inspect.b("simprocedure", when=angr.BP_BEFORE, action=note)
        manager = self.project.factory.simulation_manager(state)
        steps = 0
        manager.stashes.setdefault("found", [])
        while manager.active and steps < STEPS:
            manager.step()
            manager.move("active", "found", lambda s: s.addr == RETURN)
            steps += 1
        if not any(module == self.model.__module__ for module, _ in self.ran):
            raise Unsupported("the engine ran something else than its model: %s" % self.ran)
        return manager

    def returned(self, state):
        if self.result["kind"] == "void":
            return None
        register = state.regs.rax
        bits = self.result["bits"]
        return register if bits == 64 else register[bits - 1 : 0]


def named(model, prototype, arch):
    """The prototype by which a model reads its arguments. A model of a variable number of arguments names the first ones, and asks for the others."""
    parameters = inspect.signature(model.run).parameters.values()
    count = len(parameters) - 1
    if len(prototype.args) <= count or any(p.kind == p.VAR_POSITIONAL for p in parameters):
        return prototype
    return SimTypeFunction(prototype.args[:count], prototype.returnty, variadic=True).with_arch(arch)


def heap_of(state):
    base = getattr(state.heap, "heap_base", 0xC0000000)
    return base, base + getattr(state.heap, "heap_size", 0x1000000)


def extracted(request):
    call, paths, failed, assumed = attempt(request, {})
    # Some models fail on a size that is not known. With one size after another each is a path of its own.
    sizes = [i for i, a in enumerate(call.arguments) if "assumed" in a]
    if failed and not paths and sizes:
        most = call.elements + 1
        if most ** len(sizes) <= SPLIT:
            whole, failed = failed, []
            for values in itertools.product(range(most), repeat=len(sizes)):
                call, more, also, _ = attempt(request, dict(zip(sizes, values)))
                paths += more
                failed += [f for f in also if f not in failed]
            if not paths:
                failed = whole
    answer = {"status": "ok", "prototype": declaration(call.prototype, call.name), "arguments": call.arguments, "result": call.result, "paths": paths}
    if failed:
        answer["failed"] = failed
    if not paths:
        answer["status"], answer["reason"] = ("crash", failed[0]) if failed else ("nothing", "no path of the model returns")
    elif all(p.get("trivial") for p in paths):
        void = call.result["kind"] == "void"
        answer["status"] = "nothing"
        answer["reason"] = "the model returns nothing and writes nothing" if void else "the model's result is a value that nothing constrains"
    return answer


def attempt(request, held):
    """Runs a model once: its paths, and why others failed."""
    call = Call(request)
    values, buffers, assumed, names = call.values(held)
    try:
        manager = call.run(values, buffers, assumed)
    except (Unsupported, MemoryError):
        raise
    except Exception as e:  # noqa: BLE001: what the engine throws is a result
        return call, [], [reason_of(e)], assumed
    failed = [reason_of(e.error) for e in manager.errored]
    if manager.active:
        failed.append("%d of its states do not return within %d steps" % (len(manager.active), STEPS))
    paths = [path_of(call, state, buffers, names, assumed, held) for state in manager.found if state.solver.satisfiable()]
    return call, paths, failed, assumed


def path_of(call, state, buffers, names, assumed, held):
    """What a path of the model asserts: its conditions first, then the results."""
    decoder = Decoder(buffers, heap_of(state))
    script = Script(decoder, names)
    conditions = list(state.solver.constraints)
    path, results, ret = {}, [], call.returned(state)
    if ret is not None:
        pair = decoder.pair(ret) if call.result["kind"] == "address" else None
        if pair:
            results += [("ret_into", pair[0]), ("ret", pair[1])]
        else:
            results.append(("ret", ret))
        path["ret"] = "scalar" if call.result["kind"] == "scalar" else "offset" if pair else "address"
    wrote = []
    for b in buffers:
        after = {k: state.memory.load(b.address + k, 1) for k in b.bytes}
        changed = [k for k in b.bytes if identity(after[k]) != identity(b.bytes[k])]
        if call.arguments[b.index]["kind"] == "pointer" and any(0 <= k < 8 for k in changed):
            whole, name = state.memory.load(b.address, 8, endness="Iend_LE"), "out_%d" % b.index
            pair = decoder.pair(whole)
            results += [(name + "_into", pair[0]), (name, pair[1])] if pair else [(name, whole)]
            wrote.append({"arg": b.index, "offset": 0, "name": name, "bits": 64, "form": "offset" if pair else "address"})
            changed = [k for k in changed if not 0 <= k < 8]
        for k in changed:
            name = "out_%d.%d" % (b.index, k)
            results.append((name, after[k]))
            wrote.append({"arg": b.index, "offset": k, "name": name, "bits": 8, "form": "scalar"})
    if not wrote and (ret is None or (free_of(ret, names) and not any(c.variables & ret.variables for c in conditions))):
        path["trivial"] = True
    conditions = [decoder.relative(c) for c in conditions]
    results = [(name, decoder.relative(e)) for name, e in results]
    for e in conditions + [e for _, e in results]:
        script.count(e)
    for i, v in held.items():
        script.hold(call.arguments[i]["name"], v, call.arguments[i]["bits"])
    for c in conditions:
        script.require(c)
    for name, e in results:
        script.equal(name, e)
    script.apart()
    path["free"], path["writes"] = list(script.free.values()), wrote
    path["smt"] = "(set-logic QF_BV)\n" + "\n".join(script.lines) + "\n"
    return path


def free_of(ret, names):
    """Whether a result is one symbol of the engine's own."""
    return ret.op == "BVS" and ret.args[0] not in names


def concrete(request):
    results = [guarded(answered, dict(request, input=given)) for given in request.get("inputs") or []]
    answer = {"status": "ok", "results": results}
    if any(r.get("passing") for r in results):
        answer["passing"] = True
    return answer


def answered(request):
    call = Call(request)
    given = request["input"]
    if len(given) != len(call.arguments):
        raise Unsupported("takes %d arguments, and %d are given" % (len(call.arguments), len(given)))
    values, buffers, assumed, _ = call.values({})
    # Where the model fails on sizes that are not known, as in extracted, they are values.
    sizes = {i: int(given[i]["int"]) for i, a in enumerate(call.arguments) if "assumed" in a}
    try:
        manager = call.run(values, buffers, assumed)
        failed = manager.errored and not any(s.solver.satisfiable() for s in manager.found)
    except (Unsupported, MemoryError):
        raise
    except Exception:
        if not sizes:
            raise
        failed = True
    if failed and sizes:
        call = Call(request)
        values, buffers, assumed, _ = call.values(sizes)
        manager = call.run(values, buffers, assumed)
    for s in manager.found:
        s.solver.add(*call.fixed)
    found = [s for s in manager.found if s.solver.satisfiable()]
    if not found:
        if manager.errored:
            return {"status": "crash", "reason": reason_of(manager.errored[0].error)}
        return {"status": "nothing", "reason": "no path of the model returns"}
    outcomes = []
    for state in found[:ALIKE]:
        decoder = Decoder(buffers, heap_of(state))
        outcome, unique = {"into": 0, "value": "0"}, True
        ret = call.returned(state)
        if ret is not None:
            values = state.solver.eval_upto(ret, 2)
            unique = len(values) == 1
            outcome["into"], outcome["value"] = resolved(decoder, values[0], call.result["kind"] == "address")
        writes = []
        for b in buffers:
            pointer = call.arguments[b.index]["kind"] == "pointer"
            for k in b.bytes:
                after = state.memory.load(b.address + k, 1)
                if identity(after) == identity(b.bytes[k]):
                    continue
                if pointer and 0 <= k < 8:
                    if not any(w["arg"] == b.index and w["offset"] == 0 for w in writes):
                        both = state.solver.eval_upto(state.memory.load(b.address, 8, endness="Iend_LE"), 2)
                        unique = unique and len(both) == 1
                        into, value = resolved(decoder, both[0], True)
                        writes.append({"arg": b.index, "offset": 0, "into": into, "value": value})
                    continue
                both = state.solver.eval_upto(after, 2)
                unique = unique and len(both) == 1
                if writes and writes[-1].get("hex") and writes[-1]["arg"] == b.index and writes[-1]["offset"] + len(writes[-1]["hex"]) // 2 == k:
                    writes[-1]["hex"] += "%02x" % both[0]
                else:
                    writes.append({"arg": b.index, "offset": k, "hex": "%02x" % both[0]})
        outcome["writes"], outcome["unique"] = writes, unique
        outcomes.append(outcome)
    outcome = agreed(outcomes, len(found))
    outcome["status"], outcome["form"] = "ok", call.result["kind"]
    return outcome


def resolved(decoder, value, address):
    if not address or value == 0:
        return 0, str(value)
    found = decoder.leaf(value)
    return (found[0], str(found[1])) if found else (NOWHERE, "0")


LIBRARY = Library()

if __name__ == "__main__":
    version = angr.__version__
    serve(
        "angr",
        version if isinstance(version, str) else ".".join(map(str, version)),
        {
            "list": lambda request: {"status": "ok", "list": listed(LIBRARY)},
            "concrete": concrete,
            "symbolic-bytes": extracted,
            "symbolic-integers": extracted,
        },
    )
