package report

import (
	"encoding/json"
	"fmt"
	"strings"
)

// EncodeModels is the JSON of several models: their summaries, and the scope of all together.
func EncodeModels(summaries []*Summary, whole *Scope) ([]byte, error) {
	all := struct {
		Version int               `json:"version"`
		Targets []json.RawMessage `json:"targets"`
		Scope   *Scope            `json:"scope"`
	}{Version: Version, Targets: []json.RawMessage{}, Scope: whole}
	for _, s := range summaries {
		data, err := s.Encode()
		if err != nil {
			return nil, err
		}
		all.Targets = append(all.Targets, data)
	}
	return encode(&all)
}

// Models is what several models came to: those without findings, those that were left out, and all together.
func Models(quiet []*Summary, whole *Scope) string {
	var b strings.Builder
	if len(quiet) > 0 {
		b.WriteString("\nwithout findings:\n")
		wide := 0
		for _, s := range quiet {
			wide = max(wide, len(s.Target))
		}
		for _, s := range quiet {
			text := ""
			if s.Scope != nil {
				text = s.Scope.String()
			}
			fmt.Fprintf(&b, "  %-*s  %s\n", wide, Escape(s.Target), text)
		}
	}
	if len(whole.LeftOut) > 0 {
		b.WriteString("\nleft out:\n")
		for _, l := range whole.LeftOut {
			fmt.Fprintf(&b, "  %s: %s: %s\n", Escape(l.Function), l.Status, Escape(Flat(l.Reason)))
		}
	}
	fmt.Fprintf(&b, "\nmodels    %d of %d extracted", whole.Extracted, whole.Models)
	if text := whole.String(); text != "" {
		b.WriteString("; " + text)
	}
	b.WriteByte('\n')
	return b.String()
}
