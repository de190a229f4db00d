/* Parses JSON of a length. The value is the document, printed. */
#include <cJSON.h>
#include <parallax.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  cJSON *document = cJSON_ParseWithLength((const char *)data, size);
  if (document == NULL) return 1;
  char *text = cJSON_PrintUnformatted(document);
  if (text != NULL) parallax_output(text, strlen(text));
  free(text);
  cJSON_Delete(document);
  return 0;
}
