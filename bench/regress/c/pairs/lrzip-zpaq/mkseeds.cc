// Writes the seeds and the witness of this pair with lrzip's compressor, into the folder that it is given:
//
//     g++ -DNOJIT -IREPOSITORY/src/libzpaq mkseeds.cc -o mkseeds && ./mkseeds .
#include "libzpaq.cpp"

#include <string>

struct Text : public libzpaq::Reader {
  std::string text;
  size_t at = 0;
  int get() { return at < text.size() ? (unsigned char)text[at++] : -1; }
};

struct File : public libzpaq::Writer {
  FILE *file;
  void put(int c) { putc(c, file); }
};

static std::string lines() {
  std::string text;
  for (int i = 0; i < 12; i++) text += "line " + std::to_string(i) + " of a text that is compressed\n";
  return text;
}

// One ICM of 64 * 2^4 bytes, whose context is always the same.
static const char small[] = {10, 0, 0, 0, 0, 0, 1, 3, 4, 0, 56, 0};

static void block(const std::string &path, const char *model, const char *program, int size) {
  Text in;
  in.text = lines();
  File out;
  out.file = fopen(path.c_str(), "wb");
  libzpaq::Compressor c;
  c.setOutput(&out);
  if (model != nullptr) c.startBlock(model);
  else c.startBlock(1); // lrzip's own, for its levels 1 to 3
  c.startSegment();
  c.setInput(&in);
  c.postProcess(program, size);
  c.compress();
  c.endSegment();
  c.endBlock();
  fclose(out.file);
}

int main(int, char **arguments) {
  const std::string to = arguments[1];
  const char program[] = {3, 0, 57, 56, 0}; // writes each byte as it is
  const char nothing[] = {0, 0};
  block(to + "/seeds/level1.zpaq", nullptr, nullptr, 0);
  block(to + "/seeds/small.zpaq", small, nullptr, 0);
  block(to + "/seeds/program.zpaq", small, program, 0);
  block(to + "/witness/empty-program.zpaq", small, nothing, 0);
}
