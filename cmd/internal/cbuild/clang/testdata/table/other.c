#include "shared.h"

__attribute__((noinline)) static int local(int x) { return x & 1 ? x : -x; }

int shared(int x) { return twice(x) + local(x); }

int other(int x) {
  int unused = 3;
  unused++;
  if (x == 1)
    return local(x);
  return twice(x + 1) ? local(x + 2) : 0;
}
