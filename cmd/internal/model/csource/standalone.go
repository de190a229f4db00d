package csource

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/model/llvmir"
)

// Alone holds the input of a compiler that builds a shared library of a function without parallax.
// This is the user's preprocessed files, and functions that stubs call to talk to an analyzer.
type Alone struct {
	// by name. Files that end in .i belong to the library. talk.c belongs to the program that calls
	// it.
	Files map[string]string
	Flags []string // compiler flags for the library
}

// Called is the exported symbol of the function. All other symbols are local, so a stub of strlen
// does not replace the program's strlen.
const Called = "parallax_called"

// Exit codes of a program whose function talks to an analyzer.
const (
	DeclinesStatus = 77 // the model rejects the call, or allows any value
	FailsStatus    = 78
)

// Alone returns the function in a form that builds without parallax.
func (p *Part) Alone() (*Alone, error) {
	c, err := p.Load()
	if err != nil {
		return nil, err
	}
	f, err := c.find(p.Function)
	if err != nil {
		return nil, err
	}
	a := &Alone{Files: map[string]string{"symbols": "{ global: " + Called + "; local: *; };\n"}, Flags: p.Flags}
	for i, u := range p.Units {
		if u.Source == "" {
			return nil, errors.New("an older parallax kept no source of " + u.File)
		}
		text := u.Source
		if f.File == c.files[i] {
			text = fmt.Sprintf("%s\n# 1 %q\nextern __typeof__(%s) %s __attribute__((alias(%q)));\n", strings.TrimRight(text, "\n"), "added by parallax", p.Function, Called, f.Name)
		}
		a.Files[fmt.Sprintf("%d-%s.i", i, strings.TrimSuffix(filepath.Base(u.File), ".c"))] = text
	}
	if talk := c.talk(); talk != "" {
		a.Files["talk.c"] = talk
	}
	return a, nil
}

// talk returns the analyzer functions that the files call and do not define.
func (c *Code) talk() string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(c.roles)) {
		f := c.declared(name)
		if f == nil || c.defines(name) {
			continue
		}
		var params []string
		for i, q := range f.Params {
			params = append(params, cType(q.Type)+fmt.Sprintf(" a%d", i))
		}
		r := c.roles[name]
		if r.kind == assumes || r.kind == asserts {
			if len(params) == 0 {
				continue
			}
		}
		if len(params) == 0 {
			params = []string{"void"}
		}
		fmt.Fprintf(&b, "\n%s %s(%s) {\n", cType(f.Result), name, strings.Join(params, ", "))
		switch r.kind {
		case assumes:
			fmt.Fprintf(&b, "\tif (!a0)\n\t\tend(%q, %d);\n", name+" assumes what is not so", DeclinesStatus)
		case asserts:
			fmt.Fprintf(&b, "\tif (!a0)\n\t\tend(%q, %d);\n", name+" fails", FailsStatus)
		case fails:
			fmt.Fprintf(&b, "\tend(%q, %d);\n", name+" is called", FailsStatus)
		case leaves, unsupported:
			fmt.Fprintf(&b, "\tend(%q, %d);\n", name+" is called", DeclinesStatus)
		case anyValue:
			fmt.Fprintf(&b, "\tend(%q, %d);\n", name+" gives any value", DeclinesStatus)
		case hints:
		}
		if f.Result.Kind != llvmir.VoidType {
			b.WriteString("\treturn 0;\n")
		}
		b.WriteString("}\n")
	}
	if b.Len() == 0 {
		return ""
	}
	return fmt.Sprintf("/* Annotations of the files for an analyzer. Status %d: they do not have the call, or any value would do; %d: they call it a mistake. */\n"+
		"#include <stdint.h>\n#include <stdio.h>\n#include <unistd.h>\n\n"+
		"static void end(const char *why, int status) {\n\tfprintf(stderr, \"%%s\\n\", why);\n\t_exit(status);\n}\n", DeclinesStatus, FailsStatus) + b.String()
}

// declared returns a function that a file mentions, or nil.
func (c *Code) declared(name string) *llvmir.Function {
	for _, file := range c.files {
		for _, f := range file.Functions {
			if f.Name == name {
				return f
			}
		}
	}
	return nil
}

func (c *Code) defines(name string) bool {
	return slices.ContainsFunc(c.files, func(file *llvmir.File) bool {
		return slices.ContainsFunc(file.Functions, func(f *llvmir.Function) bool { return f.Name == name && (len(f.Blocks) > 0 || f.Unsupported != nil) })
	})
}

// cType returns a C type that is passed like an IR type.
func cType(t *llvmir.Type) string {
	switch {
	case t.Kind == llvmir.VoidType:
		return "void"
	case t.Kind == llvmir.IntType && t.Bits == 1:
		return "_Bool"
	case t.Kind == llvmir.IntType && t.Bits <= 8:
		return "uint8_t"
	case t.Kind == llvmir.IntType && t.Bits <= 16:
		return "uint16_t"
	case t.Kind == llvmir.IntType && t.Bits <= 32:
		return "uint32_t"
	}
	return "uint64_t" // also for addresses
}

// SpeechError reports a name in Speech that no file calls.
type SpeechError struct{ Key, Name, Why string }

func (e *SpeechError) Error() string { return fmt.Sprintf("%s: %s", e.Key, e.Why) }

// Check returns an error if the files do not call some function of Speech. A misspelled name would
// turn rejected calls into findings.
func (s *Sources) Check() error {
	c, err := s.Load()
	if err != nil {
		return err
	}
	for _, key := range []struct {
		name string
		list []string
	}{{"unsupported", s.Unsupported}, {"assume", s.Assume}, {"any", s.Any}} {
		for _, name := range key.list {
			if c.declared(name) == nil {
				return &SpeechError{Key: key.name, Name: name, Why: fmt.Sprintf("%s calls no function %s%s", c.names(), name, c.calls())}
			}
		}
	}
	return nil
}

// calls lists the functions that the files call and do not define, for messages.
func (c *Code) calls() string {
	var names []string
	for _, file := range c.files {
		for _, f := range file.Functions {
			if !strings.HasPrefix(f.Name, "llvm.") && !c.defines(f.Name) && !slices.Contains(names, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	const shown = 20
	switch slices.Sort(names); {
	case len(names) == 0:
		return ", and none that is not defined there: a function that nothing calls says nothing"
	case len(names) > shown:
		names = append(names[:shown], "and others")
	}
	return ": those that it calls and does not define are " + strings.Join(names, ", ")
}
