package serve

import (
	"bytes"
	"flag"
	"path/filepath"
	"regexp"
	"testing"

	"parallax/cmd/internal/base/browsertest"
)

var update = flag.Bool("update", false, "draw the pictures again")

// TestPictures checks that the pictures of the live page match the views that it has now.
func TestPictures(t *testing.T) {
	if testing.Short() {
		t.Skip("needs a browser, which make test-all installs")
	}
	m, s := server(t, "", 12)
	m.set(m.list[0], m.campaign("two", "", 3))
	s.refresh()
	for name, path := range map[string]string{"live.png": "/", "live-finding.png": onePath} {
		t.Run(name, func(t *testing.T) {
			text := (&request{path: path, code: 200}).answer(t, s).Body.Bytes()
			text = regexp.MustCompile(` data-events="[^"]*"`).ReplaceAll(text, nil) // the picture follows nothing
			browsertest.ComparePicture(t, bytes.TrimSpace(text), filepath.Join("../../../docs/pictures", name), *update)
		})
	}
}
