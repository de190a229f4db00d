"""Which blocks of Python modules an input executes, for parallax_driver.py. It needs to be beside that file.

Once the modules are loaded, their source is compiled again with counters, and their functions get that code in the place of
their own. Python 3.8 or newer; of an older one nothing is known. What is loaded only while inputs run is not seen.
"""
import ast, gc, itertools, json, sys, types, warnings

# What nearly every file imports and hardly any is about: left out unless --cover names it.
TOOLS = frozenset("""abc argparse array asyncio atexit base64 binascii bisect codecs collections contextlib copy ctypes dataclasses
enum errno functools gc glob hashlib heapq importlib inspect io itertools logging math numbers operator os parallax_cover
parallax_driver pathlib pickle platform random re shutil signal socket string struct subprocess sys sysconfig tempfile textwrap
threading time traceback types typing typing_extensions unittest warnings weakref zlib""".split())
MOST = 1 << 16  # blocks; a module that would make them more is not counted
LARGE = 2 << 20  # bytes of source that are compiled again unless modules are named: it takes a second or two
RAN, ROUNDS, ADD = "parallax: ran", "parallax: rounds", "parallax: add"  # stand in for objects until the code is compiled


def imported(file):
    """The names of the packages that a file imports, but for tools."""
    names = set()
    with open(file, "rb") as f:
        for node in ast.walk(ast.parse(f.read())):
            if isinstance(node, ast.Import):
                names.update(a.name for a in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module)
    return {n.partition(".")[0] for n in names} - TOOLS


def chosen(module):
    """The modules of a function, by theirs: its package or, of a file that is in none, the file and what it imports itself."""
    top = module.partition(".")[0]
    m, file = sys.modules.get(top), source(sys.modules.get(top))
    return {top} | (imported(file) if file and not hasattr(m, "__path__") else set())


def source(module):
    file = getattr(module, "__file__", None)
    return file if file and file.endswith(".py") else None


class Inserter(ast.NodeTransformer):
    """Puts a counter into each block of each function of a tree, and makes the table of the blocks.

    Rounds of loops are counted. Of other blocks it is noted that they ran, which costs half as much. What is evaluated within
    an expression is no block, since a call would be needed there: but for the body of a lambda, which has no statements, and
    for the operands of `if a and b` without else, which is written as two statements.
    """

    def __init__(self, module, file):
        self.module, self.file, self.path = module, file, []
        self.functions, self.function = [], None  # what is told of each; that of the code being visited, None outside

    def number(self, kind, node, cond=None, end=None):
        place = ast.copy_location(ast.Constant(0), node)
        last = getattr(end or node, "end_lineno", None) or node.lineno
        self.function["blocks"].append((place, kind, node.lineno, (cond or node).lineno, last))
        return place

    def counter(self, kind, node, cond=None, end=None):
        at = lambda made: ast.copy_location(made, node)
        place = self.number(kind, node, cond, end)
        index = place if sys.version_info >= (3, 9) else at(ast.Index(place))
        count, one = at(ast.Subscript(at(ast.Constant(ROUNDS if kind == "body" else RAN)), index, ast.Store())), at(ast.Constant(1))
        return at(ast.AugAssign(count, ast.Add(), one) if kind == "body" else ast.Assign([count], one))

    def block(self, kind, body, cond=None):
        """A list of statements, with a counter."""
        if not self.function:
            return [self.visit(s) for s in body]
        end = body[0]  # the statements up to one that holds blocks, which are executed with the first
        for s in body:
            if isinstance(s, (ast.If, ast.For, ast.While, ast.Try, ast.With, ast.FunctionDef, ast.ClassDef)):
                break
            end = s
        return [self.counter(kind, body[0], cond, end)] + [self.visit(s) for s in body]

    def enter(self, name, line, visit):
        outer, self.path = self.function, self.path + [name]
        self.function = {"name": ".".join([self.module] + self.path), "file": self.file, "line": line, "blocks": []}
        self.functions.append(self.function)
        visit()
        self.function, self.path = outer, self.path[:-1]

    def visit_FunctionDef(self, node):
        def body():
            text = isinstance(node.body[0], ast.Expr) and isinstance(getattr(node.body[0].value, "value", None), str)
            doc = node.body[:1] if text else []
            node.body = doc + (self.block("entry", node.body[len(doc):]) if node.body[len(doc):] else [self.counter("entry", node)])
        self.enter(node.name, node.lineno, body)
        return node

    visit_AsyncFunctionDef = visit_FunctionDef

    def visit_Lambda(self, node):
        def body():  # None comes of adding, so that `add(7) or x` is x
            at = lambda made: ast.copy_location(made, node.body)
            add = at(ast.Call(at(ast.Constant(ADD)), [self.number("entry", node.body)], []))
            node.body = at(ast.BoolOp(ast.Or(), [add, self.visit(node.body)]))
        self.enter("lambda", node.lineno, body)
        return node

    def visit_ClassDef(self, node):
        outer, self.function, self.path = self.function, None, self.path + [node.name]
        node.body = [self.visit(s) for s in node.body]
        self.function, self.path = outer, self.path[:-1]
        return node

    def visit_AnnAssign(self, node):
        if node.value:
            node.value = self.visit(node.value)
        return node

    def visit_If(self, node):
        kind, test = "then", node.test
        if self.function and isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) and not node.orelse:
            first, *rest = test.values
            rest = rest[0] if len(rest) == 1 else ast.copy_location(ast.BoolOp(ast.And(), rest), rest[0])
            kind, test, node.body = "and", first, [ast.copy_location(ast.If(rest, node.body, []), rest)]
        node.test = self.visit(test)
        node.body = self.block(kind, node.body, test)
        if len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If):
            node.orelse = [self.visit(node.orelse[0])]
        elif node.orelse:
            node.orelse = self.block("else", node.orelse, test)
        elif self.function:
            node.orelse = [self.counter("implicit-else", node, test, test)]
        return node

    def loop(self, node):
        head = "test" if isinstance(node, ast.While) else "iter"
        setattr(node, head, self.visit(getattr(node, head)))
        node.body = self.block("body", node.body, node)
        if node.orelse:
            node.orelse = self.block("else", node.orelse, node)
        return node

    visit_For = visit_AsyncFor = visit_While = loop

    def visit_ExceptHandler(self, node):
        node.body = self.block("branch", node.body, node)
        return node

    def visit_Match(self, node):
        node.subject = self.visit(node.subject)
        for c in node.cases:
            c.guard = c.guard and self.visit(c.guard)
            c.body = self.block("case", c.body, c.pattern)
        last = node.cases[-1]
        if self.function and (last.guard or not isinstance(last.pattern, ast.MatchAs) or last.pattern.pattern):
            rest = ast.match_case(ast.copy_location(ast.MatchAs(None, None), node), None, [self.counter("implicit-default", node, None, node.subject)])
            node.cases.append(rest)
        return node


