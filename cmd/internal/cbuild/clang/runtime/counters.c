/* Reads the counters of SanitizerCoverage. With PLX_GUARDS those of the program are ours, filled by calls, so that the order of first
 * executions is known; without, and in shared libraries, they are inline 8-bit counters, with the lengths of paths beside them. */
#include <stdlib.h>
#include <string.h>

#include "internal.h"

typedef uint64_t u64;
typedef uint32_t u32;

struct region {
  unsigned char *start;
  size_t n;
  u32 first; /* number of its first counter; a multiple of 8, so that words of regions have numbers of their own */
  int in_line; /* the code itself counts: nothing is known of the order */
  int gone;    /* with its library */
};

static struct region regions[PLX_REGIONS];
static u32 region_count, late, frozen;
static const void *tables[PLX_REGIONS];
static u32 table_count;
static u64 hits_used;

struct plx_header *plx_memory;
struct plx_slot *plx_now;

static u32 after(const struct region *r) { return (u32)((r->first + r->n + 7) & ~(size_t)7); }

static u32 add_region(unsigned char *start, size_t n) {
  if (n == 0) return ~0u;
  for (u32 i = 0; i < region_count; i++)
    if (regions[i].start == start && !regions[i].gone) return i; /* constructors of several objects announce the same range */
  if (frozen || region_count == PLX_REGIONS) {
    late++;
    if (plx_memory) plx_memory->late = late;
    return ~0u;
  }
  struct region *r = &regions[region_count];
  r->start = start;
  r->n = n;
  r->first = region_count ? after(r - 1) : 0;
  return region_count++;
}

/* Blocks executed, with repetition. Each program and library has its own, which its code adds to directly: the assembler of
 * parallax cc puts an increment in the place of the calls of __sanitizer_cov_trace_pc, of one after another of the eight, so that
 * no increment waits for the one before. */
__attribute__((visibility("hidden"))) u64 plx_path[8];
static u64 *paths[PLX_REGIONS] = {plx_path};
static u32 path_count = 1;

/* plx_path_init announces those of a library. */
void plx_path_init(u64 *path) {
  for (u32 i = 0; i < path_count; i++)
    if (paths[i] == path) return;
  if (path_count < PLX_REGIONS && !frozen) paths[path_count++] = path;
}

/* Where the calls were left as they are. */
void __sanitizer_cov_trace_pc(void) { plx_path[0]++; }

static u64 take_path(void) {
  u64 n = 0;
  for (u32 i = 0; i < path_count; i++)
    for (u32 k = 0; k < 8; k++) {
      n += paths[i][k];
      paths[i][k] = 0;
    }
  return n;
}

void __sanitizer_cov_8bit_counters_init(char *start, char *stop) {
  u32 i = add_region((unsigned char *)start, (size_t)(stop - start));
  if (i != ~0u) regions[i].in_line = 1;
}

#ifdef PLX_GUARDS

static u64 path;
static u32 *order, order_n, order_room;

void __sanitizer_cov_trace_pc_guard_init(u32 *start, u32 *stop) {
  if (start == stop || *start) return;
  size_t n = (size_t)(stop - start);
  unsigned char *c = calloc(n + 64, 1);
  u32 i = c ? add_region(c, n) : ~0u;
  for (size_t k = 0; k < n; k++) start[k] = i == ~0u ? ~0u : regions[i].first + (u32)k + 1;
}

static unsigned char *counter(u32 id) {
  if (region_count == 1) return regions[0].start + id;
  for (u32 i = region_count; i-- > 0;)
    if (id >= regions[i].first) return regions[i].start + (id - regions[i].first);
  return regions[0].start + id;
}

void __sanitizer_cov_trace_pc_guard(u32 *guard) {
  u32 id = *guard - 1;
  if (id >= order_room) return; /* not counted, or before the first input */
  path++;
  unsigned char *c = counter(id);
  if (!*c && order_n < order_room) order[order_n++] = id;
  if (!++*c) *c = 1; /* executed all the same */
}

/* order_in_line puts blocks of libraries behind those whose order is known. */
static void order_in_line(void) {
  for (u32 i = 0; i < region_count; i++)
    for (size_t k = 0; regions[i].in_line && !regions[i].gone && k < regions[i].n; k++)
      if (regions[i].start[k] && order_n < order_room) order[order_n++] = regions[i].first + (u32)k;
}

#endif

void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop) {
  for (u32 i = 0; i < table_count; i++)
    if (tables[i] == start) return;
  if (start != stop && table_count < PLX_REGIONS && !frozen) tables[table_count++] = start;
}

void __sanitizer_cov_cfs_init(const uintptr_t *start, const uintptr_t *stop) { (void)start, (void)stop; }

/* plx_gone is told by a library that is closed. */
void plx_gone(const void *counters, const u64 *path) {
  for (u32 i = 0; i < region_count; i++)
    if (regions[i].start == counters) regions[i].gone = 1, tables[i] = NULL;
  for (u32 i = 0; i < path_count; i++)
    if (paths[i] == path) paths[i] = paths[--path_count];
}

