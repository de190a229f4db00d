package elf

import (
	"os"
	"path/filepath"
	"testing"
)

// TestSeeds checks that debug/elf reads the seeds. A campaign checks that libelf reports the same.
func TestSeeds(t *testing.T) {
	files, err := filepath.Glob("../seeds/elf/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no seeds", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Debug(data); err != nil {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestDebug(t *testing.T) {
	data, err := os.ReadFile("../seeds/elf/object32-big")
	if err != nil {
		t.Fatal(err)
	}
	want := `file 1 2 0 0 1 8 0
programs 0
sections 6
0 0 0 0 0 0 0 0 0:
1 206 0 34 8 0 0 0 5:.text
11 0 0 3c 8 3 1 4 6:.group
2 0 0 44 30 4 1 10 7:.symtab
3 0 0 74 6 0 0 0 7:.strtab
3 0 0 7c 28 0 0 0 9:.shstrtab
symbols 2
21 0 fff1 7ff0 0 2:gp
12 0 1 0 8 1:f
`
	if got, err := Debug(data); err != nil || string(got) != want {
		t.Errorf("%s, %v, want\n%s", got, err, want)
	}
}
