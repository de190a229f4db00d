package wire

import (
	"bytes"
	"io"
	"math"
	"reflect"
	"testing"

	"parallax/internal/oracle"
)

// message is the common interface of all messages.
type message interface {
	Append([]byte) []byte
	Read(*Reader) error
}

// samples returns messages of every kind: empty, ordinary, and with extreme values.
func samples() map[string][]message {
	long := string(bytes.Repeat([]byte("long "), 1000))
	return map[string][]message{
		"hello": {
			&HelloMessage{},
			&HelloMessage{
				Regions:  []Region{{"example.com/a", 10}, {"", 0}, {long, 1 << 28}},
				Programs: []string{"a", "b", "\x00\xff"}, Shape: "([]byte, int)", Operators: []string{"splice"}, Values: true, Seeds: [][]byte{{1}, {}}, Problems: []string{"p"}, Layers: 3, Notes: []string{"n"}, Repairs: true, Refused: "r", Sites: []string{"s"},
				Tapes: true, Guided: true, Takes: "(string)", Before: []uint32{0, 1, 300, math.MaxUint32},
			},
		},
		"result": {
			&RunResult{},
			&RunResult{
				Outcome: 1, Class: math.MaxUint64, Value: 1 << 63, Parts: oracle.Parts{1, 31: 2}, Length: 7, Allocated: 1 << 40, Took: 1 << 33, Set: 8, Hits: []uint32{0, 1, 127, 128, 1 << 30, math.MaxUint32}, Counts: []byte{1, 2, 3, 4, 5, 255},
				Error: "e", ErrorType: "t", ErrorClass: "c", Rendered: long, Truncated: true, Output: "o", Drawn: "\xc7tp", Shown: "n = 1", Made: "made", Ignored: true, Failure: true, Ended: true, Panic: "p", Stack: long, First: []uint32{7, 0, 1 << 31},
			},
		},
		"observe": {
			&ObserveMessage{},
			&ObserveMessage{Program: 3, Text: true, Flats: [][]byte{{}, []byte("flat"), {0, 255}}},
		},
		"event": {
			&InputEvent{},
			&InputEvent{
				Inputs: 12, Flat: []byte("flat"), Parent: []byte("parent"), Ops: []byte{0, 1, 255}, New: []string{"coverage", ""},
				Failing: 5, Layers: 2, Fresh: true, Tuple: []Observed{{1, 2, 3}, {math.MaxUint64, math.MaxUint64, math.MaxUint64}},
				Steady: []uint64{64, 0, 3},
			},
			&InputEvent{Flat: []byte{}, Parent: []byte{}},    // mutated from the empty input
			&InputEvent{Flat: []byte("seed"), Ops: []byte{}}, // a seed
		},
	}
}

// fresh returns an empty message of the same kind.
func fresh(m message) message { return reflect.New(reflect.TypeOf(m).Elem()).Interface().(message) }

func TestMessagesRoundTrip(t *testing.T) {
	for kind, list := range samples() {
		for i, m := range list {
			b := m.Append([]byte("before"))
			r := NewReader(b[len("before"):])
			got := fresh(m)
			if err := got.Read(r); err != nil || r.More() {
				t.Errorf("%s %d: error %v, more %v", kind, i, err, r.More())
			}
			if again := got.Append(nil); !bytes.Equal(again, b[len("before"):]) {
				t.Errorf("%s %d: read as %+v", kind, i, got)
			}
			if e, ok := m.(*InputEvent); ok && (e.Parent == nil) != (got.(*InputEvent).Parent == nil) {
				t.Errorf("%s %d: parent %v, want %v", kind, i, got.(*InputEvent).Parent, e.Parent)
			}
		}
	}
	// Field by field, for one of each kind. A round trip alone does not detect a field that is
	// never sent.
	for kind, list := range samples() {
		m := list[1]
		got := fresh(m)
		if err := got.Read(NewReader(m.Append(nil))); err != nil || !reflect.DeepEqual(m, got) {
			t.Errorf("%s: sent %+v, read %+v, %v", kind, m, got, err)
		}
		v := reflect.ValueOf(m).Elem()
		for i := 0; i < v.NumField(); i++ {
			if v.Field(i).IsZero() {
				t.Errorf("%s: the sample leaves %s empty", kind, v.Type().Field(i).Name)
			}
		}
	}
}

// TestShortMessages checks that a message that ends too early gives only an error, without a hang
// or panic.
func TestShortMessages(t *testing.T) {
	for kind, list := range samples() {
		m := list[1]
		b := m.Append(nil)
		for n := 0; n < len(b); n += 1 + n/50 {
			if err := fresh(m).Read(NewReader(b[:n])); err != ErrShort {
				t.Errorf("%s: %d of %d bytes: error %v", kind, n, len(b), err)
			}
		}
	}
	huge := AppendUint(nil, math.MaxUint64)
	for kind, list := range samples() {
		for at := 0; at < 12; at++ { // a length beyond the data, at every offset
			b := append(bytes.Repeat([]byte{1}, at), huge...)
			_ = fresh(list[0]).Read(NewReader(b))
			_ = kind
		}
	}
}

func TestOtherVersionsAreRefused(t *testing.T) {
	b := (&HelloMessage{}).Append(nil)
	b[0]++
	if (&HelloMessage{}).Read(NewReader(b)) == nil {
		t.Error("a hello of another version is taken")
	}
}

