// Package extracttest gives tests of other packages the models that were recorded of a real engine.
package extracttest

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"parallax/cmd/internal/extract"
)

// Recording is the file of recorded answers, in extract/testdata.
const Recording = "angr-9.2.213.jsonl.gz"

// Answers are the recorded answers in their order, which is that of the functions' names.
func Answers(t testing.TB) []*extract.Answer {
	t.Helper()
	_, here, _, ok := runtime.Caller(0)
	if !ok {
		t.Fatal("the folder of the package is not known")
	}
	f, err := os.Open(filepath.Join(filepath.Dir(here), "..", "testdata", Recording))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	var answers []*extract.Answer
	for lines := json.NewDecoder(bufio.NewReader(z)); ; {
		var a extract.Answer
		switch err := lines.Decode(&a); {
		case errors.Is(err, io.EOF):
			return answers
		case err != nil:
			t.Fatal(err)
		}
		answers = append(answers, &a)
	}
}

// Answer is the recorded answer of a function.
func Answer(t testing.TB, function string) *extract.Answer {
	t.Helper()
	for _, a := range Answers(t) {
		if a.Function == function {
			return a
		}
	}
	t.Fatalf("there is no recording of %s", function)
	return nil
}
