package bisect

import (
	"strings"
	"testing"

	"parallax/cmd/internal/base/exit"
)

func TestSpan(t *testing.T) {
	listed := strings.Fields("v0.9.0 v1.0.0-rc1 v1.0.0 v1.1.0 v1.2.0 v1.3.0-beta v1.3.0 v1.4.0 v1.10.0 v2.0.0+incompatible")
	for _, tt := range []struct {
		name string
		span Span
		want string
	}{
		{"all up to", Span{To: "v1.4.0"}, "v0.9.0 v1.0.0 v1.2.0 v1.3.0 v1.4.0"},
		{"between", Span{From: "v1.0.0", To: "v1.10.0"}, "v1.0.0 v1.2.0 v1.3.0 v1.4.0 v1.10.0"},
		{"prereleases on request", Span{From: "v0.9.0", To: "v1.0.0", Pre: true}, "v0.9.0 v1.0.0-rc1 v1.0.0"},
		{"prereleases where an end is one", Span{From: "v1.0.0-rc1", To: "v1.3.0"}, "v1.0.0-rc1 v1.0.0 v1.2.0 v1.3.0-beta v1.3.0"},
		{"retracted ones on request", Span{From: "v1.0.0", To: "v1.2.0", Withdrawn: true}, "v1.0.0 v1.1.0 v1.2.0"},
		{"a retracted end", Span{From: "v1.1.0", To: "v1.3.0"}, "v1.1.0 v1.2.0 v1.3.0"},
		{"a pseudo-version", Span{From: "v1.2.1-0.20240102030405-abcdefabcdef", To: "v1.4.0"}, "v1.2.1-0.20240102030405-abcdefabcdef v1.3.0 v1.4.0"},
		{"past the majors", Span{From: "v1.4.0", To: "v2.0.0+incompatible"}, "v1.4.0 v1.10.0 v2.0.0+incompatible"},
		{"reversed", Span{From: "v1.4.0", To: "v1.0.0"}, "! --since v1.4.0 is later than --until v1.0.0: swap them"},
		{"one", Span{From: "v1.4.0", To: "v1.4.0"}, "! --since and --until are the same version of example.com/m, v1.4.0"},
		{"nothing before", Span{To: "v0.9.0"}, "! example.com/m has no version before v0.9.0: to look at later ones, add --since v0.9.0 --until latest"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.span.Module, tt.span.Listed, tt.span.Retracted = "example.com/m", listed, []string{"v1.1.0"}
			list, err := tt.span.Versions()
			got := strings.Join(list, " ")
			if err != nil {
				got = "! " + err.Error()
				if exit.Code(err) != exit.UsageCode {
					t.Errorf("exit code %d", exit.Code(err))
				}
			}
			if got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
	only := Span{Module: "example.com/m", Listed: []string{"v1.0.0-a", "v1.0.0"}, To: "v1.0.0"}
	if _, err := only.Versions(); err == nil || !strings.HasSuffix(err.Error(), "except prereleases: add --pre") {
		t.Errorf("%v", err)
	}
}
