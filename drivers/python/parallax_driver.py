#!/usr/bin/env python3
"""A driver of parallax for Python: runs a function on each input, and answers with what it returned or raised.

    python3 parallax_driver.py MODULE:FUNCTION    MODULE is a module's name or a file: ./mine.py:parse
      --text           the function takes str; inputs that are not UTF-8 are declined
      --json           all it returns is compared as JSON: text as a JSON string, not as it is
      --reject NAMES   exceptions of these classes (ValueError,...) are rejections, and all others crashes
      --cover MODULES  tell what runs in these modules and below them (json,...); off: in none. Without it: see parallax_cover

Or in a file of your own: import parallax_driver; parallax_driver.serve(parse, reject=["ValueError"])
"""
import argparse, functools, importlib, json, os, struct, sys, traceback

CRASHES = {"MemoryError", "RecursionError", "SystemError", "AssertionError"}  # it gave up, and did not refuse


def allow_depth(more):
    """Raises the limit of recursion by a number of frames, and returns what it was."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(min(limit + more, 2**31 - 1))
    return limit


def to_json(value):
    limit = allow_depth(sys.getrecursionlimit())  # enough to write what the function was able to nest
    try:
        try:
            return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        except (TypeError, ValueError):
            return repr(value)
    except RecursionError:
        return "(a value that is too deep to be written)"
    finally:
        sys.setrecursionlimit(limit)


def text(value):
    """What values are compared by: bytes as they are, str as UTF-8, anything else as JSON with sorted keys, or its repr."""
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    return (value if isinstance(value, str) else to_json(value)).encode("utf-8", "surrogatepass")


def judge(function, data, reject, decode, encode, coverage):
    """Verdict and text. SystemExit is caught too: a program that ends its process did not refuse the input."""
    try:
        try:
            value = function(decode(data))
        finally:
            if coverage:
                coverage.take()
        return b"A", encode(value)
    except KeyboardInterrupt:
        raise
    except BaseException as e:
        names = {c.__name__ for c in type(e).__mro__}
        said = ("%s: %s" % (type(e).__name__, e)).encode("utf-8", "backslashreplace")
        if "NotImplementedError" in names:
            return b"D", said
        if names & set(reject) if reject else "Exception" in names and not names & CRASHES:
            return b"R", said
        trace = traceback.format_exc(limit=-20).encode("utf-8", "backslashreplace")
        return b"C", b" ".join(said.splitlines()) + b"\n" + trace


def take_pipes():
    """The pipes of requests and answers. What is printed, by libraries in C too, goes to standard error from now on."""
    pipes = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return pipes


def serve(function, reject=(), cover=None, pipes=None, module=None, decode=bytes, encode=text):
    """Answers requests until they end. cover names modules: None stands for those of the function, () for no coverage."""
    requests, answers = pipes or take_pipes()
    try:
        import parallax_cover
        coverage = parallax_cover.observe(module or function, cover)
    except ImportError:
        coverage = None  # this file was copied alone
        assert not cover, "--cover needs parallax_cover.py beside this file"
    allow_depth(len(traceback.extract_stack()))  # the function's limit is that of a call from the top of a module
    answers.write(b"parallax-driver 1 numbers" + (coverage.greeting() if coverage else b"") + b"\n")
    answers.flush()
    for number, header in enumerate(iter(lambda: requests.read(4), b"")):
        data = requests.read(struct.unpack("<I", header)[0])
        if coverage:
            coverage.begin()
        verdict, value = judge(function, data, reject, decode, encode, coverage)
        rest = value + (coverage.took if coverage else b"")
        answers.write(struct.pack("<IIcI", 9 + len(rest), number & 0xFFFFFFFF, verdict, len(value)) + rest)
        answers.flush()


def decoded(data):
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise NotImplementedError("the input is not UTF-8") from None


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("function", metavar="MODULE:FUNCTION")
    for flag in "--text", "--json":
        options.add_argument(flag, action="store_true")
    for flag, default in ("--reject", []), ("--cover", None):
        options.add_argument(flag, default=default, type=lambda names: names.split(","))
    o = options.parse_args()
    path, _, name = o.function.rpartition(":")
    folder, file = os.path.split(path)
    if not path:
        options.error("what to run is MODULE:FUNCTION, not %s" % o.function)
    sys.path.insert(0, os.path.abspath(folder))
    pipes, module = take_pipes(), file[:-3] if file.endswith(".py") else file
    found = functools.reduce(getattr, name.split("."), importlib.import_module(module))
    written = lambda value: text(to_json(value))
    serve(found, o.reject, o.cover, pipes, module, decoded if o.text else bytes, written if o.json else text)
