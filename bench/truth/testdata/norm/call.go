package call

import (
	"golang.org/x/text/unicode/norm"
)

func Call(in []byte) (string, error) {
	var it norm.Iter
	it.Init(norm.NFC, in)
	var b []byte
	for !it.Done() {
		b = append(b, it.Next()...)
	}
	return string(b), nil
}