func TestReader(t *testing.T) {
	b := AppendBool(AppendBytes(AppendUint(nil, 300), "xy"), true)
	r := NewReader(b)
	if v := r.Uint(); v != 300 {
		t.Errorf("integer %d", v)
	}
	if s := r.String(); s != "xy" {
		t.Errorf("string %q", s)
	}
	if !r.More() || !r.Bool() || r.More() || r.Err() != nil {
		t.Errorf("boolean or end: %v", r.Err())
	}
	if r.Uint() != 0 || r.Err() != ErrShort {
		t.Errorf("after the end: %v", r.Err())
	}
	tests := []struct {
		name string
		do   func(*Reader) any
		want any
	}{
		{"an integer above its limit", func(r *Reader) any { return r.Int(299) }, 0},
		{"an integer at its limit", func(r *Reader) any { return r.Int(300) }, 300},
		{"a string longer than the message", func(r *Reader) any { return r.String() }, ""},
	}
	for _, test := range tests {
		r := NewReader(AppendUint(nil, 300))
		if got := test.do(r); got != test.want || (r.Err() == nil) != (test.want == 300) {
			t.Errorf("%s: %v, %v", test.name, got, r.Err())
		}
		if r.Err() != nil && (r.More() || r.Uint() != 0 || r.Bytes() != nil || r.Err() != ErrShort) {
			t.Errorf("%s: goes on after an error", test.name)
		}
	}
	// Read data cannot be appended to without a copy.
	b = AppendBytes(AppendBytes(nil, "first"), "second")
	r = NewReader(b)
	_ = append(r.Bytes(), '!')
	if r.String() != "second" {
		t.Error("appending to what was read writes into the message")
	}
}

func TestSendAndReceive(t *testing.T) {
	var b bytes.Buffer
	sizes := []int{0, 1, 1000, readAtOnce, readAtOnce + 1, 3 * readAtOnce}
	for i, n := range sizes {
		if err := Send(&b, byte(i), bytes.Repeat([]byte{byte(i)}, n)); err != nil {
			t.Fatal(err)
		}
	}
	all := bytes.Clone(b.Bytes())
	for i, n := range sizes {
		kind, payload, err := Receive(&b)
		if err != nil || kind != byte(i) || len(payload) != n || bytes.Count(payload, []byte{byte(i)}) != n {
			t.Fatalf("message %d: kind %d, %d bytes, %v", i, kind, len(payload), err)
		}
	}
	if _, _, err := Receive(&b); err != io.EOF {
		t.Errorf("at the end: %v", err)
	}
	for _, cut := range []int{1, 4, 5 + 5, len(all) - 1, len(all) - 2*readAtOnce} {
		r := bytes.NewReader(all[:cut])
		var err error
		for err == nil {
			_, _, err = Receive(r)
		}
		if err == io.EOF && cut != 10 && r.Len() != 0 {
			t.Errorf("cut at %d: %v", cut, err)
		}
	}
	if _, _, err := Receive(bytes.NewReader([]byte{0, 0, 0, 0xff, 1})); err == nil || err == io.ErrUnexpectedEOF {
		t.Errorf("a message of 4 GiB: %v", err)
	}
	// A length without data costs no memory.
	if n := testing.AllocsPerRun(1, func() { Receive(bytes.NewReader([]byte{0, 0, 0, 0x30, 1})) }); n > 20 {
		t.Errorf("%v allocations for a message that never comes", n)
	}
}

// fuzzMessage is a fuzz target for one kind. Reading never panics, and a readable message is read
// the same again after writing.
func fuzzMessage(f *testing.F, kind string) {
	list := samples()[kind]
	for _, m := range list {
		f.Add(m.Append(nil))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m := fresh(list[0])
		if m.Read(NewReader(b)) != nil {
			return
		}
		again, c := fresh(list[0]), m.Append(nil)
		if err := again.Read(NewReader(c)); err != nil || !bytes.Equal(again.Append(nil), c) {
			t.Errorf("%+v is read again as %+v, %v", m, again, err)
		}
	})
}

func FuzzHello(f *testing.F)  { fuzzMessage(f, "hello") }
func FuzzSetup(f *testing.F)  { fuzzMessage(f, "setup") }
func FuzzResult(f *testing.F) { fuzzMessage(f, "result") }
func FuzzEvent(f *testing.F)  { fuzzMessage(f, "event") }

func FuzzReceive(f *testing.F) {
	var b bytes.Buffer
	Send(&b, Run, []byte("payload"))
	f.Add(b.Bytes())
	f.Fuzz(func(t *testing.T, data []byte) {
		r := bytes.NewReader(data)
		for {
			kind, payload, err := Receive(r)
			if err != nil {
				return
			}
			var out bytes.Buffer
			Send(&out, kind, payload)
			if end := len(data) - r.Len(); !bytes.HasSuffix(data[:end], out.Bytes()) {
				t.Errorf("received %d %q", kind, payload)
			}
		}
	})
}

// TestShown checks that the features of an input are read as written, and damaged ones are not.
func TestShown(t *testing.T) {
	m := Shown{Flat: []byte("input"), Features: []uint64{1, 1 << 63, 0}}
	b := m.Append(nil)
	if got := ReadShown(b); !reflect.DeepEqual(got, m) {
		t.Errorf("%+v", got)
	}
	for n := range b {
		if got := ReadShown(b[:n]); len(got.Features) > 0 {
			t.Errorf("%d bytes: %+v", n, got)
		}
	}
}
