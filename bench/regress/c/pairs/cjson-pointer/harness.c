/* The first line is a JSON pointer, the rest a document. The value is what the pointer leads to. */
#include <cJSON.h>
#include <cJSON_Utils.h>
#include <parallax.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char pointer[256];
  const uint8_t *end = memchr(data, '\n', size);
  if (end == NULL || (size_t)(end - data) >= sizeof pointer) return -1;
  memcpy(pointer, data, end - data);
  pointer[end - data] = 0;
  cJSON *document = cJSON_ParseWithLength((const char *)end + 1, size - (end + 1 - data));
  if (document == NULL) return 1;
  cJSON *found = cJSONUtils_GetPointerCaseSensitive(document, pointer);
  if (found != NULL) {
    char *text = cJSON_PrintUnformatted(found);
    if (text != NULL) parallax_output(text, strlen(text));
    free(text);
  }
  cJSON_Delete(document);
  return found != NULL ? 0 : 2;
}
