// Package spdx writes the license of parallax into files that users keep: copies of the library and
// of drivers, and reproducers. Files that users go on to write, such as tests, have none.
package spdx

import (
	"bytes"
	"path"
	"strings"
)

// Line is the license of parallax, without comment markers.
const Line = "SPDX-License-Identifier: BSD-3-Clause"

// comments maps file extensions to comment markers.
var comments = map[string]struct{ begin, end string }{
	".go": {"// ", ""}, ".mod": {"// ", ""}, ".java": {"// ", ""}, ".mjs": {"// ", ""}, ".js": {"// ", ""}, ".php": {"// ", ""},
	".c": {"/* ", " */"}, ".h": {"/* ", " */"},
	".py": {"# ", ""}, ".pl": {"# ", ""}, ".pm": {"# ", ""}, ".sh": {"# ", ""}, ".toml": {"# ", ""}, ".yml": {"# ", ""},
}

// Comment returns the line as a comment in the file's language. It returns "" if the language is
// unknown or has no comments.
func Comment(name string) string {
	c, ok := comments[path.Ext(name)]
	if !ok {
		return ""
	}
	return c.begin + Line + c.end + "\n"
}

// Mark inserts the line at the beginning of a file, after a line that must stay first.
func Mark(name string, text []byte) []byte {
	line := Comment(name)
	if line == "" || bytes.Contains(text, []byte(Line)) {
		return text
	}
	first := 0
	if bytes.HasPrefix(text, []byte("#!")) || bytes.HasPrefix(text, []byte("<?php")) {
		first = bytes.IndexByte(text, '\n') + 1
	}
	if strings.HasPrefix(line, "//") && first == 0 { // otherwise it would join the comment of a Go package
		line += "\n"
	}
	return append(append(bytes.Clone(text[:first]), line...), text[first:]...)
}
