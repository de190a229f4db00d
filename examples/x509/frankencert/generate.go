package frankencert

import (
	"bytes"
	"crypto/x509"
	"encoding/asn1"
	"math/rand/v2"
	"slices"
	"sync"

	"examples/x509/chain"
)

// The generator's parameters, from the configuration that was published with it.
const (
	maxDepth      = 3
	maxExtensions = 20
	selfSigned    = 0.25
	flipCritical  = 0.25
	randomValue   = 0.25
	randomBytes   = 7
)

// The keys of frankencerts, without their algorithm.
const (
	caKey   = "franken-ca-"
	leafKey = "franken-leaf-"
)

// generator makes chains of a corpus.
type generator struct {
	*corpus
	random *rand.Rand
}

// chain returns a list of unsigned certificates, the leaf first.
func (g *generator) chain() (list [][]byte) {
	root := pick(g.random, trusted())
	depth := 1 + g.random.IntN(maxDepth)
	issuer := root.subject
	if depth == 1 && g.random.Float64() < selfSigned {
		issuer = nil
	}
	for n := range depth {
		key := caKey
		if n == depth-1 {
			key = leafKey
		}
		subject := pick(g.random, g.certs).subject
		if issuer == nil {
			issuer = subject
		}
		list = append(list, g.certificate(issuer, subject, key+root.algorithm, signedWith[root.algorithm]))
		issuer = subject
	}
	slices.Reverse(list)
	return list
}

// certificate puts one together, each part of another certificate.
func (g *generator) certificate(issuer, subject []byte, key string, algorithm []byte) []byte {
	any := func() parts { return pick(g.random, g.certs) }
	spki, err := x509.MarshalPKIXPublicKey(chain.Key(key).Public())
	if err != nil {
		panic(err)
	}
	validity := sequence(any().notBefore, any().notAfter)
	tbs := sequence(any().version, any().serial, algorithm, issuer, validity, subject, spki, g.extensions())
	return sequence(tbs, algorithm, element(asn1.ClassUniversal, asn1.TagBitString, false, []byte{0}))
}

// extensions are some kinds of them with a value each, empty if there are none.
func (g *generator) extensions() []byte {
	n := g.random.IntN(min(maxExtensions, len(g.ids)) + 1)
	var list [][]byte
	for _, i := range g.random.Perm(len(g.ids))[:n] {
		e := pick(g.random, g.values[g.ids[i]])
		if g.random.Float64() < flipCritical {
			e.critical = !e.critical
		}
		if g.random.Float64() < randomValue {
			e.value = make([]byte, randomBytes)
			for i := range e.value {
				e.value[i] = byte(g.random.Uint32())
			}
		}
		list = append(list, e.encode())
	}
	if len(list) == 0 {
		return nil
	}
	return element(asn1.ClassContextSpecific, 3, true, sequence(list...))
}

func (e extension) encode() []byte {
	var critical []byte // false is the default, which DER leaves out
	if e.critical {
		critical = element(asn1.ClassUniversal, asn1.TagBoolean, false, []byte{0xff})
	}
	return sequence([]byte(e.id), critical, element(asn1.ClassUniversal, asn1.TagOctetString, false, e.value))
}

// root is a trusted certificate that may issue frankencerts.
type root struct {
	subject   []byte
	algorithm string // of its key
}

var trusted = sync.OnceValue(func() (all []root) {
	for _, der := range chain.Roots() {
		c, err := x509.ParseCertificate(der)
		if err != nil {
			panic(err)
		}
		algorithm := "rsa"
		if c.PublicKeyAlgorithm == x509.ECDSA {
			algorithm = "ec"
		}
		all = append(all, root{c.RawSubject, algorithm})
	}
	return all
})

// signedWith are the signature algorithms by that of the key: SHA-256 with each.
var signedWith = map[string][]byte{
	"ec":  sequence([]byte("\x06\x08\x2a\x86\x48\xce\x3d\x04\x03\x02")),
	"rsa": sequence([]byte("\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0b\x05\x00")),
}

func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }

func sequence(parts ...[]byte) []byte {
	return element(asn1.ClassUniversal, asn1.TagSequence, true, bytes.Join(parts, nil))
}

func element(class, tag int, compound bool, content []byte) []byte {
	der, err := asn1.Marshal(asn1.RawValue{Class: class, Tag: tag, IsCompound: compound, Bytes: content})
	if err != nil {
		panic(err)
	}
	return der
}
