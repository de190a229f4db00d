package sequence

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// record encodes an operation in an input: the method, its receiver, and the arguments.
type record [8]byte

// Size is the length of a record in bytes.
const Size = len(record{})

// arg returns the byte of the n-th argument. Arguments beyond the sixth reuse the bytes with an
// offset.
func (r *record) arg(n int) int {
	const first = 2
	b := r[first+n%(len(r)-first)]
	return int(b + byte(n/(len(r)-first))*37)
}

// Class determines how an argument is drawn.
type Class uint8

// The classes of arguments.
const (
	Name     Class = iota // a text of Table.Names
	Text                  // a text of content
	Bytes                 // content
	Buffer                // a []byte that the method fills
	Int                   // a number of any integer type, mostly small
	Flag                  // of os.OpenFile
	Whence                // of Seek
	Mode                  // a fs.FileMode
	Time                  // a time.Time
	Duration              // a time.Duration
	Bool
	Float
	Any     // an any, for example for a map
	Context // a context.Context
	Reader  // an io.Reader of content
	Writer  // an io.Writer: what was written is a result
	Object  // a value of Arg.Kind
)

// Arg describes a parameter.
type Arg struct {
	Class    Class
	Kind     int  // of an object
	Variadic bool // up to two values
}

// argument is a drawn value.
type argument struct {
	arg     *Arg
	value   reflect.Value
	before  []byte        // of a buffer
	written *bytes.Buffer // of a writer
}

var (
	lengths = [8]int{1, 0, 5, 3, 10, 2, 64, 600}
	room    = [8]int{4, 0, 1, 16, 64, 3, 700, 9}
	numbers = [16]int{0, 1, 2, 3, 4, 5, 10, -1, 7, 8, 16, -2, 64, 100, 1000, 4096}
	modes   = [8]fs.FileMode{0o644, 0o755, 0o600, 0o700, 0o777, 0o400, 0, 0o200}
	seconds = [4]int64{1_000_000_000, 1_234_567_890, 0, 86_400}
	spans   = [4]time.Duration{0, time.Millisecond, time.Microsecond, -1}
	floats  = [8]float64{0, 1, -1, 0.5, 100, 1e300, -0.25, 3}
	flags   = [4]struct {
		bit  int
		name string
	}{{os.O_CREATE, "os.O_CREATE"}, {os.O_TRUNC, "os.O_TRUNC"}, {os.O_APPEND, "os.O_APPEND"}, {os.O_EXCL, "os.O_EXCL"}}
)

// content returns bytes that differ from those of other arguments. b chooses the length and the
// letters.
func content(b int) []byte {
	text := make([]byte, lengths[b%len(lengths)])
	for i := range text {
		text[i] = byte('a' + (b/len(lengths)+i)%26)
	}
	return text
}

// draw draws the arguments of a method, and formats them as Go source. It reports whether it could.
func (s *run) draw(m *Method, of reflect.Type, rec record) (args []argument, texts []string, ok bool) {
	for i := range m.Args {
		a := &m.Args[i]
		b, in := rec.arg(i), of.In(i)
		count := 1
		if a.Variadic {
			count, in = b%3, in.Elem()
		}
		for n := 0; n < count; n++ {
			one, text, ok := s.argument(a, in, b+n)
			if !ok {
				return nil, nil, false
			}
			args, texts = append(args, one), append(texts, text)
		}
	}
	return args, texts, true
}

// argument draws one argument from a byte.
func (s *run) argument(a *Arg, in reflect.Type, b int) (argument, string, bool) {
	given := argument{arg: a}
	var value any
	text := ""
	switch a.Class {
	case Name:
		names := s.table.Names
		if names == nil {
			names = Names
		}
		name := names[b%len(names)]
		value, text = name, quoted(name)
	case Text:
		value, text = string(content(b)), repeated(content(b))
	case Bytes:
		value, text = content(b), "[]byte("+repeated(content(b))+")"
	case Buffer:
		given.before = make([]byte, room[b%len(room)])
		value, text = append([]byte{}, given.before...), fmt.Sprintf("make([]byte, %d)", len(given.before))
	case Int:
		return number(given, in, numbers[b%len(numbers)])
	case Flag:
		flag := b % 3 // os.O_RDONLY, os.O_WRONLY, os.O_RDWR
		text = [3]string{"os.O_RDONLY", "os.O_WRONLY", "os.O_RDWR"}[flag]
		for i, f := range flags {
			if b/3>>i&1 != 0 {
				flag, text = flag|f.bit, text+"|"+f.name
			}
		}
		value = flag
	case Whence:
		value = b % 4
		text = [4]string{"io.SeekStart", "io.SeekCurrent", "io.SeekEnd", "3"}[b%4]
	case Mode:
		value, text = modes[b%len(modes)], fmt.Sprintf("%#o", uint32(modes[b%len(modes)]))
	case Time:
		at := seconds[b%len(seconds)]
		value, text = time.Unix(at, 0), fmt.Sprintf("time.Unix(%d, 0)", at)
	case Duration:
		value, text = spans[b%len(spans)], fmt.Sprintf("time.Duration(%d)", spans[b%len(spans)])
	case Bool:
		value, text = b&1 != 0, strconv.FormatBool(b&1 != 0)
	case Float:
		value, text = floats[b%len(floats)], strconv.FormatFloat(floats[b%len(floats)], 'g', -1, 64)
	case Any:
		switch b % 4 {
		case 0:
			value, text = b/4, strconv.Itoa(b/4)
		case 1:
			value, text = string(content(b/4)), repeated(content(b/4))
		case 2:
			value, text = b&4 != 0, strconv.FormatBool(b&4 != 0)
		default:
			given.value = reflect.Zero(in)
			return given, "nil", true
		}
	case Context:
		value, text = context.Background(), "context.Background()"
	case Reader:
		value, text = io.Reader(strings.NewReader(string(content(b)))), "strings.NewReader("+repeated(content(b))+")"
	case Writer:
		given.written = new(bytes.Buffer)
		value, text = given.written, "new(bytes.Buffer)"
	case Object:
		list := s.objects[a.Kind]
		if len(list) == 0 {
			return given, "", false
		}
		o := list[b%len(list)]
		given.value = o.value
		return given, o.name, o.value.Type().AssignableTo(in)
	}
	given.value = reflect.ValueOf(value)
	if given.value.Type() != in {
		if !given.value.Type().ConvertibleTo(in) {
			return given, "", false
		}
		given.value = given.value.Convert(in)
	}
	return given, text, true
}

// number converts a number to a type that may be too small for it, or unsigned.
func number(given argument, in reflect.Type, n int) (argument, string, bool) {
	given.value = reflect.New(in).Elem()
	switch {
	case given.value.CanInt():
		given.value.SetInt(int64(n))
		return given, strconv.FormatInt(given.value.Int(), 10), true
	case given.value.CanUint():
		if n < 0 {
			n = -n
		}
		given.value.SetUint(uint64(n))
		return given, strconv.FormatUint(given.value.Uint(), 10), true
	}
	return given, "", false
}

// repeated formats content as quoted Go source. It shortens long texts to a call of strings.Repeat.
func repeated(text []byte) string {
	if len(text) <= 64 {
		return quoted(string(text))
	}
	alphabet := []byte{}
	for i := 0; i < 26; i++ {
		alphabet = append(alphabet, text[i])
	}
	return fmt.Sprintf("strings.Repeat(%s, %d)[:%d]", quoted(string(alphabet)), (len(text)+25)/26, len(text))
}
