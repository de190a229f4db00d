// Package fuzzed has fuzz tests that go wrong in several ways.
package fuzzed

import (
	"encoding/binary"
	"errors"
	"strings"
)

var errShort = errors.New("short")

// Record reads tagged fields: it panics by an index, by nil and by a message.
func Record(data []byte) (fields map[byte][]byte, err error) {
	if len(data) < 4 || string(data[:2]) != "RC" {
		return nil, errShort
	}
	for data = data[2:]; len(data) > 1; {
		tag, size := data[0], int(data[1])
		data = data[2:]
		if tag == 'Z' && size > 4 {
			panic("a zone of more than four bytes")
		}
		if tag == 'M' {
			fields[tag] = nil
			return fields, nil
		}
		value := data[:size]
		if tag == 'N' && binary.BigEndian.Uint16(value) == 0x7777 {
			return nil, errors.New("seventy-seven")
		}
		data = data[size:]
	}
	return fields, nil
}

// Reverse forgets about characters of several bytes.
func Reverse(s string) string {
	var b strings.Builder
	for i := len(s) - 1; i >= 0; i-- {
		b.WriteByte(s[i])
	}
	return b.String()
}
