package oracle

import (
	"reflect"
	"strings"
)

// outside reports whether a package belongs to one of the modules, or to any other that is not the standard library: its import path begins with
// a domain. Unexported fields of its types are no value to who uses the package.
func outside(modules []string, pkg string) bool {
	for _, m := range modules {
		if pkg == m || pkg == m+"_test" || strings.HasPrefix(pkg, m+"/") {
			return true
		}
	}
	first, _, _ := strings.Cut(pkg, "/")
	return strings.Contains(first, ".")
}

// textOf returns what gives the text of a struct that shows nothing else, nil if nothing does. Messages of protocol buffers are left out: their
// text differs from binary to binary, so that nobody relies on it.
func textOf(v reflect.Value) any {
	if v.CanAddr() {
		v = v.Addr()
	}
	if !v.CanInterface() {
		return nil
	}
	switch v := v.Interface().(type) {
	case interface{ ProtoMessage() }:
		return nil
	case interface{ MarshalText() ([]byte, error) }, interface{ String() string }:
		return v
	}
	return nil
}

// said is the text of what textOf has returned.
func said(v any) (text string) {
	defer func() {
		if recover() != nil {
			text = "panic"
		}
	}()
	if m, ok := v.(interface{ MarshalText() ([]byte, error) }); ok {
		b, err := m.MarshalText()
		if err != nil {
			return "error"
		}
		return string(b)
	}
	return v.(interface{ String() string }).String()
}

// textMark stands in a rendering for a text that is asked for later. Nothing else puts this byte there.
const textMark = "\x00"

// withTexts puts the texts in the place of their marks.
func withTexts(rendered string, texts []any) string {
	if len(texts) == 0 {
		return rendered
	}
	parts := strings.Split(rendered, textMark)
	var b strings.Builder
	b.WriteString(parts[0])
	for i, p := range parts[1:] {
		w := walker{render: true, limit: renderLimit}
		w.string(said(texts[i]))
		b.Write(w.text)
		b.WriteString(p)
	}
	return b.String()
}
