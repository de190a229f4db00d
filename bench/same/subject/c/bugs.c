/* One bug of each kind that a sanitizer or the process itself tells, behind a word each. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static volatile char *kept;
static volatile int sink;

static void overflow(const uint8_t *data, size_t size) {
  char *copy = malloc(size);
  memcpy(copy, data, size);
  sink = copy[size + data[4] % 4];
  free(copy);
}

static void leak(size_t size) { /* several times: a register may still know the last one */
  for (int i = 0; i < 8; i++) {
    kept = malloc(size + 16);
    kept[0] = 1;
  }
  kept = NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 5) return -1;
  if (!memcmp(data, "over", 4)) overflow(data, size);
  if (!memcmp(data, "leak", 4)) leak(size);
  if (!memcmp(data, "left", 4)) sink = 1 << (32 + (data[4] & 1));
  if (!memcmp(data, "quit", 4)) exit(7);
  assert(memcmp(data, "done", 4));
  return data[0] != 'o';
}
