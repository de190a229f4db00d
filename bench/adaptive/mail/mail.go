// Package mail reads a message of e-mail with two libraries behind one signature.
package mail

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"net/mail"
	"regexp"
	"slices"
	"strings"

	"github.com/emersion/go-message/textproto"
)

// Message has the facts that both libraries report about a message.
type Message struct {
	Header []Field // sorted
	Body   []byte
}

// Field is a field of the header: its name in lower case, and its value unfolded, without spaces
// around it.
type Field struct{ Name, Value string }

// Std reads with net/mail.
func Std(data []byte) (*Message, error) {
	m, err := mail.ReadMessage(bytes.NewReader(data))
	if err != nil {
		return nil, plain(err)
	}
	body, err := io.ReadAll(m.Body)
	if err != nil {
		return nil, err
	}
	out := &Message{Body: body}
	for name, values := range m.Header {
		for _, value := range values {
			out.add(name, value)
		}
	}
	return out.sorted(), nil
}

// Emersion reads with github.com/emersion/go-message.
func Emersion(data []byte) (*Message, error) {
	r := bufio.NewReader(bytes.NewReader(data))
	header, err := textproto.ReadHeader(r)
	if err != nil {
		return nil, plain(err)
	}
	body, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	out := &Message{Body: body}
	for f := header.Fields(); f.Next(); {
		out.add(f.Key(), f.Value())
	}
	return out.sorted(), nil
}

// quoted are messages with a text of the input behind them, without quotes around it: nearly each
// input would have an error of its own.
var quoted = regexp.MustCompile(`(?s)^([a-z: ]*malformed [A-Za-z ]*(?:line|key)): .*$`)

// plain is an error without a text of the input.
func plain(err error) error {
	if m := quoted.FindStringSubmatch(err.Error()); m != nil {
		return errors.New(m[1])
	}
	return err
}

func (m *Message) add(name, value string) {
	m.Header = append(m.Header, Field{strings.ToLower(name), strings.TrimSpace(value)})
}

func (m *Message) sorted() *Message {
	slices.SortFunc(m.Header, func(a, b Field) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Value, b.Value)) })
	return m
}
