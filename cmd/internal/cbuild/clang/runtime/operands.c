/* Records what comparisons compare, in the operands build: integers by calls that the compiler puts in (trace-cmp), memory and
 * strings by wrapped functions of the C library (ld --wrap). In other builds nothing is recorded. */
#define _GNU_SOURCE
#include <stddef.h>
#include <string.h>
#include <strings.h>

#include "internal.h"

#ifndef PLX_GUARDS

void plx_operands(int on) { (void)on; }

#else

typedef uint64_t u64;
typedef uint32_t u32;

/* Of package operand: what is compared how. Callbacks do not say whether integers are compared for equality or order; with
 * order, values beside the operand are tried as well. */
enum { INT_ORDER = 2, STRING_EQUAL = 3, CONTAINS = 7, FOLD = 8, LOOKUP = 9 };

enum { MOST_TEXT = 256, PER_SITE = 16, SITES = 4096 };

static int recording;
static unsigned char seen[SITES];

void plx_operands(int on) {
  if (on && plx_memory->op_size) {
    plx_memory->op_count = plx_memory->op_text = 0;
    memset(seen, 0, sizeof seen);
    recording = 1;
  } else {
    recording = 0;
  }
}

/* next is the record for a comparison, nil if enough is known of its site. */
static struct plx_op *next(void *site) {
  struct plx_header *h = plx_memory;
  u32 slot = (u32)(((u64)(uintptr_t)site * 0x9e3779b97f4a7c15ull) >> 52);
  if (seen[slot] >= PER_SITE || h->op_count >= PLX_MAX_OPS) return NULL;
  seen[slot]++;
  struct plx_op *op = (struct plx_op *)((char *)h + h->op_off) + h->op_count++;
  memset(op, 0, sizeof *op);
  op->site = (u64)(uintptr_t)site;
  return op;
}

static void integers(void *site, u64 a, u64 b, int width, int kind, int flags) {
  struct plx_op *op;
  if (!recording || (a == b && kind != LOOKUP) || !(op = next(site))) return;
  op->a = a, op->b = b;
  op->kind = (unsigned char)kind, op->width = (unsigned char)width, op->flags = (unsigned char)flags;
}

#define SITE __builtin_return_address(0)

void __sanitizer_cov_trace_cmp1(uint8_t a, uint8_t b) { integers(SITE, a, b, 1, INT_ORDER, 0); }
void __sanitizer_cov_trace_cmp2(uint16_t a, uint16_t b) { integers(SITE, a, b, 2, INT_ORDER, 0); }
void __sanitizer_cov_trace_cmp4(uint32_t a, uint32_t b) { integers(SITE, a, b, 4, INT_ORDER, 0); }
void __sanitizer_cov_trace_cmp8(uint64_t a, uint64_t b) { integers(SITE, a, b, 8, INT_ORDER, 0); }
void __sanitizer_cov_trace_const_cmp1(uint8_t a, uint8_t b) { integers(SITE, a, b, 1, INT_ORDER, 1); }
void __sanitizer_cov_trace_const_cmp2(uint16_t a, uint16_t b) { integers(SITE, a, b, 2, INT_ORDER, 1); }
void __sanitizer_cov_trace_const_cmp4(uint32_t a, uint32_t b) { integers(SITE, a, b, 4, INT_ORDER, 1); }
void __sanitizer_cov_trace_const_cmp8(uint64_t a, uint64_t b) { integers(SITE, a, b, 8, INT_ORDER, 1); }

void __sanitizer_cov_trace_switch(uint64_t value, uint64_t *cases) { /* number of cases, bits of the value, constants */
  if (!recording) return;
  for (u64 i = 0; i < cases[0] && i < PER_SITE; i++) integers(SITE, value, cases[2 + i], (int)(cases[1] / 8 ? cases[1] / 8 : 1), LOOKUP, 2);
}

