package call

import (
	"github.com/gomarkdown/markdown"
)

func Call(in []byte) (string, error) {
	return string(markdown.ToHTML(in, nil, nil)), nil
}
