// Package repair makes mutants of certificate chains good enough to pass the first checks. It
// corrects lengths around bytes that a mutation has inserted or removed, and signs the certificates
// again with the keys of package chain. A certificate whose issuer has another key keeps its
// signature. A length that a mutation has overwritten stays.
//
// One input in sixteen stays as it is, so that other lengths and signatures are tried too. The
// choice depends only on the bytes of the input. Repaired inputs stay as they are.
package repair

import (
	"crypto/sha256"
	"slices"

	"examples/x509/chain"
)

// Repair repairs every certificate of an input.
func Repair(input []byte) []byte {
	return unlessSpared(input, func(list [][]byte) {
		for i, der := range list {
			list[i] = resized(der)
		}
		Sign(list)
	})
}

// Signatures signs every certificate of an input, and changes nothing else.
func Signatures(input []byte) []byte { return unlessSpared(input, Sign) }

// unlessSpared repairs the certificates of an input, if it is not one of those that are to stay as
// they are.
func unlessSpared(input []byte, repair func(list [][]byte)) []byte {
	list := chain.Loose(input)
	framed := chain.Join(list)
	if sum := sha256.Sum256(framed); sum[0] < 16 {
		return framed
	}
	repair(list)
	return chain.Join(list)
}

// Sign signs every certificate of a list with the key of its issuer.
func Sign(list [][]byte) {
	parsed := make([]*certificate, len(list))
	for i, der := range list {
		if c, ok := parse(der); ok {
			parsed[i] = &c
		}
	}
	for i, der := range list {
		if parsed[i] != nil {
			list[i] = sign(list, parsed, i, der)
		}
	}
}

// sign returns a certificate with a new signature. It returns the certificate unchanged if its
// algorithm or its issuer's key is unknown.
func sign(list [][]byte, parsed []*certificate, i int, der []byte) []byte {
	c := parsed[i]
	a, ok := algorithmOf(der, c)
	if !ok {
		return der
	}
	name := issuerKey(list, parsed, i, a)
	if name == "" {
		return der
	}
	sig, ok := signature(name, a.hash, der[c.tbs.start:c.tbs.end])
	if !ok {
		return der
	}
	return withSignature(der, c, sig)
}

// withSignature puts a signature into its place.
func withSignature(der []byte, c *certificate, sig []byte) []byte {
	old := c.signature
	bits := append(header(0x03, len(sig)+1, old.body-old.start-1), 0) // no unused bits
	bits = append(bits, sig...)
	grown := len(bits) - (old.end - old.start)
	signed := slices.Concat(der[c.outer.body:old.start], bits, der[old.end:])
	if grown == 0 {
		return append(der[:c.outer.body:c.outer.body], signed...)
	}
	// An outer length that was wrong by some bytes is wrong by as many.
	n := max(0, c.outer.end-c.outer.body+grown)
	return append(header(0x30, n, c.outer.body-1), signed...)
}
