/* Compiles an XML schema that refers to nothing outside of it. */
#include <libxml/parser.h>
#include <libxml/xmlerror.h>
#include <libxml/xmlschemas.h>
#include <stddef.h>
#include <stdint.h>

static void silent(void *context, const char *format, ...) {}

static xmlParserInputPtr nothing(const char *url, const char *id, xmlParserCtxtPtr context) { return NULL; }

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  xmlInitParser();
  xmlSetGenericErrorFunc(NULL, silent);
  xmlSetExternalEntityLoader(nothing);
  return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  xmlSchemaParserCtxtPtr context = xmlSchemaNewMemParserCtxt((const char *)data, (int)size);
  if (context == NULL) return 1;
  xmlSchemaSetParserErrors(context, silent, silent, NULL);
  xmlSchemaPtr schema = xmlSchemaParse(context);
  xmlSchemaFreeParserCtxt(context);
  int rejected = schema == NULL;
  if (schema != NULL) xmlSchemaFree(schema);
  xmlResetLastError();
  return rejected;
}
