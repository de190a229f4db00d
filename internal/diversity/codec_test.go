package diversity

import (
	"bytes"
	"testing"

	"parallax/internal/oracle"
)

func someRecord() Record {
	r := make(Record, RecordSize(300))
	r.Input(oracle.Valid, false)
	r.Input(oracle.NoValidity, true)
	r.Inc(WonValue, 1<<40)
	r.Count([]uint32{0, 7, 299}, 0, Sight{Weight: 1, New: true, NewValid: true, Times: 1})
	r.Count([]uint32{7}, 0, Sight{Weight: 4, New: true, Times: 1})
	r.Count([]uint32{8}, 0, Sight{Weight: 1, NewValid: true}) // others often had it, and this is the first valid input with it
	r.Draw(true)
	for _, hits := range [][]uint32{{0, 7}, {7}, {7, 8}, {7, 8, 299}, {7}} {
		r.Draw(false)
		r.CountFresh(hits[:1], 0)
		r.CountFresh(hits[1:], 0)
	}
	return r
}

func TestCodec(t *testing.T) {
	r := someRecord()
	data := r.Encode(nil)
	back, err := Decode(data, 300)
	if err != nil || !bytes.Equal(back, r) {
		t.Errorf("read %v, %v", back, err)
	}
	sum := make(Record, len(r))
	if sum.Merge(r); !bytes.Equal(sum, r) {
		t.Errorf("added to nothing: %v", sum)
	}
	for n := range data {
		if _, err := Decode(data[:n], 300); err == nil {
			t.Errorf("%d of %d bytes were read", n, len(data))
		}
	}
	if _, err := Decode(data, 299); err == nil {
		t.Error("a branch that is none was read")
	}
	// A later version may have more words.
	more := append([]byte{codecVersion, numWords + 1}, data[2:2+0]...)
	rest := data[2:]
	for w := Word(0); w < numWords; w++ {
		n := len(uvarint(r.Word(w)))
		more, rest = append(more, rest[:n]...), rest[n:]
	}
	more = append(append(more, 5), rest...)
	if back, err := Decode(more, 300); err != nil || !bytes.Equal(back, r) {
		t.Errorf("with another word: %v", err)
	}
}

func uvarint(v uint64) (b []byte) {
	for v >= 0x80 {
		b, v = append(b, byte(v)|0x80), v>>7
	}
	return append(b, byte(v))
}

// TestIndependent checks that fresh inputs form their own sample, also where other inputs have
// counted the same branches.
func TestIndependent(t *testing.T) {
	r := someRecord()
	if got, want := r.Independent(), (Sample{Species: 4, Once: 2, Twice: 1, Units: 5}); got != want || r.Word(DrawnFailed) != 1 {
		t.Errorf("%+v, want %+v", got, want)
	}
	if r.Merge(someRecord()); r.Independent() != (Sample{Species: 4, Twice: 2, Units: 10}) {
		t.Errorf("of two workers: %+v", r.Independent())
	}
	if got := (Record{}).Independent(); got != (Sample{}) {
		t.Errorf("of nothing: %+v", got)
	}
}

// FuzzDecode checks that a decoded record is encoded the same.
func FuzzDecode(f *testing.F) {
	f.Add(someRecord().Encode(nil), 300)
	f.Add([]byte{codecVersion, 0, 0}, 3)
	f.Fuzz(func(t *testing.T, data []byte, branches int) {
		if branches < 0 || branches > 1000 {
			return
		}
		r, err := Decode(data, branches)
		if err != nil {
			return
		}
		again, err := Decode(r.Encode(nil), branches)
		if err != nil || again.Word(Valid) != r.Word(Valid) || again.Sample().Species != r.Sample().Species {
			t.Errorf("%x is read as something else the second time: %v", data, err)
		}
	})
}
