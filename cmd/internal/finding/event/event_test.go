package event

import (
	"errors"
	"fmt"
	"testing"
)

type listener struct {
	name  string
	heard *[]string
	fails error
}

func (l listener) Handle(e Event) error {
	*l.heard = append(*l.heard, fmt.Sprintf("%s %T", l.name, e))
	return l.fails
}

// TestFolderComesFirst checks that no subscriber gets an event that the folder could not write.
func TestFolderComesFirst(t *testing.T) {
	full := errors.New("disk full")
	for _, test := range []struct {
		fails error
		want  string
	}{
		{nil, "[folder event.Novel status event.Novel page event.Novel]"},
		{full, "[folder event.Novel]"},
	} {
		var heard []string
		s := Stream{listener{"folder", &heard, test.fails}, listener{"status", &heard, nil}, listener{"page", &heard, nil}}
		if err := s.Publish(Novel{}); err != test.fails {
			t.Errorf("%v, want %v", err, test.fails)
		}
		if got := fmt.Sprint(heard); got != test.want {
			t.Errorf("heard by %s, want %s", got, test.want)
		}
	}
}
