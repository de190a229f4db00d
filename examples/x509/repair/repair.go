// Package repair signs mutants of certificate chains again, so that they get past the signature checks of the X.509 experiment. The
// keys are those of package chain: a certificate whose issuer has another key keeps its signature, whatever that is.
//
// Nothing but signatures is put right, and the lengths around them where a new signature has another length. One input in sixteen
// stays as it is, so that wrong and unusual signatures are tried too; which one depends on its bytes alone.
package repair

import (
	"crypto/sha256"
	"slices"

	"examples/x509/chain"
)

// Repair signs every certificate of an input. What it has repaired it leaves as it is.
func Repair(input []byte) []byte {
	list := chain.Loose(input)
	framed := chain.Join(list)
	if sum := sha256.Sum256(framed); sum[0] < 16 {
		return framed
	}
	Sign(list)
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

// sign is a certificate with a new signature, or as it is if nobody can sign it: its algorithm is not known, or its issuer's key.
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
