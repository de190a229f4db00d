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
	for c := n.FirstChild; c != nil && err == nil; c = c.NextSibling {
		if c.Type == html.DoctypeNode { // the same release changed more
			err = html.Render(&b, c)
		}
	}
	return b.String(), err
}
