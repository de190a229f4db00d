package genxml

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"
)

// Learn makes hints of documents: which elements, attributes and texts they have, and which element
// in which.
func Learn(documents ...string) (Hints, error) {
	h := Hints{Elements: map[string]*Element{}}
	for i, document := range documents {
		if err := h.learn(document); err != nil {
			return h, fmt.Errorf("document %d of %d: %w", i+1, len(documents), err)
		}
	}
	return h, nil
}

func (h *Hints) learn(document string) error {
	decoder := xml.NewDecoder(strings.NewReader(document))
	var open []*Element
	for {
		// RawToken gives names with their prefixes, as they are written.
		token, err := decoder.RawToken()
		if err == io.EOF && len(open) == 0 {
			return nil
		}
		if err != nil {
			return err
		}
		switch token := token.(type) {
		case xml.StartElement:
			name := written(token.Name)
			if len(open) == 0 {
				h.Roots = with(h.Roots, name)
			} else {
				around := open[len(open)-1]
				around.Children = with(around.Children, name)
			}
			e := h.Elements[name]
			if e == nil {
				e = &Element{Attributes: map[string][]string{}}
				h.Elements[name] = e
			}
			for _, a := range token.Attr {
				e.Attributes[written(a.Name)] = with(e.Attributes[written(a.Name)], a.Value)
			}
			open = append(open, e)
		case xml.EndElement:
			if len(open) == 0 {
				return fmt.Errorf("%s ends and has not begun", written(token.Name))
			}
			open = open[:len(open)-1]
		case xml.CharData:
			if text := strings.TrimSpace(string(token)); text != "" && len(open) > 0 {
				e := open[len(open)-1]
				e.Texts = with(e.Texts, text)
			}
		}
	}
}

func written(name xml.Name) string {
	if name.Space != "" {
		return name.Space + ":" + name.Local
	}
	return name.Local
}

// with is a list that has a text.
func with(list []string, text string) []string {
	if slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}
