// Reads a number, with leading zeros, modulo a thousand, and dies of a certain one.
#include <parallax.h>
#include <stdexcept>
#include <string>

static unsigned number(const std::string &text) {
  unsigned sum = 0;
  for (char c : text) {
    if (c < '0' || c > '9') throw std::invalid_argument("no number");
    sum = (10 * sum + (unsigned)(c - '0')) % 1000;
  }
  if (text.size() == 4 && sum == 777) throw std::runtime_error("lucky");
  return sum;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size == 0 || size > 4) return -1;
  try {
    std::string out = std::to_string(number(std::string(reinterpret_cast<const char *>(data), size)));
    parallax_output(out.data(), out.size());
  } catch (const std::invalid_argument &e) {
    return 2;
  }
  return 0;
}
