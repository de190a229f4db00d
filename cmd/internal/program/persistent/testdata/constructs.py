"""Much of what Python has, to see that counters change nothing. It runs with 3.8."""
from __future__ import annotations

import asyncio, contextlib, functools

state = 0


def documented(n: int) -> str:
    """says so"""
    return "%s %d" % (documented.__doc__, n)


def only_documented():
    """nothing else"""


def decorator(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        if args and kwargs and len(args) > 1:
            return "many " + f(*args, **kwargs)
        return f(*args, **kwargs)
    return wrapper


class Base:
    field = [x for x in range(5) if x % 2]

    def __init__(self, n):
        self.n = n

    @property
    def twice(self):
        return self.n * 2 if self.n else None

    @staticmethod
    def name():
        return __class__.__name__

    class Inner:
        def get(self):
            return "inner"


class Derived(Base):
    def __init__(self, n):
        """calls super"""
        super().__init__(n)
        self.__private = n or "none"

    def private(self):
        return self.__private

    @decorator
    def said(self, *args, sep=",", **more):
        return sep.join(map(str, args)) + repr(sorted(more))


def closures():
    total = 0

    def add(n):
        nonlocal total
        global state
        total += n
        state = total
        return lambda k: (total, k) if k else lambda: total
    return [add(n)(n)() if not n else add(n)(n) for n in range(3)]


def flow(text):
    out = []
    for i, c in enumerate(text):
        if c == "a":
            out.append(1)
        elif c == "b" and i and text[i - 1] == "a":
            out.append(2)
        elif c == "c" or c == "d" and not i:
            out.append(3)
            continue
        else:
            while (i := i - 1) > 0:
                if i == 7:
                    break
            else:
                out.append("w")
        try:
            if c == "e" and i: raise KeyError(c)
            elif c == "f": [][1]
        except (KeyError, IndexError) as e:
            out.append(type(e).__name__)
        else:
            out.append("fine")
        finally:
            out.append(i)
    else:
        out.append("end")
    return out


def numbers(n):
    for i in range(n):
        got = yield i
        if got and got > 1:
            yield from (got, -got)
    return "done"


async def waits(n):
    async def more():
        for i in range(n):
            yield i
    await asyncio.sleep(0)
    async with contextlib.AsyncExitStack() as stack:
        return [i async for i in more() if i and i % 2] + [stack is not None]


@contextlib.contextmanager
def manager():
    try:
        yield "in"
    except ValueError:
        pass


def run(text):
    g = numbers(4)
    d = Derived(len(text))
    told = [documented(3), only_documented(), only_documented.__doc__, closures(), state, flow(text), d.twice, d.name(), d.private(),
            d.said(1, 2, x=3), d.said(), Base.Inner().get(), Base.field, [next(g), g.send(5), *g], asyncio.run(waits(5)),
            sorted([3, 1, 2], key=lambda x: -x), {k: v for k, v in zip("ab", range(2)) if v and k}, f"{text!r:>{len(text) and 9}}",
            (lambda *a, b=2, **c: (a, b, c))(1, d=4), max((x for x in text), default=None)]
    with manager() as m:
        told.append(m)
        raise ValueError("gone")
    assert told, "never"
    return repr(told)
