package genxml

import (
	"fmt"
	"strconv"
	"strings"
)

// Dictionary reads words from a file in the format of AFL and libFuzzer, as --dict of parallax
// takes it, for Hints.Words. A line has a word in quotes, with \xNN, \\ and \" in it. A name and =
// may precede it. Lines that begin with # are comments.
func Dictionary(text string) (words []string, err error) {
	for i, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if line == "" || line[0] == '#' {
			continue
		}
		at := strings.IndexByte(line, '"')
		if at < 0 {
			return nil, fmt.Errorf("line %d of the dictionary has no word in quotes: %s", i+1, line)
		}
		word, err := strconv.Unquote(line[at:])
		if err != nil {
			return nil, fmt.Errorf("line %d of the dictionary: %s is no word in quotes", i+1, line[at:])
		}
		words = with(words, word)
	}
	return words, nil
}
