package call

import (
	"golang.org/x/net/html"
	"strings"
)

func Call(in []byte) (string, error) {
	var b strings.Builder
	z := html.NewTokenizer(strings.NewReader(string(in)))
	for z.Next() != html.ErrorToken {
		t := z.Token()
		b.WriteString(t.Type.String() + " " + t.String() + "\n")
	}
	return b.String(), nil
}
