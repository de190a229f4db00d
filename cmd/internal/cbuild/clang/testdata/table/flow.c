/* Control flow of every kind. The numbers of some lines are in table_test.go. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "shared.h"

__attribute__((weak)) int nobody(int);
__attribute__((weak)) void nobody_either(void);

static volatile int counter;
volatile int doubled;
static jmp_buf out;

__attribute__((noinline)) static int local(int x) { return x > 3 ? x * 2 : x - 1; }

__attribute__((noinline)) int choose(int x) {
  switch (x) {
  case 1:
    return 10;
  case 2:
    counter ^= 2;
    break;
  case 3:
    counter += 3; /* falls through */
  case 4:
    counter += local(x);
    break;
  case 100:
    return -1;
  default:
    return 0;
  }
  return counter;
}

__attribute__((noinline)) int weak_calls(int x) {
  if (x < 0) nobody_either(), counter++, choose(x);
  if (x == 77) {
    nobody(x);
    local(x);
    nobody_either();
  }
  return x ? shared(x) : 5;
}

__attribute__((noinline)) int loops(const char *s) {
  int sum = 0;
  for (int i = 0; s[i]; i++) {
    if (s[i] == 'x') continue;
    if (s[i] == 'q') break;
    for (int j = 0; j < s[i] % 5; j++)
      if ((i + j) % 3 == 0 || (i ^ j) == 5)
        sum += j;
      else if (sum > 100)
        goto done;
  }
  do sum -= 7;
  while (sum > 0);
done:
  return sum;
}

__attribute__((noinline)) int recurse(int n) {
  if (n <= 1) return 1;
  return n % 2 ? recurse(n - 1) + recurse(n - 2) : recurse(n / 2);
}

__attribute__((noinline)) void give_up(const char *why) {
  if (strlen(why) > 3) {
    fprintf(stderr, "%s\n", why);
    exit(0);
  }
  counter++;
}

__attribute__((noinline)) static void jump(int n) {
  if (n > 2) longjmp(out, n);
  counter += n;
}

static int compare(const void *a, const void *b) { return *(const int *)a < *(const int *)b ? -1 : *(const int *)a > *(const int *)b; }

typedef int (*function)(int);

__attribute__((noinline)) int through(function f, int x) { return f(x) + (x > 2 ? f(x - 1) : 0); }

__attribute__((noinline)) static int forever(int n) {
  for (;;) {
    if (n++ > 10) return n;
    if (n == 7) counter++;
  }
}

int main(int argc, char **argv) {
  int numbers[] = {5, 3, 9, 1, 7};
  for (int i = 0; i < 6; i++) counter += choose(i) + weak_calls(i);
  counter += loops("hello x world") + loops("q") + loops("");
  counter += recurse(9);
  qsort(numbers, 5, sizeof *numbers, compare);
  function f = argc > 3 ? choose : shared;
  counter += through(f, 2) + through(choose, 4) + forever(argc);
  for (volatile int i = 0; i < 4; i++)
    if (setjmp(out) == 0) jump(i);
  printf("%d %d\n", counter, other(counter));
  give_up("no");
  give_up("at last");
  return argc;
}
