package call

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"time"
)

// ca is a certificate authority with the name constraints of the advisory, made once.
var ca, key = authority()

func authority() (*x509.Certificate, ed25519.PrivateKey) {
	key := ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "ca"}, NotBefore: begin, NotAfter: begin.AddDate(1, 0, 0),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
		ExcludedDNSDomains: []string{"test.example.com"},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		panic(err)
	}
	c, err := x509.ParseCertificate(der)
	if err != nil {
		panic(err)
	}
	return c, key
}

var begin = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func Call(in []byte) (string, error) {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(2), NotBefore: begin, NotAfter: begin.AddDate(1, 0, 0), DNSNames: []string{string(in)},
	}
	der, err := x509.CreateCertificate(nil, template, ca, key.Public(), key)
	if err != nil {
		return "", err
	}
	leaf, err := x509.ParseCertificate(der)
	if err != nil {
		return "", err
	}
	roots := x509.NewCertPool()
	roots.AddCert(ca)
	_, err = leaf.Verify(x509.VerifyOptions{Roots: roots, CurrentTime: begin.AddDate(0, 1, 0), KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageAny}})
	return "", err
}
