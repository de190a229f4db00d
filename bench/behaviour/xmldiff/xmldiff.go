// Package xmldiff has two readers of XML that accept or reject a document, and say which elements
// and attributes it has.
package xmldiff

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/tdewolff/parse/v2"
	lexer "github.com/tdewolff/parse/v2/xml"
)

var (
	errRoot   = errors.New("there is not one root")
	errNested = errors.New("elements are not nested")
)

// outline is the reported form of a document: elements in their order with the depth, and names of
// attributes.
type outline struct {
	strings.Builder
	open  []string
	roots int
}

// begin begins an element.
func (o *outline) begin(name string) error {
	if len(o.open) == 0 {
		if o.roots++; o.roots > 1 {
			return errRoot
		}
	}
	fmt.Fprintf(o, "%d<%s", len(o.open), local(name))
	o.open = append(o.open, name)
	return nil
}

// end ends one by its name.
func (o *outline) end(name string) error {
	if last := len(o.open) - 1; last < 0 || o.open[last] != name {
		return errNested
	}
	return o.close()
}

// close ends whatever is open.
func (o *outline) close() error {
	if len(o.open) == 0 {
		return errNested
	}
	o.open = o.open[:len(o.open)-1]
	return nil
}

// done returns the outline.
func (o *outline) done() (string, error) {
	switch {
	case len(o.open) > 0:
		return "", errNested
	case o.roots != 1:
		return "", errRoot
	}
	return o.String(), nil
}

// local is a name without its prefix.
func local(name string) string {
	if _, after, ok := strings.Cut(name, ":"); ok && after != "" {
		return after
	}
	return name
}

// Std reads with encoding/xml, which is strict by default.
func Std(source string) (string, error) {
	d := xml.NewDecoder(strings.NewReader(source))
	var o outline
	for {
		token, err := d.Token()
		if err == io.EOF {
			return o.done()
		}
		if err != nil {
			return "", err
		}
		switch t := token.(type) {
		case xml.StartElement:
			if err := o.begin(t.Name.Local); err != nil {
				return "", err
			}
			for _, a := range t.Attr {
				o.WriteString(" " + a.Name.Local)
			}
		case xml.EndElement: // that it has the right name the decoder has seen
			if err := o.close(); err != nil {
				return "", err
			}
		case xml.CharData:
			if len(o.open) == 0 && strings.TrimSpace(string(t)) != "" {
				return "", errRoot
			}
		}
	}
}

// Tdewolff reads with the lexer of github.com/tdewolff/parse, which leaves nesting to its callers.
func Tdewolff(source string) (string, error) {
	l := lexer.NewLexer(parse.NewInputString(source))
	var o outline
	inside := false // an instruction, whose attributes are of no element
	for {
		kind, data := l.Next()
		var err error
		switch kind {
		case lexer.ErrorToken:
			if err := l.Err(); err != io.EOF {
				return "", err
			}
			return o.done()
		case lexer.StartTagToken:
			err = o.begin(string(l.Text()))
		case lexer.StartTagPIToken:
			inside = true
		case lexer.StartTagClosePIToken:
			inside = false
		case lexer.AttributeToken:
			if !inside {
				o.WriteString(" " + local(string(l.Text())))
			}
		case lexer.StartTagCloseVoidToken:
			err = o.close()
		case lexer.EndTagToken:
			err = o.end(string(l.Text()))
		case lexer.TextToken, lexer.CDATAToken:
			if len(o.open) == 0 && strings.TrimSpace(string(data)) != "" {
				err = errRoot
			}
		}
		if err != nil {
			return "", err
		}
	}
}
