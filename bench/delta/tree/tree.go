// Package tree brings what decoders make of a document to one form, so that libraries with types of
// their own for maps and times can be compared: map[string]any, []any, and what they hold.
package tree

import (
	"fmt"
	"time"
)

// Of is the tree with maps keyed by text. A key that is no string is written with a sign for its
// kind, so that 1 and "1" stay apart; text and bytes of other keys are as they are. Times become
// text by moment, unless leaf knows better: it is asked about every value that is neither a map nor
// a list, and says whether it replaced it.
func Of(v any, leaf func(any) (any, bool)) any {
	switch v := v.(type) {
	case map[string]any:
		m := make(map[string]any, len(v))
		for k, item := range v {
			m[k] = Of(item, leaf)
		}
		return m
	case map[any]any:
		m := make(map[string]any, len(v))
		for k, item := range v {
			m[key(k)] = Of(item, leaf)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = Of(item, leaf)
		}
		return list
	case []map[string]any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = Of(item, leaf)
		}
		return list
	}
	if leaf != nil {
		if replaced, ok := leaf(v); ok {
			return replaced
		}
	}
	if t, ok := v.(time.Time); ok {
		return Moment(t)
	}
	return v
}

// Moment is how a moment is written: two clocks that show the same moment give the same text.
func Moment(t time.Time) string { return "time " + t.UTC().Format(time.RFC3339Nano) }

func key(k any) string {
	switch k := k.(type) {
	case string:
		return k
	case int, int64, uint64, int32, uint32, int16, uint16, int8, uint8, uint:
		return fmt.Sprintf("integer %d", k)
	case time.Time:
		return Moment(k)
	}
	return fmt.Sprintf("%T %v", k, k)
}
