/* Parses a document with its entities. The value is the document, written out. */
#include <libxml/parser.h>
#include <libxml/tree.h>
#include <libxml/xmlerror.h>
#include <parallax.h>
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
  xmlDocPtr document = xmlReadMemory((const char *)data, (int)size, "input.xml", NULL, XML_PARSE_RECOVER | XML_PARSE_NONET);
  int rejected = document == NULL;
  if (document != NULL) {
    xmlChar *text = NULL;
    int length = 0;
    xmlDocDumpMemory(document, &text, &length);
    if (text != NULL) parallax_output(text, length);
    xmlFree(text);
    xmlFreeDoc(document);
  }
  xmlResetLastError();
  return rejected;
}
