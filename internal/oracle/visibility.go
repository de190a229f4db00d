package oracle

import (
	"reflect"
	"strings"
)

// outside reports whether a package belongs to one of the modules, or to another module outside of
// the standard library. The import path of such a module begins with a domain. Users of such a
// package cannot see unexported fields of its types.
func outside(modules []string, pkg string) bool {
	for _, m := range modules {
		if pkg == m || pkg == m+"_test" || strings.HasPrefix(pkg, m+"/") {
			return true
		}
	}
	first, _, _ := strings.Cut(pkg, "/")
	return strings.Contains(first, ".")
}

// Hides reports whether the unexported fields of a package's types do not count, as with
// Record.Outside.
func Hides(modules []string, pkg string) bool { return modules != nil && outside(modules, pkg) }

// textOf returns the value or pointer whose method gives the text of a struct without exported
// fields, or nil. It excludes protocol buffer messages, whose text deliberately differs between
// binaries.
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

// callText returns the text of a value that textOf returned. If its method panics or fails, it
// returns a description of the failure instead.
func callText(v any) (text, failure string) {
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

// panicWords returns the text of a panic. A value without text counts by its type, since its
// address differs between runs.
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

// maxFailure limits the shown message of a text's failure, in bytes.
const maxFailure = 200

func firstLine(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	return shorten(s, maxFailure)
}

// ownText adds the quoted text of a value that textOf returned. If its method fails, it adds the
// failure without quotes, whose numbers and quoted parts do not count.
func (w *walker) ownText(v any) {
	text, failure := callText(v)
	switch {
	case failure == "":
		w.string(text)
	case w.render:
		w.put(failure)
	default:
		w.hash = w.hash.word(tagFailure).text(MessageClass(failure))
	}
}

// laterText is a value that textOf returned, and the lane of its type.
type laterText struct {
	value any
	lane  uint8
}

// textMark marks the place of a later text in a rendering. No other token produces this byte.
const textMark = "\x00"

// withTexts replaces the marks of a rendering by the texts.
func withTexts(rendered string, texts []laterText) string {
	if len(texts) == 0 {
		return rendered
	}
	parts := strings.Split(rendered, textMark)
	var b strings.Builder
	b.WriteString(parts[0])
	for i, p := range parts[1:] {
		w := walker{render: true, limit: renderLimit}
		w.ownText(texts[i].value)
		b.Write(w.text)
		b.WriteString(p)
	}
	return b.String()
}
