int shared(int x);
int other(int x);
extern volatile int doubled;

/* Is inlined at -O1, and a function of its own in the other file at -O0. */
static inline int twice(int x) {
  if (x % 3 == 1) {
    doubled++;
    return 2 * x;
  }
  return x + x + 1;
}
