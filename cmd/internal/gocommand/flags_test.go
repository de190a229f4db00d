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
	if flags, stripped := KeepSymbols(`-trimpath '-ldflags=-s -w -X a.b=c'`); flags != "-w -X a.b=c" || !stripped {
		t.Errorf("keepSymbols = %q, %t", flags, stripped)
	}
	if _, stripped := KeepSymbols(`-trimpath -ldflags=-w`); stripped {
		t.Error("keepSymbols takes away what is not there")
	}
	for path, want := range map[string]string{"/a/b": "/a/b", "/a b/c": "'/a b/c'", "/a'b/c": `"/a'b/c"`} {
		if got := Quote(path); got != want {
			t.Errorf("quote(%s) = %s, want %s", path, got, want)
		}
	}
}
