// Package codes makes codes of error messages, as the paper's programs return codes. It removes the
// part that repeats the input, which would make nearly every message another. Numbers and quoted
// parts stay, since parallax removes them itself.
package codes

import (
	"errors"
	"hash/fnv"
	"regexp"
	"strings"
)

// Before is an error whose message is that of err up to the first of the separators.
func Before(err error, separators ...string) error {
	text := err.Error()
	for _, s := range separators {
		text, _, _ = strings.Cut(text, s)
	}
	return errors.New(text)
}

// inQuotes and numbers match the parts that differ between messages of one kind.
var (
	inQuotes = regexp.MustCompile("\"(?:[^\"\\\\]|\\\\.)*\"|'(?:[^'\\\\]|\\\\.)*'|`[^`]*`")
	numbers  = regexp.MustCompile(`[0-9]+|U\+[0-9A-F]+`)
)

// One makes one of n codes of the outcome, nil among them: the kind of the error's message decides,
// by its hash. The codes are words, since parallax takes numbers out of messages.
func One(err error, n int) error {
	if err == nil {
		return nil
	}
	h := fnv.New32a()
	h.Write([]byte(numbers.ReplaceAllString(inQuotes.ReplaceAllString(err.Error(), ""), "")))
	code := int(h.Sum32() % uint32(n-1))
	return errors.New("code " + string(rune('a'+code/26)) + string(rune('a'+code%26)))
}
