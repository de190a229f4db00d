// Some bytes are anywhere in the input.
#define _GNU_SOURCE
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (memmem(data, size, "\x00\x00\x01\xb3\x80\x7f\xc5", 7) != NULL) abort();
  return 0;
}
