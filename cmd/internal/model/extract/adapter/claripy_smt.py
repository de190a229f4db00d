"""claripy's terms as SMT-LIB 2.6 scripts in which addresses are offsets or symbols."""

from protocol import Unsupported

import claripy

# Where buffers lie while a model runs. None of these numbers is in an answer: an address is named by the argument that it lies in.
BASE, STRIDE = 0x2B5A91C40000, 0x100000
FRESH = 254  # what a pointer points into: 0 null, k+1 argument k, FRESH memory that the function made
NOWHERE = 255  # an address outside of all buffers


def identity(e):
    """What is equal for expressions that are."""
    return e.hash() if callable(getattr(e, "hash", None)) else e.cache_key  # earlier releases have no hash


class Decoder:
    """Addresses as what they point into: claripy's terms with addresses in them as terms over offsets."""

    def __init__(self, buffers, heap):
        self.buffers, self.heap, self.memo, self.done = buffers, heap, {}, {}

    def leaf(self, value):
        for b in self.buffers:
            if b.address - 0x8000 <= value < b.address + STRIDE - 0x8000:
                return b.index + 1, value - b.address
        if self.heap[0] <= value < self.heap[1]:
            return FRESH, value - self.heap[0]
        return None

    def pair(self, e):
        """(what it points into, the offset there, whether that is a constant in each case), or None where the term's form does not tell."""
        if e.op == "BVV":
            value = e.concrete_value
            found = (0, 0) if value == 0 else self.leaf(value)
            return found and (claripy.BVV(found[0], 8), claripy.BVV(found[1] & (1 << 64) - 1, 64), True)
        key = identity(e)
        if key not in self.memo:
            self.memo[key] = self.inner(e)
        return self.memo[key]

    def inner(self, e):
        if e.op == "If":
            a, b = self.pair(e.args[1]), self.pair(e.args[2])
            return a and b and (claripy.If(e.args[0], a[0], b[0]), claripy.If(e.args[0], a[1], b[1]), a[2] and b[2])
        if e.op == "__add__":
            found, rest = None, []
            for arg in e.args:
                p = self.pair(arg)
                if p is not None and p[0].op == "BVV" and p[0].concrete_value != 0 and found is None:
                    found = p
                else:
                    rest.append(arg)
            if found is None or any(self.touched(x) for x in rest):
                return None
            return found[0], sum(rest, found[1]), False
        if e.op == "__sub__" and len(e.args) == 2:
            p = self.pair(e.args[0])
            if p is not None and p[0].op == "BVV" and p[0].concrete_value != 0 and not self.touched(e.args[1]):
                return p[0], p[1] - e.args[1], False
        return None

    def relative(self, e):
        """The term with differences and equations of addresses in one argument's memory as those of offsets."""
        key = identity(e)
        if key in self.done:
            return self.done[key]
        new = e
        if e.op in ("__sub__", "__eq__", "__ne__") and len(e.args) == 2 and isinstance(e.args[0], claripy.ast.BV) and e.args[0].size() == 64:
            a, b = self.pair(e.args[0]), self.pair(e.args[1])
            if a and b and not (e.args[0].op == "BVV" and e.args[1].op == "BVV"):
                same = a[0].op == "BVV" and b[0].op == "BVV" and a[0].concrete_value == b[0].concrete_value != 0
                if same:
                    new = a[1] - b[1] if e.op == "__sub__" else a[1] == b[1] if e.op == "__eq__" else a[1] != b[1]
                elif e.op != "__sub__" and a[2] and b[2]:
                    equal = claripy.And(a[0] == b[0], a[1] == b[1])
                    new = equal if e.op == "__eq__" else claripy.Not(equal)
        if new is not e:
            new = self.relative(new)
        elif any(isinstance(a, claripy.ast.Base) for a in e.args):
            args = tuple(self.relative(a) if isinstance(a, claripy.ast.Base) else a for a in e.args)
            if any(a is not b for a, b in zip(args, e.args)):
                new = e.make_like(e.op, args)
        self.done[key] = new
        return new

    def touched(self, e):
        return any(a.op == "BVV" and a.size() == 64 and (self.leaf(a.concrete_value) or self.leaf(-a.concrete_value & (1 << 64) - 1)) for a in leaves(e))


