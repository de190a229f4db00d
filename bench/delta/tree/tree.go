// Package tree converts decoded documents to one form: map[string]any, []any, and their contents.
// So libraries with their own types for maps and times can be compared.
package tree

import (
	"fmt"
	"time"
)

// Of returns the tree with maps keyed by text. A key that is no string is written with a sign for
// its kind, so that 1 and "1" stay apart. Text and bytes of other keys stay. Times become text by
// moment, unless leaf knows better. Of calls leaf for every value that is neither a map nor a list.
// leaf reports whether it replaced the value.
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
