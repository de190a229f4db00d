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
		if c.Type == html.ElementNode { // the same release changed doctypes and attributes
			plain(c)
			err = html.Render(&b, c)
		}
	}
	return b.String(), err
}

// plain removes all attributes.
func plain(n *html.Node) {
	n.Attr = nil
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		plain(c)
	}
}