def key(code):
    return code.co_name, code.co_firstlineno, code.co_argcount, code.co_kwonlyargcount, code.co_freevars


class Coverage:
    """Counts the blocks of loaded modules: of those that are named and all below them."""

    def __init__(self, names, most=sys.maxsize):
        self.functions, self.blocks, self.took, self.left = [], 0, b"", most
        self.ran, self.rounds, self.loops = bytearray(), [], []  # by block, by loop, and the blocks of loops
        loaded = {}
        for name, module in list(sys.modules.items()):
            if source(module) and any((name + ".").startswith(n + ".") for n in names):
                loaded.setdefault(id(module.__dict__), (name, module))
        self.modules = {}  # id of the globals: code by what tells functions apart
        for name, module in sorted(loaded.values(), key=lambda m: m[0]):
            self.modules[id(module.__dict__)] = self.compile(name, source(module))
        for f in [o for o in gc.get_objects() if isinstance(o, types.FunctionType)]:
            file, codes = self.modules.get(id(f.__globals__), ("", {}))
            code = codes.get(key(f.__code__))
            if code and f.__code__.co_filename == file:
                f.__code__ = code
        self.none, self.zeros = bytes(self.blocks), [0] * len(self.loops)
        self.ran += self.none
        self.rounds += self.zeros

    def compile(self, name, file):
        """The code of a module's functions, with counters."""
        try:
            with open(file, "rb") as f:
                text = f.read()
            if len(text) > self.left:
                return "", {}
            self.left -= len(text)
            tree, inserter = ast.parse(text, file), Inserter(name, file)
            inserter.visit(tree)
            places = [b for f in inserter.functions for b in f["blocks"]]
            if self.blocks + len(places) > MOST:
                return "", {}
            for i, (place, kind, *_) in enumerate(places, self.blocks):
                place.value = i if kind != "body" else len(self.loops)
                self.loops += [i] if kind == "body" else []
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # a text is called
                code = compile(tree, file, "exec", dont_inherit=True)
        except (OSError, SyntaxError, ValueError, RecursionError):
            return "", {}
        self.functions, self.blocks, codes = self.functions + inserter.functions, self.blocks + len(places), {}
        for c in code.co_consts:
            if isinstance(c, types.CodeType):
                self.insert(c, codes)
        return file, codes

    def insert(self, code, codes):
        """The code with the objects that texts stood for. It goes into codes with all that is in it, but for what looks alike."""
        objects = {RAN: self.ran, ROUNDS: self.rounds, ADD: self.add}

        def real(c):
            if isinstance(c, types.CodeType):
                return self.insert(c, codes)
            return objects.get(c, c) if isinstance(c, str) else c
        made = code.replace(co_consts=tuple(map(real, code.co_consts)))
        codes[key(made)] = None if key(made) in codes else made
        return made

    def add(self, block):
        self.ran[block] = 1

    def begin(self):
        self.ran[:], self.rounds[:] = self.none, self.zeros

    def take(self):
        """took becomes how often each block ran since begin, up to 255."""
        took = bytearray(self.ran)
        for block, n in itertools.compress(zip(self.loops, self.rounds), self.rounds):
            took[block] = min(n, 255)
        self.took = took

    def greeting(self):
        """What the driver's first line says of the blocks, and the table that follows it, but for the line feed behind it."""
        table = json.dumps([dict(f, blocks=[b[1:] for b in f["blocks"]]) for f in self.functions]).encode()
        return b" features=%d counts table=%d\n%s" % (self.blocks, len(table) + 1, table)


def observe(module, cover):
    """What counts the blocks that run: of the modules that are named, or of those of a function's; None: nothing does."""
    if not isinstance(module, str):
        module = getattr(getattr(module, "func", module), "__module__", None) or "__main__"
    if cover is not None and list(cover) in ([], ["off"]):
        return None
    try:
        coverage = Coverage(cover) if cover else Coverage(chosen(module), LARGE)
        return coverage if coverage.blocks else None
    except Exception as e:
        if cover:
            raise
        print("parallax_cover: no coverage: %r" % e, file=sys.stderr)  # of a Python older than 3.8, for example
        return None
