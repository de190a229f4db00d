/* What the files of the runtime share. */
#ifndef PLX_INTERNAL_H
#define PLX_INTERNAL_H

#include <stddef.h>

#include "memory.h"

extern struct plx_header *plx_memory; /* nil: nobody watches, and all calls do nothing */
extern struct plx_slot *plx_now;      /* the input under way */

/* counters.c: what was executed */
void plx_freeze(void);                  /* regions that come later are not counted */
void plx_clear(void);                   /* forget what was executed */
void plx_begin_hits(void);              /* of a batch */
void plx_digest(struct plx_slot *slot); /* tell and forget what was executed */

/* operands.c */
void plx_operands(int on);

/* loop.c */
extern char plx_why[4096];
int plx_serve(int argc, char **argv);

#endif
