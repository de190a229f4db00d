package minimize

import (
	"bytes"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"math/big"
	"slices"
	"testing"
	"time"
)

// certificate returns a certificate with many extensions, and the identifier of one of them.
func certificate(t *testing.T) (der []byte, wanted asn1.ObjectIdentifier) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	wanted = asn1.ObjectIdentifier{1, 2, 3, 4, 5}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1 << 60), NotBefore: time.Unix(1e9, 0), NotAfter: time.Unix(2e9, 0),
		Subject:  pkix.Name{CommonName: "a name that is somewhat longer", Organization: []string{"one", "two", "three"}, Country: []string{"DE"}},
		DNSNames: []string{"a.example", "b.example", "c.example"}, KeyUsage: x509.KeyUsageCertSign, IsCA: true, BasicConstraintsValid: true,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}, PermittedDNSDomains: []string{"example"},
		ExtraExtensions: []pkix.Extension{{Id: wanted, Value: []byte("value of no importance")}},
	}
	if der, err = x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key); err != nil {
		t.Fatal(err)
	}
	return der, wanted
}

// TestDERCertificates shrinks a certificate that must stay readable and keep an extension. A length
// precedes it and another certificate follows it.
func TestDERCertificates(t *testing.T) {
	der, wanted := certificate(t)
	frame := func(b []byte) []byte { return append([]byte{0, byte(len(b) >> 8), byte(len(b))}, b...) }
	has := func(flat []byte) bool {
		for len(flat) >= 3 {
			n := int(flat[0])<<16 | int(flat[1])<<8 | int(flat[2])
			if len(flat)-3 < n {
				return false
			}
			c, err := x509.ParseCertificate(flat[3 : 3+n])
			if err != nil {
				return false
			}
			if slices.ContainsFunc(c.Extensions, func(e pkix.Extension) bool { return e.Id.Equal(wanted) }) {
				return true
			}
			flat = flat[3+n:]
		}
		return false
	}
	input := append(frame(der), frame(der)...)
	if !has(input) {
		t.Fatal("the test is wrong")
	}
	small, runs, _ := Run(raw, input, 1200, nil, has)
	t.Logf("%d bytes become %d in %d runs", len(input), len(small), runs)
	if !has(small) || len(small) > 250 { // the key alone has 91 bytes, the times 30
		t.Errorf("%d bytes: %x", len(small), small)
	}
}

// TestDERLengths checks that enclosing lengths stay right, also where they take fewer bytes.
func TestDERLengths(t *testing.T) {
	type inner struct {
		Filler []byte
		Mark   int
	}
	type outer struct {
		Name string `asn1:"utf8"`
		List []inner
		Bits asn1.BitString
	}
	encode := func(v any) []byte {
		b, err := asn1.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	in := encode(outer{"some name", []inner{{bytes.Repeat([]byte{7}, 300), 1}, {bytes.Repeat([]byte{8}, 70), 42}, {nil, 3}}, asn1.BitString{Bytes: encode([]int{1, 2}), BitLength: 64}})
	test := func(flat []byte) bool {
		var o outer
		rest, err := asn1.Unmarshal(flat, &o)
		return err == nil && len(rest) == 0 && slices.ContainsFunc(o.List, func(i inner) bool { return i.Mark == 42 })
	}
	small, _, _ := Run(raw, in, plenty, nil, test)
	want := encode(outer{"", []inner{{nil, 42}}, asn1.BitString{}})
	if !bytes.Equal(small, want) {
		t.Errorf("%x becomes %x, want %x", in, small, want)
	}
}
