// The input is a number in decimal digits, which the C library reads, where nothing is counted.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

// The input as a string.
static char *text(const uint8_t *data, size_t size) {
  char *copy = malloc(size + 1);
  memcpy(copy, data, size);
  copy[size] = 0;
  return copy;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char *s = text(data, size);
  if (strtol(s, NULL, 10) == 271828) abort();
  free(s);
  return 0;
}
