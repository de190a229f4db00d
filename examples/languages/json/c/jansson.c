/* Jansson, with what it calls JSON_DECODE_ANY: any value, not only arrays and objects. */
#include <jansson.h>

int parallax_run(const unsigned char *data, size_t size, FILE *out)
{
    json_error_t error;
    json_t *tree = json_loadb((const char *)data, size, JSON_DECODE_ANY, &error);
    if (!tree) {
        fputs(error.text, out);
        return 1;
    }
    json_dumpf(tree, out, JSON_ENCODE_ANY | JSON_COMPACT);
    json_decref(tree);
    return 0;
}
