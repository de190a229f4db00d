package fuzzfunc

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"
	"testing"
)

// holder has an exported field, and a buffer of its own.
type holder struct {
	W   io.Writer
	own bytes.Buffer
}

// TestBuffers checks which text counts as written. It is the new text of each buffer since the last
// time, however the buffer was passed. Text that the test read, reset or wrote before does not
// count.
func TestBuffers(t *testing.T) {
	var got []string
	var b buffers
	check := func(want ...string) {
		t.Helper()
		got = nil
		b.written(func(site int, text []byte) { got = append(got, string(rune('0'+site))+string(text)) })
		if !slices.Equal(got, want) {
			t.Errorf("written: %q, want %q", got, want)
		}
	}
	modules := []string{"parallax"}
	first, second, third := bytes.NewBufferString("before"), &strings.Builder{}, &bytes.Buffer{}
	b.add(1, first, modules)
	check()
	first.WriteString("a")
	check("1a")
	check()
	first.Next(3)
	check()
	first.WriteString("b")
	first.Next(2)
	b.add(2, first, modules) // the test has written
	check()
	first.WriteString("c")
	check("1c")
	first.Reset()
	check()
	first.WriteString("d")
	check("1d")

	w := bufio.NewWriter(io.MultiWriter(second, third))
	b.add(3, w, modules)
	w.WriteString("x")
	check()
	w.Flush()
	check("3x", "3x")

	h := &holder{W: new(bytes.Buffer)}
	b.add(4, h, modules)
	h.own.WriteString("hidden")
	io.WriteString(h.W, "y")
	check("4y")

	b.forget()
	second.WriteString("z")
	check()
	for i := 0; i < 2*maxBuffers; i++ {
		b.add(5, new(bytes.Buffer), modules)
	}
	b.add(6, io.Discard, modules)
	b.add(6, nil, modules)
	b.add(6, (*bytes.Buffer)(nil), modules)
	if len(b.list) != maxBuffers {
		t.Errorf("%d buffers are kept", len(b.list))
	}
}
