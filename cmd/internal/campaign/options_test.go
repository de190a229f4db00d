package campaign

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"parallax/cmd/internal/base/exit"
	"parallax/cmd/internal/subject"
	"parallax/internal/oracle"
	"parallax/internal/policy"
)

func TestParseBudget(t *testing.T) {
	tests := []struct {
		in   string
		want Budget
		err  string
	}{
		{"10000x", Budget{Inputs: 10000}, ""},
		{"1x", Budget{Inputs: 1}, ""},
		{"30s", Budget{Time: 30 * time.Second}, ""},
		{"1h2m", Budget{Time: 62 * time.Minute}, ""},
		{"0", Budget{}, ""}, // no limit
		{"0s", Budget{}, ""},
		{"0x", Budget{}, "10000x"},
		{"x", Budget{}, "10000x"},
		{"-5x", Budget{}, "10000x"},
		{"1.5x", Budget{}, "10000x"},
		{"99999999999999999999x", Budget{}, "10000x"},
		{"-1s", Budget{}, "30s"},
		{"", Budget{}, "30s"},
		{"10", Budget{}, "30s"},
		{"ten minutes", Budget{}, "30s"},
	}
	for _, test := range tests {
		got, err := ParseBudget(test.in)
		if got != test.want || (err == nil) != (test.err == "") {
			t.Errorf("%q: %+v, %v", test.in, got, err)
		}
		if err != nil && (exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), test.err)) {
			t.Errorf("%q: code %d, %v", test.in, exit.Code(err), err)
		}
	}
}

func TestParseMemory(t *testing.T) {
	tests := []struct {
		in   string
		want int64 // negative means an error
	}{
		{"0", 0}, {"12345", 12345}, {"1KiB", 1 << 10}, {"512MiB", 512 << 20}, {"2GiB", 2 << 30}, {"2gib", 2 << 30}, {"3G", 3 << 30},
		{"4 GiB", 4 << 30}, {" 5M ", 5 << 20}, {"6MB", 6 << 20}, {"7k", 7 << 10}, {"100B", 100},
		{"", -1}, {"GiB", -1}, {"-1", -1}, {"-1GiB", -1}, {"1.5GiB", -1}, {"2TiB", -1}, {"9999999999GiB", -1}, {"1e9", -1}, {"much", -1},
	}
	for _, test := range tests {
		got, err := ParseMemory(test.in)
		if (err != nil) != (test.want < 0) || err == nil && got != test.want {
			t.Errorf("%q: %d, %v, want %d", test.in, got, err, test.want)
		}
		if err != nil && exit.Code(err) != exit.UsageCode {
			t.Errorf("%q: code %d", test.in, exit.Code(err))
		}
	}
}

func goodOptions() Options {
	return Options{
		Options: subject.Options{
			Policy: policy.Policy{
				Guidance: []string{"output", "coverage"}, MaxBytes: 4096, Layers: oracle.VerdictLayer, Schedule: "uniform", Mutators: "full",
			},
			Functions: []string{"m.A", "m.B"}, Timeout: time.Second, Memory: 1 << 30,
		},
		Parallel: 1,
	}
}

