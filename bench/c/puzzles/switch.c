// A number of four bytes chooses one of some cases, each of which does something else; one of them is wrong.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static volatile int done;
  uint32_t tag;
  if (size < 8) return 0;
  memcpy(&tag, data + 2, 4);
  switch (tag) {
  case 0x52444849: done = 3; break;
  case 0x45544c50: done += 7; break;
  case 0x54414449: done *= 5; break;
  case 0x444e4549: done -= 1; break;
  case 0x74584574: done ^= 9; break;
  case 0x54585469: abort();
  case 0x73594870: done = -done; break;
  }
  return 0;
}
