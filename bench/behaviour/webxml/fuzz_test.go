//parallax:generator

package webxml

import (
	"testing"

	"behaviour/xml"
	"parallax/gen"
)

var document = xml.Document(xml.Hints{
	Root: "web-app",
	Elements: []string{"display-name", "context-param", "param-name", "param-value", "filter", "filter-name", "filter-class", "async-supported",
		"init-param", "filter-mapping", "url-pattern", "dispatcher", "servlet", "servlet-name", "servlet-class", "jsp-file", "load-on-startup", "enabled",
		"servlet-mapping", "session-config", "session-timeout", "tracking-mode", "mime-mapping", "extension", "mime-type", "welcome-file-list",
		"welcome-file", "error-page", "error-code", "exception-type", "location"},
	Attributes: []string{"version", "metadata-complete"},
	Texts: []string{"a", "b", "/", "/*", "*.jsp", "/a/*", "/index.html", "REQUEST", "FORWARD", "ERROR", "true", "false", "404", "500", "30", "-1", "COOKIE",
		"text/html", "html", "com.example.A", "3.1"},
})

func FuzzGenerated(f *testing.F) {
	gen.Fuzz(f, func(t *gen.T) { t.Valid(accept(document.Draw(t, "document"))) })
}

func FuzzBytes(f *testing.F) {
	f.Add("<web-app version=\"3.1\"><servlet><servlet-name>a</servlet-name></servlet></web-app>")
	f.Fuzz(func(t *testing.T, source string) {
		if accept(source) != nil {
			t.Skip()
		}
	})
}
