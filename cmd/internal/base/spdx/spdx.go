// Package spdx writes the license of parallax into the files that users keep: the copy of the library, drivers, configurations,
// workflows and reproducers.
package spdx

import (
	"bytes"
	"path"
	"strings"
)

// Line is the license of parallax, without the marks of a comment.
const Line = "SPDX-License-Identifier: BSD-3-Clause"

// comments are the marks around a comment, by the extension of a file.
var comments = map[string]struct{ begin, end string }{
	".go": {"// ", ""}, ".mod": {"// ", ""}, ".java": {"// ", ""}, ".mjs": {"// ", ""}, ".js": {"// ", ""}, ".php": {"// ", ""},
	".c": {"/* ", " */"}, ".h": {"/* ", " */"},
	".py": {"# ", ""}, ".pl": {"# ", ""}, ".pm": {"# ", ""}, ".sh": {"# ", ""}, ".toml": {"# ", ""}, ".yml": {"# ", ""},
}

// Comment returns the line as a comment of the file's language; "": its language has none, or is not known.
func Comment(name string) string {
	c, ok := comments[path.Ext(name)]
	if !ok {
		return ""
	}
	return c.begin + Line + c.end + "\n"
}

// Mark puts the line at the beginning of a file, after what has to be the first line.
func Mark(name string, text []byte) []byte {
	line := Comment(name)
	if line == "" || bytes.Contains(text, []byte(Line)) {
		return text
	}
	first := 0
	if bytes.HasPrefix(text, []byte("#!")) || bytes.HasPrefix(text, []byte("<?php")) {
		first = bytes.IndexByte(text, '\n') + 1
	}
	if strings.HasPrefix(line, "//") && first == 0 { // else it would belong to the comment of a Go package
		line += "\n"
	}
	return append(append(bytes.Clone(text[:first]), line...), text[first:]...)
}
