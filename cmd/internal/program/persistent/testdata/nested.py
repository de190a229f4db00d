# Functions that recurse as deep as an input says, and what the limits of calls from the top of a module are.
import itertools, json


def nested(digits):
    return nest(int(digits))


def nest(n):
    return [nest(n - 1)] if n else []


class Value:
    def __init__(self, inner):
        self.inner = inner

    def __repr__(self):
        return "Value"


def values(digits):
    return Value(nest(int(digits)))


def loads(digits):
    n = int(digits)
    return json.loads("[" * n + "]" * n)


def chain(digits):  # no recursion makes it, and none that is allowed writes it
    value = []
    for _ in range(int(digits)):
        value = [value]
    return value


if __name__ == "__main__":
    for function in nested, values, loads:
        for n in itertools.count(1):
            try:
                function(str(n))
            except RecursionError:
                print(function.__name__, n - 1)
                break
