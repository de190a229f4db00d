package persistent

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
)

// Quote implements program.Quoter. It writes a JSON list of arguments as a call in JavaScript. It
// returns "" for other inputs, and for drivers whose inputs are not calls.
func (e *Executor) Quote(input []byte) string { return quote(input, e.c.Call, e.c.Method) }

func quote(input []byte, function string, method bool) string {
	var args []json.RawMessage
	if function == "" || json.Unmarshal(input, &args) != nil || args == nil || method && len(args) == 0 {
		return ""
	}
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = literal(a)
	}
	if !method {
		return fmt.Sprintf("%s(%s)", function, strings.Join(texts, ", "))
	}
	on := texts[0]
	if c := on[0]; c == '-' || c == '{' || '0' <= c && c <= '9' || strings.HasPrefix(on, "new ") {
		on = "(" + on + ")"
	}
	return fmt.Sprintf("%s.%s(%s)", on, function, strings.Join(texts[1:], ", "))
}

// literal returns a JSON value in JavaScript. Values that JSON lacks are objects with the key $ or
// $bytes.
func literal(value json.RawMessage) string {
	value = bytes.TrimSpace(value)
	switch value[0] {
	case '[':
		var list []json.RawMessage
		if json.Unmarshal(value, &list) != nil {
			return string(value)
		}
		texts := make([]string, len(list))
		for i, v := range list {
			texts[i] = literal(v)
		}
		return "[" + strings.Join(texts, ", ") + "]"
	case '{':
		return object(value)
	}
	return string(value)
}

func object(value json.RawMessage) string {
	var special map[string]string
	if json.Unmarshal(value, &special) == nil && len(special) == 1 {
		if s, ok := special["$"]; ok {
			return s
		}
		if data, err := hex.DecodeString(special["$bytes"]); err == nil && special["$bytes"] != "" || special["$bytes"] == "" && strings.Contains(string(value), `"$bytes"`) {
			texts := make([]string, len(data))
			for i, b := range data {
				texts[i] = fmt.Sprint(b)
			}
			return "new Uint8Array([" + strings.Join(texts, ", ") + "])"
		}
	}
	d := json.NewDecoder(bytes.NewReader(value))
	if _, err := d.Token(); err != nil { // the brace
		return string(value)
	}
	var fields []string
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return string(value)
		}
		var v json.RawMessage
		if d.Decode(&v) != nil {
			return string(value)
		}
		name, err := json.Marshal(key)
		if err != nil {
			return string(value)
		}
		fields = append(fields, string(name)+": "+literal(v))
	}
	return "{" + strings.Join(fields, ", ") + "}"
}
