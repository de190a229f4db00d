package xz

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSeeds checks that the decoder reads the seeds. Repair leaves seeds of one stream alone, and
// restores broken checksums.
func TestSeeds(t *testing.T) {
	files, err := filepath.Glob("../seeds/xz/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no seeds", err)
	}
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Ulikunitz(file); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if strings.Contains(name, "streams") {
			continue
		}
		broken := bytes.Clone(file)
		for _, at := range []int{8, len(file) - 13, len(file) - 12} {
			broken[at] ^= 0xff
		}
		if _, err := Ulikunitz(broken); err == nil {
			t.Errorf("%s: wrong checksums are accepted", name)
		}
		for _, of := range [][]byte{file, broken} {
			if got := Repair(bytes.Clone(of)); !bytes.Equal(got, file) {
				t.Errorf("%s: repaired to %x, want %x", name, got, file)
			}
		}
	}
}

// TestBlocks checks that each block has a header with a checksum.
func TestBlocks(t *testing.T) {
	file, err := os.ReadFile("../seeds/xz/blocks.xz")
	if err != nil {
		t.Fatal(err)
	}
	headers := 0
	for at := 0; at+12 <= len(file); at += 4 {
		if !bytes.Equal(file[at:at+5], []byte{2, 0, 0x21, 1, 0}) {
			continue
		}
		headers++
		broken := bytes.Clone(file)
		broken[at+8] ^= 0xff
		if got := Repair(broken); !bytes.Equal(got, file) {
			t.Errorf("block at %d is not repaired", at)
		}
	}
	if headers < 3 {
		t.Errorf("%d blocks", headers)
	}
}

// FuzzRepair checks that a second repair changes nothing.
func FuzzRepair(f *testing.F) {
	files, _ := filepath.Glob("../seeds/xz/*")
	for _, name := range files {
		file, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(file)
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		once := Repair(bytes.Clone(file))
		if twice := Repair(bytes.Clone(once)); !bytes.Equal(once, twice) || len(once) != len(file) {
			t.Errorf("%x, then %x", once, twice)
		}
	})
}

// TestLimits checks that a file that unpacks to more is cut off, and that one with a large
// dictionary is not unpacked.
func TestLimits(t *testing.T) {
	if n := dict([]byte{0x21, 1, 16}); n != 1<<20 {
		t.Errorf("property 16 is %d bytes", n)
	}
	if _, err := Ulikunitz([]byte{0x21, 1, 17}); err != errDict {
		t.Error(err)
	}
}