static u32 text(const char *s, size_t n) {
  struct plx_header *h = plx_memory;
  u64 at = (u64)PLX_MAX_OPS * sizeof(struct plx_op) + h->op_text;
  if (at + n > h->op_size) return 0;
  memcpy((char *)h + h->op_off + at, s, n);
  h->op_text += (u32)n;
  return (u32)at;
}

static void strings(void *site, const void *s, size_t sn, const void *t, size_t tn, int kind) {
  struct plx_op *op;
  if (sn > MOST_TEXT) sn = MOST_TEXT;
  if (tn > MOST_TEXT) tn = MOST_TEXT;
  struct plx_header *h = plx_memory;
  if ((u64)PLX_MAX_OPS * sizeof(struct plx_op) + h->op_text + sn + tn > h->op_size || !(op = next(site))) return;
  op->kind = (unsigned char)kind;
  op->s_len = (uint16_t)sn, op->t_len = (uint16_t)tn;
  op->s_off = text(s, sn), op->t_off = text(t, tn);
}

/* A call with null pointers is the harness's fault, and is to fail where it would without us: recorded only what can be read. */

int __real_memcmp(const void *, const void *, size_t);
int __wrap_memcmp(const void *a, const void *b, size_t n) {
  int r = __real_memcmp(a, b, n);
  if (recording && r) strings(SITE, a, n, b, n, STRING_EQUAL);
  return r;
}

int __real_bcmp(const void *, const void *, size_t);
int __wrap_bcmp(const void *a, const void *b, size_t n) {
  int r = __real_bcmp(a, b, n);
  if (recording && r) strings(SITE, a, n, b, n, STRING_EQUAL);
  return r;
}