def leaves(e):
    seen, todo = set(), [e]
    while todo:
        x = todo.pop()
        if not isinstance(x, claripy.ast.Base) or identity(x) in seen:
            continue
        seen.add(identity(x))
        if x.op in ("BVV", "BVS", "BoolV", "BoolS"):
            yield x
        todo.extend(x.args)


NARY = {"__add__": "bvadd", "__mul__": "bvmul", "__and__": "bvand", "__or__": "bvor", "__xor__": "bvxor", "Concat": "concat", "And": "and", "Or": "or"}
BINARY = {
    "__eq__": "=", "ULT": "bvult", "ULE": "bvule", "UGT": "bvugt", "UGE": "bvuge", "SLT": "bvslt", "SLE": "bvsle", "SGT": "bvsgt", "SGE": "bvsge",
    "__lt__": "bvult", "__le__": "bvule", "__gt__": "bvugt", "__ge__": "bvuge", "__sub__": "bvsub", "__floordiv__": "bvudiv", "__mod__": "bvurem",
    "SDiv": "bvsdiv", "SMod": "bvsrem", "__lshift__": "bvshl", "__rshift__": "bvashr", "LShR": "bvlshr",
}  # fmt: skip


class Script:
    """Prints terms as an SMT-LIB 2.6 script: constants are declared, terms that are used twice or lie deep are named, each assertion is a line."""

    def __init__(self, decoder, arguments):
        self.decoder, self.arguments = decoder, arguments
        self.declared, self.free, self.lines, self.names, self.depth = {}, {}, [], {}, {}
        self.bases = set()
        self.uses, self.counted = {}, set()

    def sort(self, e):
        return "Bool" if isinstance(e, claripy.ast.Bool) else "(_ BitVec %d)" % e.size()

    def declare(self, name, sort):
        if name not in self.declared:
            self.declared[name] = sort
            self.lines.append("(declare-const %s %s)" % (name, sort))
        return name

    def symbol(self, e):
        name = e.args[0]
        if name in self.arguments:
            return self.declare(name, self.sort(e))
        if name not in self.free:  # the engine numbers its own symbols on and on: they are numbered from 0 here
            self.free[name] = {"name": "free_%d" % len(self.free), "bits": e.size() if self.sort(e) != "Bool" else 0, "origin": self.origin(name)}
        return self.declare(self.free[name]["name"], self.sort(e))

    def origin(self, name):
        words = name.split("_")
        if words[0] in ("mem", "symbolic") and len(words) > 1:
            for w in words[1:]:
                try:
                    found = self.decoder.leaf(int(w, 16))
                except ValueError:
                    continue
                if found and found[0] != FRESH:
                    return "memory at offset %d of arg_%d" % (found[1], found[0] - 1)
                if found:
                    return "memory that the function made"
            return "memory"
        if words[0] == "reg":
            return "register"
        while len(words) > 1 and (words[-1].isdigit() or words[-1] in ("0x", "")):
            words.pop()
        return "_".join(words)

    def number(self, value, bits):
        if bits == 64:
            # A negative address is what is left of a difference.
            for sign, v in (("", value), ("-", -value & (1 << 64) - 1)):
                found = self.decoder.leaf(v)
                if found:
                    base = self.base(found[0])
                    text = base if found[1] == 0 else "(bvadd %s %s)" % (base, self.number(found[1] & (1 << 64) - 1, 64))
                    return "(bvneg %s)" % text if sign else text
        if bits > 16:
            for b in self.decoder.buffers:
                for v in (value, -value & (1 << bits) - 1):
                    if (b.address >> 20 if bits >= 40 else (b.address >> 24 if bits <= 32 else -1)) == v >> (20 if bits >= 40 else 0) and v:
                        raise Unsupported("a term has a part of an address")
        return "#x%0*x" % (bits // 4, value) if bits % 4 == 0 else "#b" + format(value, "0%db" % bits)

    def base(self, into):
        name = "addr_fresh" if into == FRESH else "addr_%d" % (into - 1)
        self.bases.add(name)
        return self.declare(name, "(_ BitVec 64)")

    def count(self, e):
        """Counts how often each term is used."""
        todo = [e]
        while todo:
            x = todo.pop()
            if not isinstance(x, claripy.ast.Base):
                continue
            self.uses[identity(x)] = self.uses.get(identity(x), 0) + 1
            if identity(x) not in self.counted:
                self.counted.add(identity(x))
                todo.extend(x.args)

    def text(self, e):
        """The term, with the terms below it first: no recursion, since some are a thousand deep."""
        todo = [e]
        while todo:
            x = todo[-1]
            if identity(x) in self.names:
                todo.pop()
                continue
            below = [a for a in x.args if isinstance(a, claripy.ast.Base) and identity(a) not in self.names]
            if below:
                todo.extend(below)
                continue
            todo.pop()
            text, deep = self.one(x), 1 + max([self.depth[identity(a)] for a in x.args if isinstance(a, claripy.ast.Base)], default=0)
            if x.op not in ("BVV", "BVS", "BoolV", "BoolS") and (self.uses.get(identity(x), 0) > 1 or deep > 40):
                name = "t%d" % sum(1 for line in self.lines if line.startswith("(define"))
                self.lines.append("(define-fun %s () %s %s)" % (name, self.sort(x), text))
                text, deep = name, 0
            self.names[identity(x)], self.depth[identity(x)] = text, deep
        return self.names[identity(e)]

    def one(self, e):
        op = e.op
        if op == "BVV":
            return self.number(e.args[0], e.size())
        if op == "BoolV":
            return "true" if e.args[0] else "false"
        if op in ("BVS", "BoolS"):
            return self.symbol(e)
        args = [self.names[identity(a)] if isinstance(a, claripy.ast.Base) else a for a in e.args]
        if op in NARY:
            if len(args) == 1:
                return args[0]
            if op in ("And", "Or"):
                return "(%s %s)" % (NARY[op], " ".join(args))
            text = args[0]  # the standard's functions take two bit vectors
            for a in args[1:]:
                text = "(%s %s %s)" % (NARY[op], text, a)
            return text
        if op in BINARY:
            text = args[0]
            for a in args[1:]:
                text = "(%s %s %s)" % (BINARY[op], text, a)
            return text
        if op == "__ne__":
            return "(not (= %s %s))" % tuple(args)
        if op == "Not":
            return "(not %s)" % args[0]
        if op == "__invert__":
            return "(bvnot %s)" % args[0]
        if op == "__neg__":
            return "(bvneg %s)" % args[0]
        if op == "If":
            return "(ite %s %s %s)" % tuple(args)
        if op == "Extract":
            return "((_ extract %d %d) %s)" % tuple(args)
        if op == "ZeroExt":
            return "((_ zero_extend %d) %s)" % tuple(args)
        if op == "SignExt":
            return "((_ sign_extend %d) %s)" % tuple(args)
        if op == "Reverse":
            bits = e.size()
            if bits == 8:
                return args[0]
            parts = ["((_ extract %d %d) %s)" % (i + 7, i, args[0]) for i in range(0, bits, 8)]
            text = parts[0]
            for p in parts[1:]:
                text = "(concat %s %s)" % (text, p)
            return text
        raise Unsupported("a term has the operation " + op)

    def equal(self, name, e):
        text = self.text(e)
        self.declare(name, self.sort(e))
        self.lines.append("(assert (= %s %s))" % (name, text))

    def require(self, e):
        text = self.text(e)
        if text != "true":
            self.lines.append("(assert %s)" % text)

    def hold(self, name, value, bits):
        self.declare(name, "(_ BitVec %d)" % bits)
        self.lines.append("(assert (= %s %s))" % (name, "#x%0*x" % (bits // 4, value)))

    def apart(self):
        """What is known of addresses: each lies far from the others and from both ends."""
        names = sorted(self.bases)
        for i, name in enumerate(names):
            least = "#x%016x" % STRIDE
            self.lines.append("(assert (bvult %s %s))" % (least, name))
            self.lines.append("(assert (bvult %s (bvneg %s)))" % (name, least))
            for other in names[:i]:
                self.lines.append("(assert (bvult %s (bvsub %s %s)))" % (least, name, other))
                self.lines.append("(assert (bvult %s (bvsub %s %s)))" % (least, other, name))
