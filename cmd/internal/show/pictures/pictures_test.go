package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

// TestPictures checks that `make pictures` draws the pictures in the documents.
func TestPictures(t *testing.T) {
	const dir = "../../../../docs/pictures"
	made, err := draw(dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range made {
		kept, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil || !bytes.Equal(kept, data) {
			t.Errorf("%s is not as it is drawn now (%v): make pictures", name, err)
		}
		for d := xml.NewDecoder(bytes.NewReader(data)); ; {
			if _, err := d.Token(); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}
