package markdown

import (
	"bytes"
	"testing"

	"github.com/yuin/goldmark"
)

// FuzzConvert makes HTML of Markdown.
func FuzzConvert(f *testing.F) {
	f.Add([]byte("# Title\n\nSome *text* with `code` and a [link](http://example.com).\n"))
	f.Add([]byte("- one\n- two\n  1. three\n\n> quoted\n"))
	f.Add([]byte("* a list\n\n      code\n\nA line\n===\n"))
	f.Add([]byte("```go\nfunc main() {\n\n}\n```\n\n***\n<b>html</b>\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		var html bytes.Buffer
		if err := goldmark.Convert(data, &html); err != nil {
			t.Error(err)
		}
	})
}
