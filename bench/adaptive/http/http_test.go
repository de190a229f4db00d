package http

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"
)

// TestSeeds checks that both libraries read the seeds, with the same result.
func TestSeeds(t *testing.T) {
	files, err := filepath.Glob("../seeds/http/*")
	if err != nil || len(files) == 0 {
		t.Fatal("no seeds", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		one, err1 := Std(data)
		two, err2 := Fasthttp(data)
		if err1 != nil || err2 != nil || !reflect.DeepEqual(one, two) {
			t.Errorf("%s: net/http %+v, %v; fasthttp %+v, %v", file, one, err1, two, err2)
		}
	}
}
