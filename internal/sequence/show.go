package sequence

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"reflect"
	"sort"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// This file imports no package of parallax, since reproducers of findings contain it (Rendering).

// known lists the errors that callers usually compare with errors.Is.
var known = []struct {
	err  error
	name string
}{
	{io.EOF, "io.EOF"},
	{io.ErrUnexpectedEOF, "io.ErrUnexpectedEOF"},
	{io.ErrShortWrite, "io.ErrShortWrite"},
	{io.ErrShortBuffer, "io.ErrShortBuffer"},
	{io.ErrClosedPipe, "io.ErrClosedPipe"},
	{io.ErrNoProgress, "io.ErrNoProgress"},
	{fs.ErrNotExist, "fs.ErrNotExist"},
	{fs.ErrExist, "fs.ErrExist"},
	{fs.ErrPermission, "fs.ErrPermission"},
	{fs.ErrInvalid, "fs.ErrInvalid"},
	{fs.ErrClosed, "fs.ErrClosed"},
	{os.ErrDeadlineExceeded, "os.ErrDeadlineExceeded"},
	{os.ErrNoDeadline, "os.ErrNoDeadline"},
	{os.ErrProcessDone, "os.ErrProcessDone"},
	{context.Canceled, "context.Canceled"},
	{context.DeadlineExceeded, "context.DeadlineExceeded"},
	{errors.ErrUnsupported, "errors.ErrUnsupported"},
}

// errorIs is errors.Is, but survives methods Is that panic.
func errorIs(err, target error) (yes bool) {
	defer func() { _ = recover() }()
	return errors.Is(err, target)
}

// class returns the form in which an error is compared: the known error that it wraps, or else its
// innermost error. Error numbers count by their text, others by their type.
func (t *Table) class(err error) string {
	if err == nil {
		return "nil"
	}
	for _, k := range known {
		if errorIs(err, k.err) {
			return k.name
		}
	}
	if t.Sentinels {
		return "another error"
	}
	inner := err
	for i := 0; i < 100; i++ {
		next := errors.Unwrap(inner)
		if next == nil {
			break
		}
		inner = next
	}
	if number, ok := inner.(syscall.Errno); ok {
		return "syscall.Errno(" + quoted(number.Error()) + ")"
	}
	return "error(" + reflect.TypeOf(inner).String() + ")"
}

var errorType = reflect.TypeOf((*error)(nil)).Elem()

// asError returns a result as an error, if its type is one.
func asError(v reflect.Value) (error, bool) {
	if v.Type() != errorType && !v.Type().Implements(errorType) {
		return nil, false
	}
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer, reflect.Slice, reflect.Map, reflect.Func, reflect.Chan:
		if v.IsNil() {
			return nil, true
		}
	}
	err, _ := v.Interface().(error)
	return err, true
}

// show formats a result for comparison with the other side. args are the method's arguments.
func (t *Table) show(m *Method, args []argument, v reflect.Value) string {
	if err, is := asError(v); is {
		return t.class(err)
	}
	if v.Kind() == reflect.Interface && v.IsNil() {
		return "nil"
	}
	switch x := v.Interface().(type) {
	case time.Time:
		return showTime(x)
	case time.Duration:
		return x.String()
	case fs.FileMode:
		return showMode(x)
	case fs.FileInfo:
		return showInfo(x)
	case fs.DirEntry:
		return showEntry(x)
	case []fs.FileInfo:
		var list []string
		for _, i := range x {
			list = append(list, showInfo(i))
		}
		return listing(m, args, list)
	case []fs.DirEntry:
		var list []string
		for _, e := range x {
			list = append(list, showEntry(e))
		}
		return listing(m, args, list)
	case []string:
		list := []string{}
		for _, name := range x {
			list = append(list, quoted(name))
		}
		if m.Name == "Readdirnames" {
			return listing(m, args, list)
		}
		return "[" + strings.Join(list, " ") + "]"
	}
	switch v.Kind() {
	case reflect.String:
		return quoted(v.String())
	case reflect.Bool:
		return strconv.FormatBool(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return strconv.FormatInt(v.Int(), 10)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return showBytes(v.Bytes())
		}
	}
	return other(v.Interface())
}

// showTime formats a time. Times near the present differ between runs, and are "now".
func showTime(t time.Time) string {
	const day = 24 * time.Hour
	if since := time.Since(t); since > -day && since < day {
		return "now"
	}
	return t.UTC().Format(time.RFC3339Nano)
}

// showMode formats the kind of a file and its permissions.
func showMode(m fs.FileMode) string { return (m & (fs.ModeType | fs.ModePerm)).String() }

// showInfo formats the properties of a file that do not depend on the file system.
func showInfo(i fs.FileInfo) string {
	if i == nil || reflect.ValueOf(i).Kind() == reflect.Pointer && reflect.ValueOf(i).IsNil() {
		return "nil"
	}
	size := ""
	if !i.IsDir() {
		size = fmt.Sprintf(" size %d", i.Size())
	}
	dir := ""
	if i.IsDir() != i.Mode().IsDir() {
		dir = fmt.Sprintf(" IsDir %t", i.IsDir())
	}
	when := showTime(i.ModTime())
	if i.IsDir() { // it changes with the contents
		when = ""
	} else {
		when = " " + when
	}
	return fmt.Sprintf("{%s %s%s%s%s}", quoted(i.Name()), showMode(i.Mode()), size, dir, when)
}

func showEntry(e fs.DirEntry) string {
	if e == nil {
		return "nil"
	}
	return fmt.Sprintf("{%s %s IsDir %t}", quoted(e.Name()), showMode(e.Type()), e.IsDir())
}

// listing formats a folder's entries, sorted by name, since file systems differ in the order. For a
// partial listing, the selection is undefined, and only the number counts.
func listing(m *Method, args []argument, list []string) string {
	if strings.HasPrefix(strings.ToLower(m.Name), "readdir") && len(args) > 0 && args[0].value.CanInt() && args[0].value.Int() > 0 {
		return fmt.Sprintf("%d entries", len(list))
	}
	sort.Strings(list)
	return "[" + strings.Join(list, " ") + "]"
}

// after formats the effects of a call on an argument.
func (a *argument) after(m *Method, results []reflect.Value) string {
	switch {
	case a.written != nil:
		return "; wrote " + showBytes(a.written.Bytes())
	case a.before == nil:
		return ""
	}
	now := a.value.Bytes()
	if m.Filled && len(results) > 0 && results[0].CanInt() {
		n := results[0].Int()
		if n < 0 || n > int64(len(now)) {
			return "; which is no length of the buffer"
		}
		if n == 0 {
			return ""
		}
		return "; read " + showBytes(now[:n])
	}
	if bytes.Equal(now, a.before) {
		return ""
	}
	return "; now " + showBytes(now)
}

// showBytes formats bytes; long ones by their begin, length and hash.
func showBytes(b []byte) string {
	const most = 128
	if len(b) <= most {
		return quoted(string(b))
	}
	h := uint64(14695981039346656037) // FNV-1a
	for _, c := range b {
		h = (h ^ uint64(c)) * 1099511628211
	}
	return fmt.Sprintf("%s... of %d bytes, hash %016x", quoted(string(b[:16])), len(b), h)
}

// quoted formats a text as Go source. It prefers backquotes, since lines of transcripts are quoted
// themselves.
func quoted(s string) string {
	if strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}