func TestCheck(t *testing.T) {
	tests := []struct {
		name string
		edit func(*Options)
		err  string
	}{
		{"good", func(*Options) {}, ""},
		{"guidance", func(o *Options) { o.Guidance = []string{"luck"} }, "--guidance"},
		{"schedule", func(o *Options) { o.Schedule = "luck" }, "--schedule"},
		{"one function", func(o *Options) { o.Functions = o.Functions[:1] }, "two functions or more"},
		{"many functions", func(o *Options) { o.Functions = make([]string, maxPrograms+1) }, "at most"},
		{"mutators", func(o *Options) { o.Mutators = "" }, "--mutators"},
		{"no bytes", func(o *Options) { o.MaxBytes = 0 }, "--max-bytes"},
		{"many bytes", func(o *Options) { o.MaxBytes = maxBytes + 1 }, "--max-bytes"},
		{"no workers", func(o *Options) { o.Parallel = 0 }, "--parallel"},
		{"many workers", func(o *Options) { o.Parallel = maxParallel + 1 }, "--parallel"},
		{"no workers for packages", func(o *Options) { o.Functions, o.Packages, o.Parallel = nil, []string{"."}, 0 }, "--parallel"},
		{"no time", func(o *Options) { o.Timeout = time.Millisecond }, "--timeout"},
		{"no memory", func(o *Options) { o.Memory = 1 << 20 }, "--memory"},
		{"nothing compared", func(o *Options) { o.Layers = 0 }, "--compare"},
	}
	for _, test := range tests {
		o := goodOptions()
		test.edit(&o)
		err := o.Check()
		if (err == nil) != (test.err == "") || err != nil && (!strings.Contains(err.Error(), test.err) || exit.Code(err) != exit.UsageCode) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
	o := goodOptions()
	if err := o.Check(); err != nil || !reflect.DeepEqual(o.Guidance, []string{"coverage", "output"}) {
		t.Errorf("guidance %v, %v: want it in the order of the domains", o.Guidance, err)
	}
}

// TestNamed checks that errors list the names of the campaign's mode.
func TestNamed(t *testing.T) {
	tests := []struct {
		mode      string
		edit      func(*Options)
		want, not []string
	}{
		{subject.Regress, func(o *Options) { o.Schedule = "nope" }, []string{"points", "delta", "aflgo", "churn", "stratified"}, nil},
		{subject.Regress, func(o *Options) { o.Schedule = "pionts" }, []string{`(did you mean "points"?)`}, nil},
		{subject.Regress, func(o *Options) { o.Guidance = []string{"output", "nope"} }, []string{"change", "output"}, []string{"cells"}},
		{subject.Diff, func(o *Options) { o.Schedule = "nope" }, []string{"stratified"}, []string{"points", "churn"}},
		{subject.Diff, func(o *Options) { o.Guidance = []string{"nope"} }, []string{"output", "cells"}, []string{"change"}},
		{subject.Fuzz, func(o *Options) { o.Guidance = []string{"nope"} }, []string{"coverage"}, []string{"reference", "change"}},
		{subject.Fuzz, func(o *Options) { o.Guidance = []string{"reference"} }, []string{"coverage"}, []string{"change"}},
		{subject.Fuzz, func(o *Options) { o.Schedule = "points" }, []string{"rarity"}, []string{"delta"}},
	}
	for _, test := range tests {
		o := goodOptions()
		o.Mode, o.Guidance = test.mode, []string{"coverage"}
		test.edit(&o)
		err := o.Check()
		if err == nil || exit.Code(err) != exit.UsageCode {
			t.Errorf("%s, %s, %v: %v", test.mode, o.Schedule, o.Guidance, err)
			continue
		}
		_, offered, _ := strings.Cut(err.Error(), "choose from ")
		for _, word := range test.want {
			if !strings.Contains(offered, word) {
				t.Errorf("%s, %s, %v: %v does not offer %s", test.mode, o.Schedule, o.Guidance, err, word)
			}
		}
		for _, word := range test.not {
			if strings.Contains(offered, word) {
				t.Errorf("%s, %s, %v: %v offers %s", test.mode, o.Schedule, o.Guidance, err, word)
			}
		}
	}
}

func TestReference(t *testing.T) {
	tests := []struct {
		reference string
		err       string
	}{{"", ""}, {"a", ""}, {"b", ""}, {"c", "the programs are a, b"}}
	for _, test := range tests {
		var o Options
		o.Reference = test.reference
		err := o.checkReference([]string{"a", "b"})
		if (err == nil) != (test.err == "") || err != nil && !strings.Contains(err.Error(), test.err) {
			t.Errorf("%q: %v", test.reference, err)
		}
	}
}
