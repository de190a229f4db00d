package sample

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"parallax/internal/feature"
)

// Diversity holds the number of distinct features that each domain has shown over all inputs, in
// the order of feature.Table. In JSON, it is an object with the domains' keys.
type Diversity []Count

// Count is the number of features of one domain.
type Count struct {
	Key string // of the domain, in JSON
	N   uint64
}

// Estimated reports whether the count is an estimate: see feature.Set.
func (c Count) Estimated() bool { return c.N >= feature.Exact }

// Get returns a domain's count by its key, or 0.
func (d Diversity) Get(key string) uint64 {
	for _, c := range d {
		if c.Key == key {
			return c.N
		}
	}
	return 0
}

// counted reports whether the supervisor counts the features of a domain.
func counted(d *feature.Domain) bool {
	return d.Key != "" && d.Measure != nil && d.Number != feature.Unstored
}

// Measured counts the domains that a campaign measures. count returns the number of features of a
// domain.
func Measured(programs int, guidance []string, count func(number int) int) Diversity {
	var out Diversity
	for _, d := range feature.Table {
		if counted(d) && d.Measured(programs, slices.Contains(guidance, d.Name)) {
			out = append(out, Count{d.Key, uint64(count(d.Number))})
		}
	}
	return out
}

// Columns counts the domains that a time series has: those that campaigns measure for any number of
// programs, and those that guide.
func Columns(guidance []string, count func(number int) int) Diversity {
	var out Diversity
	for _, d := range feature.Table {
		if counted(d) && (d.Always > 0 || slices.Contains(guidance, d.Name)) {
			out = append(out, Count{d.Key, uint64(count(d.Number))})
		}
	}
	return out
}

// Domain returns the row of a count. Nil means that this parallax does not know the domain.
func (c Count) Domain() *feature.Domain {
	for _, d := range feature.Table {
		if counted(d) && d.Key == c.Key {
			return d
		}
	}
	return nil
}

// MarshalJSON writes an object with its keys in order.
func (d Diversity) MarshalJSON() ([]byte, error) {
	return object(len(d), func(i int) (string, any) { return d[i].Key, d[i].N })
}

func object(n int, member func(i int) (key string, value any)) ([]byte, error) {
	b := []byte{'{'}
	for i := range n {
		key, value := member(i)
		data, err := json.Marshal(value)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			b = append(b, ',')
		}
		b = append(fmt.Appendf(b, "%q:", key), data...)
	}
	return append(b, '}'), nil
}

// UnmarshalJSON reads an object. Keys of unknown domains come last, by name.
func (d *Diversity) UnmarshalJSON(data []byte) error {
	var m map[string]uint64
	if err := json.Unmarshal(data, &m); err != nil {
		return err
	}
	*d = nil
	for _, key := range keys(m) {
		*d = append(*d, Count{key, m[key]})
	}
	return nil
}

// keys returns the keys of known domains in the order of the table, then the others by name.
func keys[V any](m map[string]V) []string {
	rank := func(key string) int {
		return slices.IndexFunc(feature.Table, func(d *feature.Domain) bool { return d.Key == key })
	}
	var list []string
	for key := range m {
		list = append(list, key)
	}
	slices.SortFunc(list, func(a, b string) int {
		switch i, k := rank(a), rank(b); {
		case i >= 0 && k >= 0:
			return i - k
		case i >= 0:
			return -1
		case k >= 0:
			return 1
		}
		return bytes.Compare([]byte(a), []byte(b))
	})
	return list
}

// inlineKey marks a member that is replaced by its own members: encoding/json inlines structs, but
// no maps.
const inlineKey = "@domains"

// Inline replaces the member inlineKey, a flat object, by its members.
func Inline(data []byte) []byte {
	mark := []byte(`"` + inlineKey + `":{`)
	at := bytes.Index(data, mark)
	if at < 0 {
		return data
	}
	inner := data[at+len(mark):]
	end := bytes.IndexByte(inner, '}')
	rest := inner[end+1:]
	if end == 0 { // nothing replaces it, not even a comma
		rest = bytes.TrimPrefix(rest, []byte{','})
		if len(rest) > 0 && rest[0] == '}' {
			return append(bytes.TrimSuffix(data[:at:at], []byte{','}), rest...)
		}
	}
	return slices.Concat(data[:at], inner[:end], rest)
}

// CollectDiversity reads the members of an object whose keys are domains.
func CollectDiversity(data []byte) (Diversity, error) {
	counts, err := Collect[uint64](data)
	var d Diversity
	for _, key := range keys(counts) {
		d = append(d, Count{key, counts[key]})
	}
	return d, err
}

// Collect reads the members of an object whose keys are domains.
func Collect[V any](data []byte) (map[string]V, error) {
	var all map[string]json.RawMessage
	if err := json.Unmarshal(data, &all); err != nil {
		return nil, err
	}
	m := map[string]V{}
	for _, d := range feature.Table {
		raw, ok := all[d.Key]
		if !ok || !counted(d) {
			continue
		}
		var v V
		if err := json.Unmarshal(raw, &v); err != nil {
			return nil, fmt.Errorf("%s: %w", d.Key, err)
		}
		m[d.Key] = v
	}
	return m, nil
}
