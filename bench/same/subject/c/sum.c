/* A bug behind a checksum, and a mutator that puts the checksum right. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max);

static uint32_t sum(const uint8_t *data, size_t size) {
  uint32_t h = 2166136261u;
  for (size_t i = 0; i < size; i++) h = (h ^ data[i]) * 16777619u;
  return (h ^ h >> 15) * 2246822519u;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  uint32_t told;
  if (size < 5) return 1;
  memcpy(&told, data, 4);
  uint32_t is = sum(data + 4, size - 4);
  for (int i = 0; i < 32; i++) /* bit by bit, so that no comparison tells the sum */
    if ((told ^ is) >> i & 1) return 2;
  if (data[4] == 'p') abort();
  return 0;
}

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max, unsigned seed) {
  (void)seed;
  if (max < 5) return 0;
  if (size < 5) memset(data, 0, 5), size = 5;
  size = 4 + LLVMFuzzerMutate(data + 4, size - 4, max - 4);
  uint32_t s = sum(data + 4, size - 4);
  memcpy(data, &s, 4);
  return size;
}
