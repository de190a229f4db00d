/* Parses JSON. The value is its strings, one after another. */
#include <parallax.h>
#include <stdint.h>
#include <yajl/yajl_parse.h>

static int string(void *context, const unsigned char *text, size_t size) {
  parallax_output(text, size);
  parallax_output("\n", 1);
  return 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const yajl_callbacks callbacks = {.yajl_string = string, .yajl_map_key = string};
  yajl_handle parser = yajl_alloc(&callbacks, NULL, NULL);
  yajl_status status = yajl_parse(parser, data, size);
  if (status == yajl_status_ok) status = yajl_complete_parse(parser);
  yajl_free(parser);
  return status != yajl_status_ok;
}
