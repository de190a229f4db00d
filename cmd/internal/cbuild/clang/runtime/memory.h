/* The shared memory between a C program and parallax. package native (memory.go) has the same layout; a change is a new
 * PLX_VERSION on both sides. All numbers are little-endian, offsets are from the beginning of the memory. */
#ifndef PLX_MEMORY_H
#define PLX_MEMORY_H

#include <stdint.h>

#define PLX_MAGIC 0x31786c70u /* "plx1" */
#define PLX_VERSION 2u

enum { PLX_FRAMES = 64, PLX_REGIONS = 64, PLX_SLOTS = 256 };

enum plx_phase { PLX_STARTING, PLX_READY, PLX_RUNNING, PLX_EXITED };

enum plx_kind { PLX_RUN, PLX_MUTATE, PLX_CROSS };

/* what the driver wants, in plx_header.flags */
enum { PLX_WANT_ORDER = 1, PLX_WANT_OPERANDS = 2, PLX_WANT_LEAKS = 4 };

/* what the program has, in plx_header.can */
enum { PLX_CAN_MUTATE = 1, PLX_CAN_CROSS = 2, PLX_CAN_ORDER = 4, PLX_CAN_OPERANDS = 8, PLX_SANITIZED = 16, PLX_CAN_LEAKS = 32 };

/* outcomes */
enum { PLX_NONE, PLX_ACCEPTED, PLX_REJECTED, PLX_DECLINED, PLX_CRASHED, PLX_LEAKED, PLX_HUNG };

struct plx_region {
  uint64_t counters; /* how many */
  uint64_t pcs;      /* address of its table of addresses, which says whose it is */
};

struct plx_header {
  uint32_t magic, version;
  uint32_t request;  /* 8: futex. The driver adds one for each batch */
  uint32_t response; /* 12: futex. The program sets it to request when the batch is done */
  uint32_t count;    /* 16: inputs of the batch */
  uint32_t current;  /* 20: the input under way */
  uint32_t kind;     /* 24: plx_kind */
  uint32_t flags;    /* 28 */
  uint32_t phase;    /* 32: plx_phase */
  uint32_t can;      /* 36 */
  uint32_t signal;   /* 40: what ended the process, 0 if it was no signal */
  uint32_t frames;   /* 44: addresses in frame */
  uint32_t regions;  /* 48 */
  uint32_t late;     /* 52: regions that came after the first input, and are not counted */
  uint64_t counters; /* 56: of all regions */
  uint64_t fault;    /* 64: address that could not be accessed */
  uint64_t in_off, in_size;     /* 72: inputs, one after another */
  uint64_t hits_off, hits_size; /* 88: what was executed, see plx_slot */
  uint64_t out_off, out_size;   /* 104: outputs and messages */
  uint64_t op_off, op_size;     /* 120: operands */
  uint32_t op_count;            /* 136: records there */
  uint32_t op_text;             /* 140: bytes of text behind the records' room */
  uint64_t tick;                /* 144: nanoseconds of processor time that an input may take; 0: no limit */
  uint64_t seed;                /* 152: of PLX_MUTATE */
  uint64_t maps_len;            /* 160: bytes at PLX_MAPS: /proc/self/maps of the program when it was ready */
  uint64_t frame[PLX_FRAMES];   /* 168 */
  struct plx_region region[PLX_REGIONS]; /* 680 */
  uint32_t looks;               /* 1704: how often leaks were looked for */
  uint32_t leaked;              /* 1708: one of the batch's suspects leaks, or several */
  uint8_t suspect[PLX_SLOTS];   /* 1712: which inputs of the batch may leak: they kept memory, and were not looked at alone */
};

/* one input of the batch. The first two are the driver's */
struct plx_slot {
  uint64_t in_off; /* from in_off of the header */
  uint32_t in_len;
  uint32_t in_max;   /* PLX_MUTATE: longest result */
  uint32_t outcome;  /* 16 */
  int32_t code;      /* 20: what LLVMFuzzerTestOneInput returned */
  uint64_t length;   /* 24: blocks executed, with repetition; modulo 256 a block in the sanitize build */
  uint64_t set[2];   /* 32: hash of the set of blocks */
  uint64_t counts;   /* 48: hash of the set with hit-count buckets */
  uint32_t edges;    /* 56: blocks executed */
  uint32_t words;    /* 60: hits: pairs of (index of 8 counters, the counters), 12 bytes each; ~0: there was no room */
  uint64_t hits_off; /* 64: from hits_off of the header */
  uint32_t order;    /* 72: blocks in the order of their first execution behind the hits, 4 bytes each */
  uint32_t out_len;  /* 76 */
  uint64_t out_off;  /* 80: from out_off of the header */
  uint32_t why_len;  /* 88: bytes of message behind the output */
  uint32_t lost;     /* 92: bytes of output for which there was no room */
};

/* a comparison. Texts are at from op_off + text offsets */
struct plx_op {
  uint64_t site; /* address of the call */
  uint64_t a, b; /* integers */
  uint8_t kind;  /* numbers of package operand */
  uint8_t width;
  uint8_t flags; /* 1: a is a constant; 2: b is */
  uint8_t pad;
  uint16_t s_len, t_len;
  uint32_t s_off, t_off; /* from op_off */
};

_Static_assert(sizeof(struct plx_header) == 1712 + PLX_SLOTS, "layout of plx_header");
_Static_assert(sizeof(struct plx_slot) == 96, "layout of plx_slot");
_Static_assert(sizeof(struct plx_op) == 40, "layout of plx_op");

/* the header, the slots, the maps; what the header's offsets name comes after them */
enum { PLX_HEADER = 4096, PLX_MAPS = PLX_HEADER + 96 * PLX_SLOTS, PLX_MAPS_SIZE = 65536, PLX_MAX_OPS = 2048 };

#endif
