/* Reads JSON into a tree. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <yajl/yajl_tree.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char error[256];
  char *text = malloc(size + 1);
  memcpy(text, data, size);
  text[size] = 0;
  yajl_val tree = yajl_tree_parse(text, error, sizeof error);
  free(text);
  if (tree == NULL) return 1;
  yajl_tree_free(tree);
  return 0;
}