int __real_strcmp(const char *, const char *);
int __wrap_strcmp(const char *a, const char *b) {
  int r = __real_strcmp(a, b);
  if (recording && r) strings(SITE, a, strnlen(a, MOST_TEXT), b, strnlen(b, MOST_TEXT), STRING_EQUAL);
  return r;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

int __real_strncmp(const char *, const char *, size_t);
int __wrap_strncmp(const char *a, const char *b, size_t n) {
  int r = __real_strncmp(a, b, n);
  n = least(n, MOST_TEXT);
  if (recording && r) strings(SITE, a, strnlen(a, n), b, strnlen(b, n), STRING_EQUAL);
  return r;
}

int __real_strcasecmp(const char *, const char *);
int __wrap_strcasecmp(const char *a, const char *b) {
  int r = __real_strcasecmp(a, b);
  if (recording && r) strings(SITE, a, strnlen(a, MOST_TEXT), b, strnlen(b, MOST_TEXT), FOLD);
  return r;
}

int __real_strncasecmp(const char *, const char *, size_t);
int __wrap_strncasecmp(const char *a, const char *b, size_t n) {
  int r = __real_strncasecmp(a, b, n);
  n = least(n, MOST_TEXT);
  if (recording && r) strings(SITE, a, strnlen(a, n), b, strnlen(b, n), FOLD);
  return r;
}

char *__real_strstr(const char *, const char *);
char *__wrap_strstr(const char *a, const char *b) {
  char *r = __real_strstr(a, b);
  if (recording && !r) strings(SITE, a, strnlen(a, MOST_TEXT), b, strnlen(b, MOST_TEXT), CONTAINS);
  return r;
}

void *__real_memmem(const void *, size_t, const void *, size_t);
void *__wrap_memmem(const void *a, size_t an, const void *b, size_t bn) {
  void *r = __real_memmem(a, an, b, bn);
  if (recording && !r) strings(SITE, a, an, b, bn, CONTAINS);
  return r;
}

/* std::string of libstdc++, whose functions for char are in its shared library and compare there. These are its functions again, with
 * its layout and, by their mangled names, its place at the link; where they throw, they themselves are called. */
struct cxx_string {
  const char *data;
  size_t size;
};

#define STRING(function) _ZNKSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEE##function
#define JOIN(a, b) a##b
#define IN_PLACE(name) JOIN(__wrap_, name)
#define ITSELF(name) JOIN(__real_, name)

static int compare(void *site, const char *a, size_t an, const char *b, size_t bn) {
  size_t n = least(an, bn);
  int r = n ? __real_memcmp(a, b, n) : 0;
  ptrdiff_t longer = (ptrdiff_t)(an - bn);
  if (!r) r = longer > 0x7fffffff ? 0x7fffffff : longer < -0x7fffffff - 1 ? -0x7fffffff - 1 : (int)longer;
  if (recording && r) strings(site, a, an, b, bn, STRING_EQUAL);
  return r;
}

int IN_PLACE(STRING(7compareEPKc))(const struct cxx_string *s, const char *t) { return compare(SITE, s->data, s->size, t, strlen(t)); }

int IN_PLACE(STRING(7compareERKS4_))(const struct cxx_string *s, const struct cxx_string *t) { return compare(SITE, s->data, s->size, t->data, t->size); }

__attribute__((weak)) int ITSELF(STRING(7compareEmmPKc))(const struct cxx_string *, size_t, size_t, const char *);
int IN_PLACE(STRING(7compareEmmPKc))(const struct cxx_string *s, size_t from, size_t n, const char *t) {
  if (from > s->size) return ITSELF(STRING(7compareEmmPKc))(s, from, n, t);
  return compare(SITE, s->data + from, least(n, s->size - from), t, strlen(t));
}

__attribute__((weak)) int ITSELF(STRING(7compareEmmPKcm))(const struct cxx_string *, size_t, size_t, const char *, size_t);
int IN_PLACE(STRING(7compareEmmPKcm))(const struct cxx_string *s, size_t from, size_t n, const char *t, size_t tn) {
  if (from > s->size) return ITSELF(STRING(7compareEmmPKcm))(s, from, n, t, tn);
  return compare(SITE, s->data + from, least(n, s->size - from), t, tn);
}

__attribute__((weak)) int ITSELF(STRING(7compareEmmRKS4_))(const struct cxx_string *, size_t, size_t, const struct cxx_string *);
int IN_PLACE(STRING(7compareEmmRKS4_))(const struct cxx_string *s, size_t from, size_t n, const struct cxx_string *t) {
  if (from > s->size) return ITSELF(STRING(7compareEmmRKS4_))(s, from, n, t);
  return compare(SITE, s->data + from, least(n, s->size - from), t->data, t->size);
}

static size_t find(void *site, const struct cxx_string *s, const char *t, size_t from, size_t n) {
  if (n == 0) return from <= s->size ? from : (size_t)-1;
  const char *r = from < s->size ? __real_memmem(s->data + from, s->size - from, t, n) : NULL;
  if (recording && !r) strings(site, s->data, s->size, t, n, CONTAINS);
  return r ? (size_t)(r - s->data) : (size_t)-1;
}

static size_t rfind(void *site, const struct cxx_string *s, const char *t, size_t from, size_t n) {
  if (n <= s->size)
    for (size_t i = least(s->size - n, from) + 1; i-- > 0;)
      if (!n || !__real_memcmp(s->data + i, t, n)) return i;
  if (recording) strings(site, s->data, s->size, t, n, CONTAINS);
  return (size_t)-1;
}

/* with a text and its length, with a text, and with another string */
#define FINDS(function, mangled)                                                                                                                       \
  size_t IN_PLACE(STRING(mangled##EPKcmm))(const struct cxx_string *s, const char *t, size_t from, size_t n) { return function(SITE, s, t, from, n); } \
  size_t IN_PLACE(STRING(mangled##EPKcm))(const struct cxx_string *s, const char *t, size_t from) { return function(SITE, s, t, from, strlen(t)); }     \
  size_t IN_PLACE(STRING(mangled##ERKS4_m))(const struct cxx_string *s, const struct cxx_string *t, size_t from) { return function(SITE, s, t->data, from, t->size); }

FINDS(find, 4find)
FINDS(rfind, 5rfind)

#endif
