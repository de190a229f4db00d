/*
 * What a static analyser believes of a C library: a body for each function whose calls it follows into. Its authors keep them short, and say by
 * __VERIFIER_assume and analyser_gap where they stop.
 */
#include "analyser.h"

size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n] != '\0')
    n++;
  return n;
}

char *strchr(const char *s, int c) {
  for (; *s != '\0'; s++)
    if (*s == (char)c)
      return (char *)s;
  return 0;
}

char *strrchr(const char *s, int c) {
  size_t n = strlen(s) + 1;
  while (--n > 0)
    if (s[n] == (char)c)
      return (char *)s + n;
  return 0;
}

void *memchr(const void *s, int c, size_t n) {
  const char *p = s;
  while (n-- > 0) {
    if (*p == c)
      return (void *)p;
    p++;
  }
  return 0;
}

int strncmp(const char *a, const char *b, size_t n) {
  for (; n > 0; n--, a++, b++) {
    if ((unsigned char)*a != (unsigned char)*b)
      return (unsigned char)*a - (unsigned char)*b;
    if (*a == '\0')
      break;
  }
  return 0;
}

char *strncat(char *to, const char *from, size_t n) {
  char *p = to + strlen(to);
  while (n > 0 && *from != '\0') {
    *p++ = *from++;
    n--;
  }
  if (n > 0)
    *p = '\0';
  return to;
}

/* One character to skip is what the programs that are analyzed have. */
size_t strspn(const char *s, const char *accept) {
  size_t n = 0;
  __VERIFIER_assume(strlen(accept) == 1);
  while (s[n] == accept[0] && s[n] != '\0')
    n++;
  return n;
}

int isspace(int c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\v' || c == '\f' || c == '\r';
}

int toupper(int c) {
  if (c >= 'a' && c <= 'z')
    return c - ('a' - 'A');
  return c;
}

int atoi(const char *s) {
  int n = 0, negative = 0;
  if (*s == '-' || *s == '+')
    negative = *s++ == '-';
  while (*s >= '0' && *s <= '9')
    n = n * 10 + (*s++ - '0');
  return negative ? -n : n;
}

/* Words are compared at once; longer blocks are for another day. */
int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *p = a, *q = b;
  size_t i;
  if (n > 4)
    analyser_gap("memcmp of more than a word");
  for (i = 0; i < n; i++)
    if (p[i] != q[i])
      return p[i] < q[i] ? -1 : 1;
  return 0;
}
