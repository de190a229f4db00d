// Package toml decodes a document with three libraries behind one signature: to maps keyed by text,
// lists, text, int64, float64 and bool. Dates and times are text that says which of TOML's four
// kinds they are.
package toml

import (
	"time"

	burntsushi "github.com/BurntSushi/toml"
	v1 "github.com/pelletier/go-toml"
	v2 "github.com/pelletier/go-toml/v2"

	"delta/tree"
)

// BurntSushi decodes with github.com/BurntSushi/toml.
func BurntSushi(data []byte) (any, error) {
	var m map[string]any
	if err := burntsushi.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	return tree.Of(m, burntSushiTime), nil
}

// burntSushiTime recognizes local dates and times by the names of their locations, as the library's
// documentation does.
func burntSushiTime(v any) (any, bool) {
	t, ok := v.(time.Time)
	if !ok {
		return nil, false
	}
	switch t.Location().String() {
	case "datetime-local":
		return "local " + t.Format("2006-01-02T15:04:05.999999999"), true
	case "date-local":
		return "local " + t.Format("2006-01-02"), true
	case "time-local":
		return "local " + t.Format("15:04:05.999999999"), true
	}
	return nil, false
}

// Pelletier2 decodes with github.com/pelletier/go-toml/v2.
func Pelletier2(data []byte) (any, error) {
	var m map[string]any
	if err := v2.Unmarshal(data, &m); err != nil {
		return nil, err
	}
	return tree.Of(m, func(v any) (any, bool) {
		switch v := v.(type) {
		case v2.LocalDateTime:
			return "local " + v.AsTime(time.UTC).Format("2006-01-02T15:04:05.999999999"), true
		case v2.LocalDate:
			return "local " + v.AsTime(time.UTC).Format("2006-01-02"), true
		case v2.LocalTime:
			return "local " + clock(v.Hour, v.Minute, v.Second, v.Nanosecond), true
		}
		return nil, false
	}), nil
}

// Pelletier1 decodes with the first version of github.com/pelletier/go-toml, which is another
// parser.
func Pelletier1(data []byte) (any, error) {
	t, err := v1.LoadBytes(data)
	if err != nil {
		return nil, err
	}
	return tree.Of(t.ToMap(), func(v any) (any, bool) {
		switch v := v.(type) {
		case v1.LocalDateTime:
			return "local " + v.In(time.UTC).Format("2006-01-02T15:04:05.999999999"), true
		case v1.LocalDate:
			return "local " + v.In(time.UTC).Format("2006-01-02"), true
		case v1.LocalTime:
			return "local " + clock(v.Hour, v.Minute, v.Second, v.Nanosecond), true
		}
		return nil, false
	}), nil
}

func clock(hour, minute, second, nanosecond int) string {
	return time.Date(0, 1, 1, hour, minute, second, nanosecond, time.UTC).Format("15:04:05.999999999")
}
