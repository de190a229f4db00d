package node

import (
	"net/url"
	"path/filepath"
	"regexp"
	"strings"

	"parallax/cmd/internal/base/exit"
)

// These expressions match messages of a driver that does not start. A message is a line of
// call.mjs, or Node's message about a module that it cannot compile, with the place above it.
var (
	noFunction = regexp.MustCompile(`(?m)^\s*no such function: (.+)$`)
	notCode    = regexp.MustCompile(`(?m)^\s*(SyntaxError: .+)$`)
	place      = regexp.MustCompile(`(?m)^\s*(file://)?(/.+):([0-9]+)$`)
)

// Explain returns a one-line error for a driver that does not start, if the module is the cause.
// Other errors are returned unchanged.
func (m *Model) Explain(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if said := noFunction.FindStringSubmatch(text); said != nil {
		return exit.Usage("%s", said[1])
	}
	said := notCode.FindStringSubmatchIndex(text)
	if said == nil {
		return err
	}
	at := place.FindStringSubmatch(text[:said[0]])
	if at == nil {
		return exit.Build("%w", err)
	}
	path := at[2]
	if plain, wrong := url.PathUnescape(path); at[1] != "" && wrong == nil {
		path = plain
	}
	if inside, wrong := filepath.Rel(m.Dir, path); wrong == nil && filepath.IsLocal(inside) {
		path = "./" + filepath.ToSlash(inside)
	}
	return exit.Build("%s:%s: %s", path, at[3], strings.TrimSpace(text[said[2]:said[3]]))
}
