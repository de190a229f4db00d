/*
 * Stubs of a C library as an analyser of programs brings them along: short, byte by byte, without what nobody asks for.
 * Three of them are wrong: strcmp, strncpy and toupper. strtol is short on purpose: it has decimal numbers only, and says so.
 */
#include "stubs.h"
#include <string.h>

size_t strlen(const char *s) {
  const char *p = s;
  while (*p)
    ++p;
  return p - s;
}

/* Wrong: C compares unsigned characters. */
int strcmp(const char *a, const char *b) {
  while (*a && *a == *b) {
    ++a;
    ++b;
  }
  return *a - *b;
}

char *strcpy(char *to, const char *from) {
  char *start = to;
  while ((*to++ = *from++))
    ;
  return start;
}

/* Wrong: what is left of n bytes has to become zero. */
char *strncpy(char *to, const char *from, size_t n) {
  size_t i;
  for (i = 0; i < n; i++) {
    to[i] = from[i];
    if (!from[i])
      break;
  }
  return to;
}

char *strcat(char *to, const char *from) {
  strcpy(to + strlen(to), from); /* the stubs' own */
  return to;
}

char *strrchr(const char *s, int c) {
  const char *last = 0;
  for (;; s++) {
    if (*s == (char)c)
      last = s;
    if (!*s)
      return (char *)last;
  }
}

void *memset(void *to, int c, size_t n) {
  unsigned char *p = to;
  while (n--)
    *p++ = (unsigned char)c;
  return to;
}

int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *p = a, *q = b;
  for (; n; n--, p++, q++)
    if (*p != *q)
      return *p < *q ? -1 : 1;
  return 0;
}

/* The analyser wants to hear of pointers that are null. */
size_t strnlen(const char *s, size_t n) {
  size_t i = 0;
  if (!s)
    REPORT("strnlen of a null pointer");
  while (i < n && s[i])
    i++;
  return i;
}

static const char upper[128] = {
  ['a'] = 'A', ['b'] = 'B', ['c'] = 'C', ['d'] = 'D', ['e'] = 'E', ['f'] = 'F', ['g'] = 'G', ['h'] = 'H', ['i'] = 'I',
  ['j'] = 'J', ['k'] = 'K', ['l'] = 'L', ['m'] = 'M', ['n'] = 'N', ['o'] = 'O', ['p'] = 'P', ['q'] = 'Q', ['r'] = 'R',
  ['s'] = 'S', ['t'] = 'T', ['u'] = 'U', ['v'] = 'V', ['w'] = 'W', ['x'] = 'X', ['y'] = 'Y', ['z'] = 'Z',
};

/* Wrong: characters go up to 255. */
int toupper(int c) {
  if (c == -1)
    return c;
  return upper[c] ? upper[c] : c;
}

static int space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* Decimal numbers of up to 18 digits. */
long strtol(const char *s, char **end, int base) {
  const char *start = s;
  long n = 0;
  int negative = 0, digits = 0;
  if (base != 10)
    klee_silent_exit(0);
  while (space(*s))
    s++;
  if (*s == '-' || *s == '+')
    negative = *s++ == '-';
  for (; *s >= '0' && *s <= '9'; s++) {
    klee_assume(++digits <= 18);
    n = n * 10 + (*s - '0');
  }
  if (end)
    *end = (char *)(digits ? s : start);
  return negative ? -n : n;
}
