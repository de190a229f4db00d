// Package extracttest provides tests of other packages with recorded models of a real engine.
package extracttest

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"parallax/cmd/internal/model/extract"
)

// Recording is the file of recorded answers, in model/extract/testdata.
const Recording = "angr-9.2.213.jsonl.gz"

// Answers returns the recorded answers, sorted by function name.
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

// NullAnswer returns the recorded answer for calls of a function with a null pointer argument.
func NullAnswer(t testing.TB, function string, argument int) *extract.Answer {
	t.Helper()
	_, here, _, _ := runtime.Caller(0)
	data, err := os.ReadFile(filepath.Join(filepath.Dir(here), "..", "testdata", "angr-9.2.213-null.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for lines := json.NewDecoder(bytes.NewReader(data)); lines.More(); {
		var r struct {
			Function string
			Null     []int
			Answer   *extract.Answer
		}
		if err := lines.Decode(&r); err != nil {
			t.Fatal(err)
		}
		if r.Function == function && slices.Equal(r.Null, []int{argument}) {
			return r.Answer
		}
	}
	t.Fatalf("there is no recording of %s with a null argument %d", function, argument)
	return nil
}

// Answer returns the recorded answer for a function.
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
