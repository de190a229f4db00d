package repair

import (
	"bytes"
	"crypto"
	_ "crypto/md5" // for the algorithms that name it
	"crypto/rsa"
	_ "crypto/sha1" // the same
	"crypto/sha256"
	_ "crypto/sha512" // the same
	"crypto/x509"
	"sync"

	"examples/x509/chain"
)

// algorithm is a signature algorithm that the test keys know.
type algorithm struct {
	rsa  bool
	hash crypto.Hash
}

// algorithms are those of RFC 3279, 4055 and 5758, by the DER of their object identifiers.
// RSASSA-PSS is none of them: its signatures are random.
var algorithms = map[string]algorithm{
	"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x04": {true, crypto.MD5},
	"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x05": {true, crypto.SHA1},
	"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0b": {true, crypto.SHA256},
	"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0c": {true, crypto.SHA384},
	"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0d": {true, crypto.SHA512},
	"\x06\x09\x2a\x86\x48\x86\xf7\x0d\x01\x01\x0e": {true, crypto.SHA224},
	"\x06\x07\x2a\x86\x48\xce\x3d\x04\x01":         {false, crypto.SHA1},
	"\x06\x08\x2a\x86\x48\xce\x3d\x04\x03\x01":     {false, crypto.SHA224},
	"\x06\x08\x2a\x86\x48\xce\x3d\x04\x03\x02":     {false, crypto.SHA256},
	"\x06\x08\x2a\x86\x48\xce\x3d\x04\x03\x03":     {false, crypto.SHA384},
	"\x06\x08\x2a\x86\x48\xce\x3d\x04\x03\x04":     {false, crypto.SHA512},
}

// algorithmOf is the algorithm that the certificate says outside of what is signed.
func algorithmOf(der []byte, c *certificate) (algorithm, bool) {
	oid, ok := read(der, c.algorithm.body)
	if !ok || oid.end > c.algorithm.end {
		return algorithm{}, false
	}
	a, ok := algorithms[string(der[oid.start:oid.end])]
	return a, ok
}

// publicKeys has the names of the test keys by the part of a SubjectPublicKeyInfo behind the
// algorithm. So mutants of the algorithm still have the key.
var publicKeys = sync.OnceValue(func() map[string]string {
	names := make(map[string]string)
	for name, key := range chain.Keys() {
		spki, err := x509.MarshalPKIXPublicKey(key.Public())
		if err != nil {
			panic(err)
		}
		names[string(keyBits(spki))] = name
	}
	return names
})

// keyBits is the BIT STRING of a SubjectPublicKeyInfo, nil if there is none.
func keyBits(spki []byte) []byte {
	outer, ok := read(spki, 0)
	if !ok {
		return nil
	}
	alg, ok := read(spki, outer.body)
	if !ok {
		return nil
	}
	bits, ok := read(spki, alg.end)
	if !ok || bits.end > outer.end {
		return nil
	}
	return spki[bits.start:bits.end]
}

// issuerKey names the key that signs the certificate at a place of the list. It is that of the
// first certificate behind it whose subject is its issuer, or of the root with that name. If a
// mutation changed a name so that no name is the issuer's, the next certificate takes the place, or
// a root. The name is empty if the issuer has none of the test keys.
func issuerKey(list [][]byte, parsed []*certificate, i int, a algorithm) string {
	c := parsed[i]
	if c.fields {
		issuer := list[i][c.issuer.start:c.issuer.end]
		if bytes.Equal(issuer, list[i][c.subject.start:c.subject.end]) {
			if name := ownKey(list, parsed, i); name != "" {
				return name
			}
		}
		for j := i + 1; j < len(list); j++ {
			if d := parsed[j]; d != nil && d.fields && bytes.Equal(issuer, list[j][d.subject.start:d.subject.end]) {
				return ownKey(list, parsed, j)
			}
		}
		for _, root := range trusted() {
			if bytes.Equal(issuer, root.subject) {
				return root.key
			}
		}
	}
	if i+1 < len(list) && parsed[i+1] != nil {
		return ownKey(list, parsed, i+1)
	}
	if a.rsa {
		return "root-rsa"
	}
	return "root-ec"
}

// ownKey names the test key that a certificate holds.
func ownKey(list [][]byte, parsed []*certificate, i int) string {
	c := parsed[i]
	if c == nil || !c.fields {
		return ""
	}
	return publicKeys()[string(keyBits(list[i][c.key.start:c.key.end]))]
}

type root struct {
	subject []byte
	key     string
}

var trusted = sync.OnceValue(func() []root {
	var roots []root
	for _, der := range chain.Roots() {
		c, ok := parse(der)
		if !ok || !c.fields {
			panic("a root that is no certificate")
		}
		roots = append(roots, root{der[c.subject.start:c.subject.end], ownKey([][]byte{der}, []*certificate{&c}, 0)})
	}
	return roots
})

// signature returns the signature of a key. It is the same for the same arguments: PKCS #1 version
// 1.5 has no randomness, and ECDSA takes its from key and message (RFC 6979).
func signature(name string, hash crypto.Hash, tbs []byte) ([]byte, bool) {
	at := signed{name, hash, sha256.Sum256(tbs)}
	if sig, ok := cache.get(at); ok {
		return sig, true
	}
	h := hash.New()
	h.Write(tbs)
	key := chain.Key(name)
	var sig []byte
	var err error
	if k, ok := key.(*rsa.PrivateKey); ok {
		sig, err = rsa.SignPKCS1v15(nil, k, hash, h.Sum(nil))
	} else {
		sig, err = key.Sign(nil, h.Sum(nil), hash)
	}
	if err != nil {
		return nil, false
	}
	cache.put(at, sig)
	return sig, true
}

// signed identifies a signature.
type signed struct {
	key  string
	hash crypto.Hash
	tbs  [sha256.Size]byte
}

// signatures remembers some, since a mutant mostly shares all certificates but one with others, and
// an RSA signature takes about a millisecond.
type signatures struct {
	mu   sync.Mutex
	made map[signed][]byte
}

var cache signatures

func (s *signatures) get(at signed) ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sig, ok := s.made[at]
	return sig, ok
}

func (s *signatures) put(at signed, sig []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.made == nil || len(s.made) >= 4096 {
		s.made = make(map[signed][]byte)
	}
	s.made[at] = sig
}
