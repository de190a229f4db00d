package tomldoc

import (
	"fmt"
	"slices"
	"strings"
)

// DidYouMean returns a "did you mean" suffix for a message with the word most similar to word. It
// returns "" if none is similar.
func DidYouMean(word string, words []string) string {
	best, least := "", 1+len(word)/4
	for _, other := range words {
		if d := distance(strings.ToLower(word), strings.ToLower(other)); d <= least && (best == "" || d < least) {
			best, least = other, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf(" (did you mean %q?)", best)
}

// longestWord is longer than any key. Longer words are not compared.
const longestWord = 64

// distance returns the Damerau-Levenshtein distance between two words. A swap of two neighbors
// counts as one edit.
func distance(a, b string) int {
	if len(a) > longestWord || len(b) > longestWord {
		return longestWord
	}
	var before, last, row [longestWord + 1]int
	for j := 0; j <= len(b); j++ {
		last[j] = j
	}
	for i := 1; i <= len(a); i++ {
		row[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

// Alternatives lists words for a message.
func Alternatives(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}

// Hint returns the result of DidYouMean, or else lists all words.
func Hint(word string, words []string) string {
	if m := DidYouMean(word, words); m != "" {
		return m
	}
	words = slices.Clone(words)
	slices.Sort(words)
	return ": known are " + strings.Join(slices.Compact(words), ", ")
}

// OneLine replaces line breaks with spaces.
func OneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if r == '\n' || r == '\r' {
			return ' '
		}
		return r
	}, s)
}

// MeantOne suggests a word for the first that is unknown; "" if none is near.
func MeantOne(words, known []string) string {
	for _, word := range words {
		if word = strings.TrimSpace(word); !slices.Contains(known, word) {
			return DidYouMean(word, known)
		}
	}
	return ""
}
