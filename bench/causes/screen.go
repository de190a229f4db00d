package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"parallax/bench/internal/samples"
)

// maxTried bounds the mutants of a library that are tried.
const maxTried = 60

// screen chooses mutants of each library in the order of their hashes. It takes those that compile,
// and whose results a campaign with another seed distinguishes from the original's.
func (m *measurement) screen(ctx context.Context, each int) error {
	if err := m.prepare(); err != nil {
		return err
	}
	chosen, err := samples.Read[mutant](m.list)
	if err != nil {
		return err
	}
	for _, lib := range libraries {
		s, err := checkout(ctx, m.work, lib)
		if err != nil {
			return err
		}
		tried, killed := resume(s, chosen)
		for killed < each && tried < min(len(s.all), maxTried) {
			var batch []task
			from := tried
			for ; len(batch) < m.parallel && tried < min(len(s.all), maxTried); tried++ {
				c := s.all[tried]
				if err := s.write(c); err != nil {
					return err
				}
				if s.compiles(ctx, m.work, c.Folder()) != nil {
					if err := errors.Join(s.remove(c), ctx.Err()); err != nil {
						return err
					}
					continue
				}
				t := m.measure(s, c)
				t.seed = screenSeed
				batch = append(batch, t)
			}
			found := map[string]bool{}
			if err := m.each(ctx, batch, func(one sample) error {
				found[one.Name] = one.discrepancies() > 0 && !one.Limit
				if m.file == "" || !found[one.Name] {
					return nil
				}
				return samples.Append(m.file, one)
			}); err != nil {
				return err
			}
			for _, c := range s.all[from:tried] {
				if !found[c.Name()] || killed == each {
					continue
				}
				if err := samples.Append(m.list, c); err != nil {
					return err
				}
				killed++
			}
		}
		fmt.Fprintf(os.Stderr, "%s: %d of %d mutants were tried, %d taken\n", lib.Name, tried, len(s.all), killed)
	}
	return nil
}

// resume says how many mutants of a library are chosen, and how many were tried for that.
func resume(s *subject, chosen []mutant) (tried, killed int) {
	names := map[string]bool{}
	for _, c := range chosen {
		names[c.Name()] = true
	}
	for i, c := range s.all {
		if names[c.Name()] {
			tried, killed = i+1, killed+1
		}
	}
	return tried, killed
}
