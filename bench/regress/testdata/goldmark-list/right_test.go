package markdown

import (
	"bytes"
	"strings"
	"testing"

	"github.com/yuin/goldmark"
)

func right(t *testing.T, data []byte) {
	var html bytes.Buffer
	if err := goldmark.Convert(data, &html); err != nil || !strings.Contains(html.String(), "b\n\nc\nd\n") {
		t.Errorf("%s %v", &html, err)
	}
}
