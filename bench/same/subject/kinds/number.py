"""Reads a number as Python does: with blanks, signs and underscores."""


def parse(text):
    if len(text) > 4:
        raise ValueError("length")
    n = int(text)
    assert n != 4711, "a number that nobody likes"
    return str(n)