void plx_freeze(void) {
  u32 n = 0;
  for (u32 i = 0; i < region_count; i++) { /* what is gone needs no numbers; it came after the program, whose guards have theirs */
    if (regions[i].gone) continue;
    regions[n] = regions[i];
    regions[n].first = n ? after(&regions[n - 1]) : 0;
    tables[n++] = tables[i];
  }
  region_count = n;
  if (table_count > n) table_count = n;
  frozen = 1;
  struct plx_header *h = plx_memory;
  h->regions = region_count;
  h->counters = 0;
  for (u32 i = 0; i < region_count; i++) {
    h->region[i].counters = regions[i].n;
    h->region[i].pcs = i < table_count ? (u64)(uintptr_t)tables[i] : 0;
    h->counters = regions[i].first + regions[i].n;
  }
#ifdef PLX_GUARDS
  order = malloc(h->counters * sizeof *order + 1);
  order_room = order ? (u32)h->counters : 0;
#endif
}

void plx_clear(void) {
  for (u32 i = 0; i < region_count; i++)
    if (!regions[i].gone) memset(regions[i].start, 0, regions[i].n);
  take_path();
#ifdef PLX_GUARDS
  path = 0, order_n = 0;
#endif
}

void plx_begin_hits(void) { hits_used = 0; }

/* Hit-count buckets of AFL (1, 2, 3, 4-7, 8-15, 16-31, 32-127, 128 and more) for the eight counters of a word. */
static inline u64 buckets(u64 w) {
  if (!(w & 0xfcfcfcfcfcfcfcfcull)) return w; /* up to three, each a bucket of its own */
  u64 b = 0;
  for (u64 s = 0; s < 64; s += 8) {
    u64 c = (w >> s) & 0xff;
    b |= (c < 4 ? c : c < 8 ? 4 : c < 16 ? 8 : c < 32 ? 16 : c < 128 ? 32 : 64ull) << s;
  }
  return b;
}

static inline u64 fold(u64 a, u64 b) {
  unsigned __int128 m = (unsigned __int128)a * b;
  return (u64)m ^ (u64)(m >> 64);
}

struct digest {
  u64 set0, set1, counts, length;
  u32 edges, words;
  unsigned char *at, *end;
};

static inline void word(struct digest *d, u32 index, u64 w) {
  u64 on = ((((w & 0x7f7f7f7f7f7f7f7full) + 0x7f7f7f7f7f7f7f7full) | w) & 0x8080808080808080ull) >> 7;
  u64 key = (u64)index * 0x9e3779b97f4a7c15ull;
  /* Three independent products, so that neither operand is often zero and none waits for another. */
  d->set0 = fold(d->set0 ^ on ^ 0x2d358dccaa6c78a5ull, key ^ 0x8bb84b93962eacc9ull);
  d->set1 = fold(d->set1 ^ key ^ 0x4b33a62ed433d4a3ull, on ^ 0x4d5a2da51de1aa47ull);
  d->counts = fold(d->counts ^ buckets(w) ^ 0xa0761d6478bd642full, key ^ 0xe7037ed1a0b428dbull);
  d->edges += (u32)__builtin_popcountll(on);
  u64 pairs = (w & 0x00ff00ff00ff00ffull) + ((w >> 8) & 0x00ff00ff00ff00ffull);
  d->length += (pairs * 0x0001000100010001ull) >> 48;
  if (d->at + 12 <= d->end) {
    memcpy(d->at, &index, 4);
    memcpy(d->at + 4, &w, 8);
    d->at += 12;
    d->words++;
  } else {
    d->words = ~0u;
    d->end = d->at; /* and nothing after it */
  }
}

typedef u64 vector __attribute__((vector_size(16), aligned(1)));

static void scan(struct digest *d, unsigned char *c, size_t n, u32 first) {
  size_t i = 0;
  for (; i + 64 <= n; i += 64) {
    vector *v = (vector *)(c + i);
    vector any = (v[0] | v[1]) | (v[2] | v[3]);
    if (!(any[0] | any[1])) continue;
    for (size_t k = i; k < i + 64; k += 8) {
      u64 w;
      memcpy(&w, c + k, 8);
      if (!w) continue;
      word(d, (first + (u32)k) >> 3, w);
      memset(c + k, 0, 8);
    }
  }
  for (; i < n; i += 8) {
    u64 w = 0;
    size_t m = n - i < 8 ? n - i : 8;
    memcpy(&w, c + i, m);
    if (!w) continue;
    word(d, (first + (u32)i) >> 3, w);
    memset(c + i, 0, m);
  }
}

void plx_digest(struct plx_slot *slot) {
  struct plx_header *h = plx_memory;
#ifdef PLX_GUARDS
  if (h->flags & PLX_WANT_ORDER) order_in_line();
#endif
  unsigned char *base = (unsigned char *)h + h->hits_off;
  struct digest d = {.at = base + hits_used, .end = base + h->hits_size};
  for (u32 i = 0; i < region_count; i++)
    if (!regions[i].gone) scan(&d, regions[i].start, regions[i].n, regions[i].first);
  slot->set[0] = d.set0, slot->set[1] = d.set1, slot->counts = d.counts;
  slot->length = d.length, slot->edges = d.edges, slot->words = d.words;
  slot->hits_off = hits_used;
  slot->order = 0;
  if (d.words != ~0u) hits_used += 12ull * d.words;
  u64 exact = take_path();
#ifdef PLX_GUARDS
  exact += path;
  if (h->flags & PLX_WANT_ORDER) {
    u64 left = (h->hits_size - hits_used) / 4;
    slot->order = order_n < left ? order_n : (u32)left;
    memcpy(base + hits_used, order, 4ull * slot->order);
    hits_used += 4ull * slot->order;
  }
  path = 0, order_n = 0;
#endif
#ifdef PLX_SANITIZE
  exact = 0; /* only libraries count there */
#endif
  if (exact) slot->length = exact;
}
