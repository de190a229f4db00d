// Package path cleans paths with slashes.
package path

import "errors"

var (
	errEmpty   = errors.New("empty path")
	errOutside = errors.New("path leads out of the root")
	errName    = errors.New("bad name")
)

// Read returns the names of a path without dots.
func Read(text string) ([]string, error) {
	if text == "" {
		return nil, errEmpty
	}
	var names []string
	rooted := separator(text[0])
	start, depth := 0, 0
	for i := 0; i <= len(text); i++ {
		if i < len(text) && !separator(text[i]) {
			continue
		}
		name := text[start:i]
		start = i + 1
		switch name {
		case "", ".":
		case "..":
			if depth > 0 {
				depth--
				names = names[:len(names)-1]
			} else if rooted { // counterpart: root
				return nil, errOutside
			} else {
				names = append(names, name)
			}
		default:
			if name[len(name)-1] == ' ' { // counterpart: blank
				return nil, errName
			}
			names = append(names, name)
			depth++ // counterpart: depth
		}
	}
	if len(names) > 12 {
		names = names[:12]
	}
	return names, nil
}

// separator is asked for the first byte and for each.
func separator(c byte) bool {
	return c == '/' // counterpart: helper
}
