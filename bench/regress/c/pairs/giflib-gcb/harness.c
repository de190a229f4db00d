/* Reads a GIF, sets the delay of each image to a tenth of a second, and writes it back into the image's extension. */
#include <gif_lib.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct input {
  const uint8_t *data;
  size_t size;
};

/* In the place of giflib's, since an image of a few bytes may say that it is 65535 x 65535. */
void *openbsd_reallocarray(void *old, size_t count, size_t size) {
  if (count == 0 || size == 0 || count > (4 << 20) / size) return NULL;
  return realloc(old, count * size);
}

static int next(GifFileType *gif, GifByteType *to, int count) {
  struct input *input = gif->UserData;
  size_t n = (size_t)count < input->size ? (size_t)count : input->size;
  memcpy(to, input->data, n);
  input->data += n;
  input->size -= n;
  return (int)n;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct input input = {data, size};
  int error = 0, rejected = 0;
  GifFileType *gif = DGifOpen(&input, next, &error);
  if (gif == NULL) return 1;
  if (DGifSlurp(gif) != GIF_OK) rejected = 2;
  for (int i = 0; i < gif->ImageCount; i++) {
    GraphicsControlBlock control;
    if (DGifSavedExtensionToGCB(gif, i, &control) != GIF_OK) control = (GraphicsControlBlock){.TransparentColor = NO_TRANSPARENT_COLOR};
    control.DelayTime = 10;
    if (gif->SavedImages[i].ExtensionBlockCount > 0 && EGifGCBToSavedExtension(&control, gif, i) != GIF_OK) rejected = 3;
  }
  DGifCloseFile(gif, &error);
  return rejected;
}
