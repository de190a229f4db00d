/* The original of a model in SMT-LIB, shorten.smt2: how much of a text of n bytes fits into a field of 16, whose last byte is kept free. */
unsigned shorten(unsigned n) {
  if (n >= 16)
    return 15;
  return n;
}
