package main

import (
	"bytes"
	"crypto/x509"
	"hash/fnv"
	"math/rand/v2"
	"testing"

	experiment "examples/x509"
	"examples/x509/chain"
)

// TestSample: what is accepted are chains with other blocks, most of them certificates still, and
// the same randomness gives the same.
func TestSample(t *testing.T) {
	seeds := experiment.Seeds()
	inputs := len(seeds) + 3000
	// Sizes, and the number of certificates that parse, replace the coverage of a library.
	covers := func(input []byte) (uint64, error) {
		h := fnv.New64a()
		list, _ := chain.Split(input)
		for _, der := range list {
			c, err := x509.ParseCertificate(der)
			if err == nil {
				h.Write([]byte{byte(c.Version), byte(len(c.Extensions)), byte(c.SignatureAlgorithm)})
			}
			h.Write([]byte{byte(len(der) >> 6)})
		}
		return h.Sum64(), nil
	}
	run := func() (all [][]byte) {
		executed := 0
		told, err := sample(seeds, inputs, rand.New(rand.NewPCG(1, 0)), func(input []byte) (uint64, error) {
			executed++
			return covers(input)
		}, func(input []byte) error {
			all = append(all, input)
			return nil
		})
		if err != nil || executed != inputs || told != inputs {
			t.Errorf("%d executed, %d told: %v", executed, told, err)
		}
		return all
	}
	all := run()
	parsed, distinct := 0, map[string]bool{}
	for _, input := range all {
		distinct[string(input)] = true
		list, err := chain.Split(input)
		if err != nil || len(input) > maxBytes {
			t.Fatalf("%d bytes: %v", len(input), err)
		}
		for _, der := range list {
			if _, err := x509.ParseCertificate(der); err == nil {
				parsed++
				break
			}
		}
	}
	if len(all) < 500 || len(distinct) < len(all)/2 || parsed < len(all)/3 {
		t.Errorf("%d accepted, %d distinct, %d with a certificate that parses", len(all), len(distinct), parsed)
	}
	if again := run(); len(again) != len(all) || !bytes.Equal(again[len(again)-1], all[len(all)-1]) {
		t.Error("the same randomness gives others")
	}
}

// TestDER: what is read is written the same.
func TestDER(t *testing.T) {
	for _, input := range experiment.Seeds() {
		list, err := chain.Split(input)
		if err != nil {
			continue
		}
		for _, der := range list {
			if nodes, ok := children(der); ok && !bytes.Equal(encode(nodes), der) && len(der) < 0x10000 {
				if _, err := x509.ParseCertificate(der); err == nil {
					t.Errorf("%x is written as %x", der, encode(nodes))
				}
			}
		}
	}
}
