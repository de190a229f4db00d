package wire

import (
	"bytes"
	"errors"
	"io"
	"testing"
)

// TestAnswers checks that answers arrive as they were sent. Another key, another order, a changed
// byte, and a program's data are rejected.
func TestAnswers(t *testing.T) {
	var sent bytes.Buffer
	say := Answers{Key: 77}
	payloads := [][]byte{nil, {1}, []byte("seven.."), []byte("eight..."), bytes.Repeat([]byte("much "), 1<<19)}
	var ends []int
	for i, p := range payloads {
		if err := say.Send(&sent, byte(i+1), p); err != nil {
			t.Fatal(err)
		}
		ends = append(ends, sent.Len())
	}
	stream := sent.Bytes()
	heard, r := Answers{Key: 77}, bytes.NewReader(stream)
	for i, p := range payloads {
		kind, payload, err := heard.Receive(r)
		if err != nil || kind != byte(i+1) || !bytes.Equal(payload, p) {
			t.Fatalf("answer %d: kind %d, %d bytes, %v", i, kind, len(payload), err)
		}
	}
	if _, _, err := heard.Receive(r); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	refused := func(name string, key uint64, b []byte) {
		t.Helper()
		a := Answers{Key: key}
		if _, _, err := a.Receive(bytes.NewReader(b)); !errors.Is(err, ErrForeign) {
			t.Errorf("%s: %v", name, err)
		}
	}
	refused("another key", 78, stream)
	refused("the second answer first", 77, stream[ends[0]:])
	refused("a message without checks", 77, append([]byte{0, 0, 0, 0, Done}, make([]byte, 20)...))
	refused("a length that cannot be", 77, []byte{0xff, 0xff, 0xff, 0x7f, 9, 9, 9, 9, 9, 9})
	for at := range ends[3] {
		b := bytes.Clone(stream[:ends[3]])
		b[at] ^= 0x40
		a, r := Answers{Key: 77}, bytes.NewReader(b)
		var err error
		for err == nil {
			_, _, err = a.Receive(r)
		}
		if !errors.Is(err, ErrForeign) {
			t.Errorf("byte %d changed: %v", at, err)
		}
	}
	again := Answers{Key: 77}
	twice := bytes.NewReader(append(bytes.Clone(stream[:ends[0]]), stream[:ends[0]]...))
	if _, _, err := again.Receive(twice); err != nil {
		t.Fatal(err)
	}
	if _, _, err := again.Receive(twice); !errors.Is(err, ErrForeign) {
		t.Errorf("an answer that is sent once more: %v", err)
	}
}

func FuzzAnswers(f *testing.F) {
	var b bytes.Buffer
	say := Answers{Key: 1}
	say.Send(&b, Done, []byte("payload"))
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		a := Answers{Key: 1}
		a.Receive(bytes.NewReader(data)) // does not panic, and takes no more memory than arrives
	})
}
