// Twelve bytes are compared at once.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const uint8_t header[12] = {0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, 0xfe, 0x10, 0x7d, 0x0a};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size >= 16 && memcmp(data, header, sizeof header) == 0) abort();
  return 0;
}
