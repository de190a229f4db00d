package fuzzed

import (
	"testing"
	"unicode/utf8"
)

func FuzzRecord(f *testing.F) {
	f.Add([]byte("RCA\x02hi"))
	f.Add([]byte("RCN\x02\x01\x02B\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 64 {
			t.Skip("long")
		}
		Record(data)
	})
}

func FuzzReverse(f *testing.F) {
	f.Add("abc")
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) {
			t.Skip()
		}
		once := Reverse(s)
		if !utf8.ValidString(once) {
			t.Errorf("%q is no text", once)
		}
		if len(s) > 6 && s[0] == '!' {
			t.Fatal("exclaimed")
		}
	})
}

func FuzzTyped(f *testing.F) {
	f.Add(1, "a", true, 0.5, byte('x'), uint16(7), rune('é'), []byte("b"))
	f.Fuzz(func(t *testing.T, n int, s string, ok bool, x float64, b byte, u uint16, r rune, data []byte) {
		t.Cleanup(func() {})
		switch {
		case ok && n > 1000 && n < 1100:
			t.Error("between")
		case x > 1e300 && len(s) == 3:
			t.Errorf("large with %d", len(s))
		case u == 0xfffe && b == 0:
			panic(data)
		case r == 'ß':
			t.Log("sharp")
			t.FailNow()
		}
	})
}
