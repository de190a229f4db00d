/* The first line is a pattern (a part of XPath), the rest a document. The value says which of the document's nodes match. */
#include <libxml/parser.h>
#include <libxml/pattern.h>
#include <libxml/xmlerror.h>
#include <parallax.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static void silent(void *context, const char *format, ...) {}

static xmlParserInputPtr nothing(const char *url, const char *id, xmlParserCtxtPtr context) { return NULL; }

int LLVMFuzzerInitialize(int *argc, char ***argv) {
  xmlInitParser();
  xmlSetGenericErrorFunc(NULL, silent);
  xmlSetExternalEntityLoader(nothing);
  return 0;
}

static void match(xmlPatternPtr pattern, xmlNodePtr node) {
  for (; node != NULL; node = node->next) {
    if (node->type == XML_ELEMENT_NODE) {
      parallax_output(xmlPatternMatch(pattern, node) == 1 ? "+" : "-", 1);
      match(pattern, node->children);
    }
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const xmlChar *namespaces[] = {(const xmlChar *)"urn:n", (const xmlChar *)"n", NULL, NULL};
  char text[256];
  const uint8_t *end = memchr(data, '\n', size);
  if (end == NULL || (size_t)(end - data) >= sizeof text) return -1;
  memcpy(text, data, end - data);
  text[end - data] = 0;
  xmlPatternPtr pattern = xmlPatterncompile((const xmlChar *)text, NULL, XML_PATTERN_DEFAULT, namespaces);
  int rejected = 1;
  if (pattern != NULL) {
    size_t rest = size - (end + 1 - data);
    xmlDocPtr document = xmlReadMemory((const char *)end + 1, (int)rest, "input.xml", NULL, XML_PARSE_NONET);
    if (document != NULL) {
      match(pattern, xmlDocGetRootElement(document));
      xmlFreeDoc(document);
      rejected = 0;
    }
    xmlFreePattern(pattern);
  }
  xmlResetLastError();
  return rejected;
}
