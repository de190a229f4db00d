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

// seenBucket is a bucket with the smallest input that any trial has of it.
type seenBucket struct {
	bucket
	trials int // that found it
	count  uint64
	bytes  []byte
}

// ranked are all buckets, those first that most trials have found.
func ranked(all []campaign) []seenBucket {
	by := map[string]*seenBucket{}
	var ids []string
	for _, c := range all {
		for _, b := range c.Buckets {
			input, err := b.input()
			if err != nil {
				continue // nobody could look at it
			}
			s := by[b.ID]
			if s == nil {
				s = &seenBucket{bucket: b, bytes: input}
				by[b.ID], ids = s, append(ids, b.ID)
			} else if cmp.Or(cmp.Compare(len(input), len(s.bytes)), bytes.Compare(input, s.bytes)) < 0 {
				s.bucket, s.bytes = b, input
			}
			s.trials++
			s.count += b.Count
		}
	}
	var list []seenBucket
	slices.Sort(ids)
	for _, id := range ids {
		list = append(list, *by[id])
	}
	slices.SortStableFunc(list, func(a, b seenBucket) int {
		return cmp.Or(cmp.Compare(b.trials, a.trials), cmp.Compare(b.count, a.count))
	})
	return list
}

// write writes the most frequent buckets to a folder, to be judged by a person: NN-ID.chain is the smallest input, NN-ID-K.der the
// certificates in it, from the leaf, for `openssl asn1parse -inform DER -i -in`, and NN-ID.txt what each program says of it.
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
	buckets := ranked(all)
	buckets = buckets[:min(len(buckets), count)]
	var files []string
	for i, b := range buckets {
		base := filepath.Join(folder, fmt.Sprintf("%02d-%s", i+1, b.ID))
		for k, der := range split(b.bytes) {
			if err := os.WriteFile(fmt.Sprintf("%s-%d.der", base, k), der, 0o644); err != nil {
				return err
			}
		}
		files = append(files, base+".chain")
		if err := os.WriteFile(base+".chain", b.bytes, 0o644); err != nil {
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
		fmt.Fprintf(&text, "bucket %s, %s in layer %q, found by %d of %d trials, %d inputs in all\n%d bytes, %d certificates\n\n",
			b.ID, b.Kind, b.Layer, b.trials, len(all), b.count, len(b.bytes), len(split(b.bytes)))
		for _, p := range t.programs {
			fmt.Fprintf(&text, "%-10s %s\n", p, said[p][files[i]])
		}
		if err := os.WriteFile(strings.TrimSuffix(files[i], ".chain")+".txt", []byte(text.String()), 0o644); err != nil {
			return err
		}
	}
	fmt.Fprintf(os.Stderr, "%d buckets of %d are in %s\n", len(buckets), len(ranked(all)), folder)
	return nil
}

// split cuts an input into certificates, as far as it is a list of them: package chain of the example has the format.
func split(input []byte) (list [][]byte) {
	for len(input) >= 3 {
		n := int(input[0])<<16 | int(input[1])<<8 | int(input[2])
		end := min(3+n, len(input))
		list = append(list, input[3:end])
		input = input[end:]
	}
	return list
}

// verdicts are what a program says of files, in its own words. Where it ends at one of them, which may keep what it said of others, it gets
// each by itself.
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
