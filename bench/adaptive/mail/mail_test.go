package mail

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// TestSeeds checks that both libraries read the seeds, with the same result.
func TestSeeds(t *testing.T) {
	files, err := filepath.Glob("../seeds/mail/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no seeds", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		one, err1 := Std(data)
		two, err2 := Emersion(data)
		if err1 != nil || err2 != nil || !reflect.DeepEqual(one, two) {
			t.Errorf("%s: net/mail %+v, %v; go-message %+v, %v", file, one, err1, two, err2)
		}
	}
}

// TestErrors checks that an error is the same for every line.
func TestErrors(t *testing.T) {
	for name, read := range map[string]func([]byte) (*Message, error){"net/mail": Std, "go-message": Emersion} {
		for _, text := range []string{" x\r\n\r\n", "x\r\n\r\n", "\x80: 1\r\n\r\n", "a: b\r\nx y\r\n\r\n"} {
			if _, err := read([]byte(text)); err != nil && (strings.Contains(err.Error(), "x") || strings.Contains(err.Error(), "\x80")) {
				t.Errorf("%s on %q: %v", name, text, err)
			}
		}
	}
}
