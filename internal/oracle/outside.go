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

// said is the text of what textOf has returned. If its method panics or fails, failure says how, and there is no text.
func said(v any) (text, failure string) {
	method := "String"
	m, marshals := v.(interface{ MarshalText() ([]byte, error) })
	if marshals {
		method = "MarshalText"
	}
	defer func() {
		if r := recover(); r != nil {
			text, failure = "", "its "+method+" panicked: "+panicWords(r)
		}
	}()
	if !marshals {
		return v.(interface{ String() string }).String(), ""
	}
	b, err := m.MarshalText()
	if err != nil {
		return "", "its MarshalText failed: " + firstLine(err.Error())
	}
	return string(b), ""
}

// panicWords is what a panic says. A value of a type that has no text counts by its type: its address differs from run to run.
func panicWords(r any) (text string) {
	defer func() {
		if recover() != nil {
			text = reflect.TypeOf(r).String()
		}
	}()
	switch r := r.(type) {
	case error:
		return firstLine(r.Error())
	case interface{ String() string }:
		return firstLine(r.String())
	}
	if v := reflect.ValueOf(r); v.Kind() == reflect.String {
		return firstLine(v.String())
	}
	return reflect.TypeOf(r).String()
}

// maxFailure is how much is shown of the message of a text's failure.
const maxFailure = 200

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return shorten(s, maxFailure)
}

// said adds the text of what textOf has returned, in quotes, or without them how its method failed. Of that, numbers and quoted parts
// do not count.
func (w *walker) said(v any) {
	text, failure := said(v)
	switch {
	case failure == "":
		w.string(text)
	case w.render:
		w.put(failure)
	default:
		w.hash = w.hash.word(tagFailure).text(MessageClass(failure))
	}
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
		w.said(texts[i])
		b.Write(w.text)
		b.WriteString(p)
	}
	return b.String()
}
