"""Lines by sys.monitoring, each off after its first hit: the way not taken (README.md, cover). It needs Python 3.12.

It tells only lines that no input before has executed.
"""
import gc, sys, types

from inserted import chosen, source  # the parallax_cover.py of drivers/python

MONITORING = sys.monitoring


class Coverage:
    def __init__(self, names):
        self.new, self.took = [], b""
        MONITORING.use_tool_id(MONITORING.COVERAGE_ID, "parallax")
        MONITORING.register_callback(MONITORING.COVERAGE_ID, MONITORING.events.LINE, self.line)
        wanted = {id(m.__dict__) for name, m in list(sys.modules.items())
                  if source(m) and any((name + ".").startswith(n + ".") for n in names)}
        for f in [o for o in gc.get_objects() if isinstance(o, types.FunctionType)]:
            if id(f.__globals__) in wanted:
                self.watch(f.__code__)

    def watch(self, code):
        MONITORING.set_local_events(MONITORING.COVERAGE_ID, code, MONITORING.events.LINE)
        for inner in code.co_consts:
            if isinstance(inner, types.CodeType):
                self.watch(inner)

    def line(self, code, number):
        self.new.append(number)
        return MONITORING.DISABLE

    def begin(self):
        self.new.clear()

    def take(self):
        pass

    def greeting(self):
        return b""


def observe(module, cover):
    return Coverage(chosen(module))
