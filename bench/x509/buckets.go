package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// seen is a bucket, and how many trials have shown one of its unique discrepancies.
type seen struct {
	bucket
	trials int
	known  bool // the seeds alone show it
}

// ranked returns all buckets. Those that the seeds alone show, as in all trials, are last. Of the
// others, those that most trials have shown are first.
func (j *triaged) ranked(all []campaign) (list []seen) {
	if j == nil {
		return nil
	}
	for _, b := range j.Buckets {
		s := seen{bucket: b}
		for _, c := range all {
			switch {
			case !c.shows(&b):
			case c.Configuration == seedsOnly:
				s.known = true
			default:
				s.trials++
			}
		}
		list = append(list, s)
	}
	slices.SortStableFunc(list, func(a, b seen) int {
		if a.known != b.known {
			return map[bool]int{true: 1, false: -1}[a.known]
		}
		return cmp.Or(cmp.Compare(b.trials, a.trials), cmp.Compare(len(b.Tuples), len(a.Tuples)), cmp.Compare(a.ID, b.ID))
	})
	return list
}

// shows reports whether a campaign has a unique discrepancy by which the bucket was found.
func (c *campaign) shows(b *bucket) bool {
	return slices.ContainsFunc(b.Tuples, func(t string) bool {
		_, ok := slices.BinarySearch(c.Tuples, t)
		return ok
	})
}

// write writes the first of the buckets to a folder, for a person to judge. NN-ID.chain is the
// smallest input. NN-ID-K.der are the certificates in it, from the leaf, for `openssl asn1parse
// -inform DER -i -in`. NN-ID.txt has the output of each program.
func (o *options) write(ctx context.Context, folder string, count int) error {
	for _, path := range []*string{&folder, &o.examples} {
		absolute, err := filepath.Abs(*path)
		if err != nil {
			return err
		}
		*path = absolute
	}
	all, _, err := o.read()
	if err != nil {
		return err
	}
	t, err := o.target()
	if err != nil {
		return err
	}
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	j, err := o.readTriaged()
	if err != nil {
		return err
	}
	buckets := j.ranked(all)
	if len(buckets) == 0 {
		return fmt.Errorf("%s has no buckets: x509 -judge makes them", o.findings)
	}
	buckets = buckets[:min(len(buckets), count)]
	var files []string
	for i, b := range buckets {
		base := filepath.Join(folder, fmt.Sprintf("%02d-%s", i+1, b.ID))
		for k, der := range split(b.Input) {
			if err := os.WriteFile(fmt.Sprintf("%s-%d.der", base, k), der, 0o644); err != nil {
				return err
			}
		}
		files = append(files, base+".chain")
		if err := os.WriteFile(base+".chain", b.Input, 0o644); err != nil {
			return err
		}
	}
	said := map[string]map[string]string{}
	for _, p := range t.programs {
		if said[p], err = o.verdicts(ctx, p, files); err != nil {
			return err
		}
	}
	for i, b := range buckets {
		var text strings.Builder
		fmt.Fprintf(&text, "bucket %s, %s in layer %q, shown by %d trials%s\n%d bytes, %d certificates\n\n",
			b.ID, b.Kind, b.Layer, b.trials, map[bool]string{true: " and by the seeds alone"}[b.known], len(b.Input), len(split(b.Input)))
		for _, p := range t.programs {
			fmt.Fprintf(&text, "%-10s %s\n%-10s decided at %s\n", p, said[p][files[i]], "", b.Deciding[p])
		}
		if err := os.WriteFile(strings.TrimSuffix(files[i], ".chain")+".txt", []byte(text.String()), 0o644); err != nil {
			return err
		}
	}
	fmt.Fprintf(os.Stderr, "%d buckets of %d are in %s\n", len(buckets), len(j.Buckets), folder)
	return nil
}

// split cuts an input into certificates, as far as it is a list of them: package chain of the
// example has the format.
func split(input []byte) (list [][]byte) {
	for len(input) >= 3 {
		n := int(input[0])<<16 | int(input[1])<<8 | int(input[2])
		end := min(3+n, len(input))
		list = append(list, input[3:end])
		input = input[end:]
	}
	return list
}

// verdicts returns the results of a program for files, in its own words. If the program ends at a
// file, results of others may be missing. It then gets each file alone.
func (o *options) verdicts(ctx context.Context, program string, files []string) (map[string]string, error) {
	said := map[string]string{}
	cmd := exec.CommandContext(ctx, filepath.Join(o.examples, "x509", "build", program+"-replay"), files...)
	if program == "go" {
		cmd = exec.CommandContext(ctx, "go", append([]string{"run", "./x509/goverify/replay"}, files...)...)
	}
	cmd.Dir = o.examples
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	var exited *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil && !errors.As(err, &exited):
		return nil, fmt.Errorf("asking %s: %w", program, err)
	case err != nil && len(files) == 1:
		said[files[0]] = fmt.Sprintf("ended with %v: %s", err, strings.TrimSpace(stderr.String()))
		return said, nil
	case err != nil:
		for _, f := range files {
			one, err := o.verdicts(ctx, program, []string{f})
			if err != nil {
				return nil, err
			}
			said[f] = one[f]
		}
		return said, nil
	}
	for _, line := range strings.Split(string(out), "\n") {
		if fields := strings.SplitN(line, "\t", 3); len(fields) == 3 {
			said[fields[0]] = strings.TrimSpace(fields[1] + " " + fields[2])
		}
	}
	return said, nil
}
