/* LLVMFuzzerMutate, which custom mutators call for the ordinary changes. It is a member of its own, drawn only by who calls it. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static uint64_t state = 0x9e3779b97f4a7c15ull;

static uint32_t number(uint32_t n) { /* splitmix64 */
  uint64_t z = (state += 0x9e3779b97f4a7c15ull);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
  z ^= z >> 31;
  return n ? (uint32_t)(z % n) : 0;
}

/* plx_seed makes what follows repeat. */
void plx_seed(uint64_t seed) { state = seed * 0xd1342543de82ef95ull + 1; }

static size_t once(uint8_t *data, size_t size, size_t max) {
  static const uint8_t odd[] = {0, 1, 0x7f, 0x80, 0xff, ' ', '"', '\n'};
  size_t at = size ? number((uint32_t)size) : 0, n;
  switch (number(8)) {
  case 0:
    if (size) data[at] ^= (uint8_t)(1u << number(8));
    break;
  case 1:
    if (size) data[at] = (uint8_t)number(256);
    break;
  case 2:
    if (size) data[at] = odd[number(sizeof odd)];
    break;
  case 3:
    if (size) data[at] = (uint8_t)(data[at] + number(35) - 17);
    break;
  case 4: /* remove */
    if (size > 1) {
      n = 1 + number((uint32_t)(size - at < 16 ? size - at : 16));
      if (n > size - at) n = size - at;
      if (n == size) n = 1;
      memmove(data + at, data + at + n, size - at - n);
      size -= n;
    }
    break;
  case 5: /* insert */
    if (size < max) {
      memmove(data + at + 1, data + at, size - at);
      data[at] = (uint8_t)number(256);
      size++;
    }
    break;
  case 6: /* copy a part over another */
    if (size > 1) {
      size_t to = number((uint32_t)size);
      n = 1 + number(16);
      if (n > size - at) n = size - at;
      if (n > size - to) n = size - to;
      memmove(data + to, data + at, n);
    }
    break;
  default: /* repeat a part */
    if (size && size < max) {
      n = 1 + number(16);
      if (n > size - at) n = size - at;
      if (n > max - size) n = max - size;
      memmove(data + at + n, data + at, size - at);
      size += n;
    }
  }
  return size;
}

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max) {
  if (max == 0) return 0;
  if (size > max) size = max;
  for (uint32_t k = 1 + number(4); k > 0; k--) size = once(data, size, max);
  return size;
}
