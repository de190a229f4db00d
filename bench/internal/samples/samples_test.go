package samples

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

type sample struct {
	Name string
	N    int
}

func TestReadAppend(t *testing.T) {
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	if got, err := Read[sample](file); got != nil || err != nil {
		t.Fatalf("no file: %v, %v", got, err)
	}
	var want []sample
	add := func(s ...sample) {
		t.Helper()
		if err := Append(file, s...); err != nil {
			t.Fatal(err)
		}
		want = append(want, s...)
		if got, err := Read[sample](file); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("got %v, %v, want %v", got, err, want)
		}
	}
	add(sample{"a", 1}, sample{"b", 2})
	add(sample{"c", 3})
	write(t, file, `{"Name":"half`)
	if got, err := Read[sample](file); err != nil || !reflect.DeepEqual(got, want) {
		t.Fatalf("with half a line: %v, %v", got, err)
	}
	add(sample{"d", 4})
	write(t, file, "rubbish\n")
	if _, err := Read[sample](file); err == nil || !strings.Contains(err.Error(), "samples.jsonl:5:") {
		t.Fatalf("rubbish: %v", err)
	}
}

func TestReadOnlyHalf(t *testing.T) {
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	write(t, file, `{"Name":"half`)
	if got, err := Read[sample](file); len(got) != 0 || err != nil {
		t.Fatalf("%v, %v", got, err)
	}
	if err := Append(file, sample{"a", 1}); err != nil {
		t.Fatal(err)
	}
	if got, err := Read[sample](file); len(got) != 1 || err != nil {
		t.Fatalf("%v, %v", got, err)
	}
}

func TestReadUnknownField(t *testing.T) {
	file := filepath.Join(t.TempDir(), "samples.jsonl")
	write(t, file, `{"Name":"a","Speed":1}`+"\n")
	if _, err := Read[sample](file); err == nil {
		t.Fatal("samples of another kind were read")
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}
