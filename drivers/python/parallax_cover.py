"""Which lines of chosen modules an input executes, for parallax_driver.py --cover. It needs to be beside that file."""
import gc, struct, sys, types, zlib

FEATURES = 1 << 16  # numbers below it; a hash that two lines share does little harm
MONITORING = getattr(sys, "monitoring", None)  # Python 3.12; before, there are only trace functions, which cost more


class Coverage:
    """Counts lines. A line's number is a hash of its module and place, and so the same in every process."""

    def __init__(self, modules):
        self.modules = modules
        self.counts = {}  # (module, line): how often it ran with this input
        self.numbers = {}  # (module, line): its packed number
        self.codes = {}  # id of a code object: itself, which keeps the id valid, and its module if that is chosen
        self.loaded = 0
        if MONITORING:
            MONITORING.use_tool_id(MONITORING.COVERAGE_ID, "parallax")
            MONITORING.register_callback(MONITORING.COVERAGE_ID, MONITORING.events.LINE, self.line)

    def run(self, function, data):
        if not MONITORING:
            sys.settrace(self.trace)
        elif self.loaded != len(sys.modules):
            self.loaded = len(sys.modules)
            for f in [o for o in gc.get_objects() if isinstance(o, types.FunctionType)]:
                self.watch(f.__code__, f.__globals__.get("__name__"))
        try:
            return function(data)
        finally:
            if not MONITORING:
                sys.settrace(None)

    def watch(self, code, module):
        if id(code) in self.codes:
            return
        chosen = any("%s." % module == m + "." or str(module).startswith(m + ".") for m in self.modules)
        self.codes[id(code)] = code, module if chosen else None
        if MONITORING and chosen:
            MONITORING.set_local_events(MONITORING.COVERAGE_ID, code, MONITORING.events.LINE)
            for inner in code.co_consts:
                if isinstance(inner, types.CodeType):
                    self.watch(inner, module)

    def line(self, code, number):
        key = self.codes[id(code)][1], number
        self.counts[key] = self.counts.get(key, 0) + 1

    def trace(self, frame, event, arg):
        if event == "line":
            self.line(frame.f_code, frame.f_lineno)
        elif event == "call":
            self.watch(frame.f_code, frame.f_globals.get("__name__"))
            if not self.codes[id(frame.f_code)][1]:
                return None
        return self.trace

    def features(self):
        """The numbers of the lines that ran, each as often as it ran, up to 16 times. It begins anew."""
        for key in self.counts.keys() - self.numbers.keys():
            self.numbers[key] = struct.pack("<I", zlib.crc32(("%s:%d" % key).encode()) % FEATURES)
        packed = b"".join(self.numbers[key] * min(n, 16) for key, n in self.counts.items())
        self.counts.clear()
        return packed
