package main

import (
	"maps"
	"testing"
)

// TestKindsOf checks that a finding belongs to the nearest changed function before its place.
func TestKindsOf(t *testing.T) {
	functions := []planned{
		{"example.com/m/a.go:10", []string{"statement"}},
		{"example.com/m/a.go:40", []string{"condition", "constant"}},
		{"example.com/m/b/b.go:5", []string{"statement", "type"}},
	}
	k := kindsOf(functions, []string{"a.go:12", "a.go:40", "a.go:90", "a.go:9", "c.go:1"})
	if want := map[string]int{"statement": 2, "condition": 1, "constant": 1, "type": 1}; !maps.Equal(k.Functions, want) {
		t.Errorf("functions %v, want %v", k.Functions, want)
	}
	if want := map[string]int{"statement": 1, "condition": 2, "constant": 2}; !maps.Equal(k.Findings, want) || k.Elsewhere != 2 {
		t.Errorf("findings %v, want %v, and %d elsewhere", k.Findings, want, k.Elsewhere)
	}
}
