package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"text/tabwriter"
)

// shown bounds the files that are named for one campaign. The first ones show where to look.
const shown = 6

func compareFiles(w io.Writer, a, b string, chosen []campaign, except string) (same bool, err error) {
	if except == "" {
		except = "^$" // no file has no name
	}
	left, err := regexp.Compile(except)
	if err != nil {
		return false, fmt.Errorf("-except: %w", err)
	}
	before, err := readRecording(a)
	if err != nil {
		return false, err
	}
	after, err := readRecording(b)
	if err != nil {
		return false, err
	}
	names := make([]string, len(chosen))
	for i, c := range chosen {
		names[i] = c.name
	}
	return compare(w, before.without(left), after.without(left), names)
}

// compare prints a line for each of the named campaigns that either recording has. A recording of a
// part of the campaigns is compared with the same part of the other. If they have nothing in
// common, compare returns an error.
func compare(w io.Writer, before, after recording, names []string) (same bool, err error) {
	a, b := byName(before), byName(after)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "campaign\tinputs\tcorpus\ttuples\tfindings\t")
	compared, differ, missing := 0, 0, 0
	for _, name := range names {
		x, inA := a[name]
		y, inB := b[name]
		if !inA || !inB {
			if inA || inB {
				missing++
			}
			continue
		}
		compared++
		verdict := "same"
		if differing := differences(x.Files, y.Files); len(differing) > 0 {
			differ++
			verdict = "DIFFERS " + enumerate(differing)
		}
		fmt.Fprintf(t, "%s\t%s\t%s\t%s\t%s\t%s\n", name, both(x.Inputs, y.Inputs), both(x.Corpus, y.Corpus),
			both(x.Tuples, y.Tuples), both(x.Findings, y.Findings), verdict)
	}
	if err := t.Flush(); err != nil {
		return false, err
	}
	if compared == 0 {
		return false, fmt.Errorf("the recordings have no campaign in common")
	}
	fmt.Fprintf(w, "\n%d of %d campaigns differ", differ, compared)
	if missing > 0 {
		fmt.Fprintf(w, "; %d are in one recording only and were not compared", missing)
	}
	fmt.Fprintln(w)
	return differ == 0, nil
}

// without leaves out the files with such names.
func (r recording) without(names *regexp.Regexp) recording {
	campaigns := slices.Clone(r.Campaigns)
	for i := range campaigns {
		campaigns[i].Files = slices.DeleteFunc(slices.Clone(campaigns[i].Files), func(f file) bool { return names.MatchString(f.Name) })
	}
	return recording{campaigns}
}

func byName(r recording) map[string]result {
	all := map[string]result{}
	for _, c := range r.Campaigns {
		all[c.Name] = c
	}
	return all
}

// differences names the files that are not alike: with + those that only b has, with - those that
// only a has. Both are sorted.
func differences(a, b []file) (names []string) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0].Name < b[0].Name:
			names, a = append(names, "-"+a[0].Name), a[1:]
		case len(a) == 0 || b[0].Name < a[0].Name:
			names, b = append(names, "+"+b[0].Name), b[1:]
		default:
			if a[0].Sum != b[0].Sum {
				names = append(names, a[0].Name)
			}
			a, b = a[1:], b[1:]
		}
	}
	return names
}

func enumerate(names []string) string {
	if more := len(names) - shown; more > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:shown], " "), more)
	}
	return strings.Join(names, " ")
}

func both(a, b int) string {
	if a == b {
		return fmt.Sprint(a)
	}
	return fmt.Sprintf("%d/%d", a, b)
}
