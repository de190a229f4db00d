// Package frankencert is the generator of Brubaker, Jana, Ray, Khurshid and Shmatikov, as far as it
// can make chains for this experiment. It is the baseline of bench/x509. The paper is "Using
// Frankencerts for Automated Adversarial Testing of Certificate Validation in SSL/TLS
// Implementations", S&P 2014.
//
// The parts of a frankencert are from different certificates of a corpus, here the seeds of the
// experiment. The parts are version, serial number, both ends of the validity, subject, and up to
// twenty extensions, of each kind at most one. The issuer is the subject of the next certificate,
// or a root's, and so is the key that signs it.
//
// The probabilities are those of the generator that was published with the paper
// (utils/example_franken.conf there). A chain has one to three frankencerts. A quarter of the
// chains of one is self-signed. The critical bit of a quarter of the extensions is turned, and a
// quarter of them get seven random bytes for a value.
//
// Some things differ. Keys are test keys of package chain and not new ones. They have the root's
// algorithm, with SHA-256 and not SHA-1. Serial numbers are the corpus's, as in the paper's text.
//
// Chain takes the place of a repair function, since that runs on every mutant. It takes nothing
// from a mutant but a hash, which is the seed of its random numbers. So mutation, and with it all
// guidance, has no effect.
package frankencert

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"sync"

	"examples/x509/chain"
	"examples/x509/repair"
)

// maxBytes is max_bytes of the configuration: a longer chain is thrown away, and another one made.
const maxBytes = 8192

// Chain makes a chain of frankencerts. parallax derives smaller inputs from such a chain when it
// minimizes a finding. Chain repairs these as package repair does.
func Chain(input []byte) []byte {
	if derived(input) {
		return repair.Repair(input)
	}
	sum := sha256.Sum256(input)
	g := generator{theCorpus(), rand.New(rand.NewPCG(binary.BigEndian.Uint64(sum[:]), binary.BigEndian.Uint64(sum[8:])))}
	for {
		list := g.chain()
		repair.Sign(list)
		if made := chain.Join(list); len(made) <= maxBytes {
			return made
		}
	}
}

// derived reports whether an input has a piece of one of the keys that frankencerts alone have.
func derived(input []byte) bool {
	return slices.ContainsFunc(marks(), func(mark []byte) bool { return bytes.Contains(input, mark) })
}

// markBytes is long enough for no input to have a mark by chance.
const markBytes = 16

// marks are pieces of the numbers in the keys of frankencerts.
var marks = sync.OnceValue(func() (all [][]byte) {
	for _, name := range []string{caKey + "ec", caKey + "rsa", leafKey + "ec", leafKey + "rsa"} {
		var number []byte
		switch key := chain.Key(name).Public().(type) {
		case *rsa.PublicKey:
			number = key.N.Bytes()
		case *ecdsa.PublicKey:
			point, err := key.Bytes()
			if err != nil {
				panic(err)
			}
			number = point[1:] // after the byte that says that it is not compressed
		}
		for piece := range slices.Chunk(number, markBytes) {
			if len(piece) == markBytes {
				all = append(all, piece)
			}
		}
	}
	return all
})
