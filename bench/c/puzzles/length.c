// Two bytes hold the length of what follows, which is as long, and not short.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < 2) return 0;
  size_t length = (size_t)data[0] << 8 | data[1];
  if (length == size - 2 && length >= 40) abort();
  return 0;
}
