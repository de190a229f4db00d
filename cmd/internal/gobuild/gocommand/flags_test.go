package gocommand

import (
	"strings"
	"testing"
)

func TestFlags(t *testing.T) {
	if got := ModuleFlags(`-mod=vendor -tags=a,b '-ldflags=-s -w' -modfile=x.mod -overlay=o.json`); got != "-tags=a,b '-ldflags=-s -w' -mod=mod" {
		t.Errorf("moduleFlags = %s", got)
	}
	for flags, want := range map[string]string{
		"":                                    "",
		"-mod=mod -count=1":                   "",
		"-json":                               "GOFLAGS=",
		"-v -tags=a '-ldflags=-s -w' --cover": "GOFLAGS=-tags=a '-ldflags=-s -w'",
	} {
		if got := strings.Join(PlainFlags(flags), " "); got != want {
			t.Errorf("plainFlags(%q) = %q, want %q", flags, got, want)
		}
	}
	for flags, want := range map[string]string{
		"":                                    "-w",
		"-trimpath":                           "-w",
		"-trimpath '-ldflags=-s -w -X a.b=c'": "-w -X a.b=c -w",
		"'-ldflags=-X a.b=c  d' -v":           "-X a.b=c  d -w",
		"-ldflags=-s":                         "-w",
	} {
		if got := LinkFlags(flags); got != want {
			t.Errorf("linkFlags(%q) = %q, want %q", flags, got, want)
		}
	}
	for path, want := range map[string]string{"/a/b": "/a/b", "/a b/c": "'/a b/c'", "/a'b/c": `"/a'b/c"`} {
		if got := Quote(path); got != want {
			t.Errorf("quote(%s) = %s, want %s", path, got, want)
		}
	}
}
