// Decompresses what lrzip -z writes for a block, by lrzip's copy of libzpaq, into at most 64 KiB.
#include <stdint.h>
#include <stdlib.h>
#include <parallax.h>

// error() of libzpaq.cpp ends the process, and a header of a few bytes may ask for 4 GiB.
struct Refused {};
static void *limited(size_t count, size_t size) { return size == 0 || count > (64 << 20) / size ? nullptr : calloc(count, size); }
#define exit(code) throw Refused()
#define calloc limited
#include "libzpaq.cpp"
#undef exit
#undef calloc

struct Limited : public libzpaq::Writer {
  unsigned char text[1 << 16];
  size_t size = 0;
  void put(int c) {
    if (size == sizeof text) throw Refused();
    text[size++] = (unsigned char)c;
  }
};

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  i64 left = (i64)size;
  int percent = 0;
  bufRead in((uchar *)data, &left, left, &percent, false, 0, nullptr);
  Limited out;
  try {
    libzpaq::decompress(&in, &out);
  } catch (Refused &) {
    return 1;
  }
  parallax_output(out.text, out.size);
  return 0;
}
