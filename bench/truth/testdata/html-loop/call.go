package call

import (
	"strings"

	"golang.org/x/net/html"
)

func Call(in []byte) (string, error) {
	n, err := html.Parse(strings.NewReader(string(in)))
	if err != nil {
		return "", err
	}
	var b strings.Builder
	write(&b, n)
	return b.String(), nil
}

// write writes the tree.
func write(b *strings.Builder, n *html.Node) {
	b.WriteString("(" + n.Namespace + " " + n.Data)
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		write(b, c)
	}
	b.WriteString(")")
}
