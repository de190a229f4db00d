package call

import (
	"html/template"
	"strings"
)

var page = template.Must(template.New("").Parse(`<meta http-equiv="refresh" content="0; url={{.}}">`))

func Call(in []byte) (string, error) {
	var b strings.Builder
	err := page.Execute(&b, string(in))
	return b.String(), err
}
