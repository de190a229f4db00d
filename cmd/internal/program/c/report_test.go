package c

import (
	"strings"
	"syscall"
	"testing"

	"parallax/cmd/internal/process/confine"
)

// TestReadReport checks that a sanitizer's report counts if it has the right form, and the process
// has that sanitizer's status.
func TestReadReport(t *testing.T) {
	const (
		stack   = "\n    #0 0x55d0 (/tmp/x+0x55d0)\n\n"
		address = "==7==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x602 at pc 0x55\nREAD of size 1" + stack
		thread  = "==================\nWARNING: ThreadSanitizer: data race (pid=1)\n" + stack + "SUMMARY: ThreadSanitizer: data race x.c:1 in f\n"
		memory  = "==7==WARNING: MemorySanitizer: use-of-uninitialized-value" + stack
		value   = "x.c:1:2: runtime error: division by zero" + stack
		overrun = "AddressSanitizer: heap-buffer-overflow"
	)
	for _, c := range []struct {
		text  string
		ended confine.Status
		env   string
		want  string
	}{
		{address, confine.Status{Exit: 1}, "", overrun},
		{"an input before\n" + address, confine.Status{Signal: syscall.SIGABRT}, "", overrun},
		{address, confine.Status{Exit: 33}, "ASAN_OPTIONS=symbolize=0:exitcode=33", overrun},
		{address, confine.Status{Exit: 33}, "ASAN_OPTIONS=exitcode=34", ""},
		{address, confine.Status{}, "", ""},
		{address, confine.Status{Exit: 2}, "", ""},
		{address, confine.Status{Exit: 66}, "", ""},
		{address, confine.Status{Signal: syscall.SIGSEGV}, "", ""},
		{"==7==ERROR: AddressSanitizer: fake\n", confine.Status{Exit: 1}, "", ""},
		{value + address, confine.Status{Exit: 1}, "", overrun},
		{address + value, confine.Status{Exit: 1}, "", "UndefinedBehaviorSanitizer: division by zero"},
		{value, confine.Status{}, "", ""},
		{thread, confine.Status{Exit: 66}, "", "ThreadSanitizer: data race"},
		{thread, confine.Status{}, "", ""},
		{memory, confine.Status{Exit: 77}, "", "MemorySanitizer: use-of-uninitialized-value"},
		{"", confine.Status{Exit: 1}, "", ""},
	} {
		report, got := readReport(c.text, c.ended, []string{c.env})
		if got != c.want || (report == "") != (got == "") || !strings.HasSuffix(c.text, report) {
			t.Errorf("%.40q, %+v: %q, %q", c.text, c.ended, got, report)
		}
	}
}
