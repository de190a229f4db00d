package main

import (
	"crypto/sha256"
	"crypto/x509"
	"crypto/x509/pkix"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"time"

	"examples/x509/chain"
)

// The certificates that mkseeds makes begin as those of crypto/x509, with test keys, and are then
// changed as trees.

var (
	notBefore = time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC)
	notAfter  = time.Date(2033, 1, 1, 0, 0, 0, 0, time.UTC)
)

// name is a distinguished name with a country, an organization and a common name.
func name(common string) pkix.Name {
	return pkix.Name{Country: []string{"XX"}, Organization: []string{"Parallax"}, CommonName: common}
}

// rootName is the subject of the root with an RSA or ECDSA key.
func rootName(alg string) []byte {
	der := create(template("Root "+alg, 1), "Root "+alg, "root-"+alg, "root-"+alg)
	return der.field(subject).encode()
}

func template(common string, number int64) *x509.Certificate {
	return &x509.Certificate{SerialNumber: big.NewInt(number), Subject: name(common), NotBefore: notBefore, NotAfter: notAfter}
}

// keyID is a subject key identifier of a certificate of that name: its bytes mean nothing.
func keyID(common string) []byte {
	sum := sha256.Sum256([]byte(common))
	return sum[:8]
}

// create makes a certificate with a test key, signed by another.
func create(t *x509.Certificate, issuer, key, signer string) cert {
	parent := &x509.Certificate{Subject: name(issuer), SubjectKeyId: keyID(issuer)}
	if issuer == t.Subject.CommonName {
		parent = t
	}
	// Without randomness, ECDSA signatures are those of RFC 6979.
	der, err := x509.CreateCertificate(nil, t, parent, chain.Key(key).Public(), chain.Key(signer))
	if err != nil {
		panic(err)
	}
	c, err := parseCert(der)
	if err != nil {
		panic(err)
	}
	return c
}

// newRoot is a root of its own name.
func newRoot(alg string) cert {
	t := template("Root "+alg, 1)
	t.IsCA, t.BasicConstraintsValid = true, true
	t.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	t.SubjectKeyId = keyID(t.Subject.CommonName)
	return create(t, t.Subject.CommonName, "root-"+alg, "root-"+alg)
}

// caTemplate is that of an intermediate CA.
func caTemplate(common string) *x509.Certificate {
	t := template(common, 2)
	t.IsCA, t.BasicConstraintsValid = true, true
	t.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageCRLSign
	t.SubjectKeyId = keyID(common)
	return t
}

// leafTemplate is that of a TLS server.
func leafTemplate() *x509.Certificate {
	t := template("leaf", 3)
	t.BasicConstraintsValid = true
	t.KeyUsage = x509.KeyUsageDigitalSignature
	t.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	t.DNSNames = []string{"leaf.example"}
	return t
}

// newLeaf is one with a key, issued by CA "ca" with another.
func newLeaf(alg, issuerAlg string) cert {
	t := leafTemplate()
	c := create(t, "CA", "leaf-"+alg, "ca-"+issuerAlg)
	// The issuer's key identifier is of no use for issuers of others.
	return withoutExtension(c, 35)
}

// withoutExtension leaves out an extension of those below 2.5.29.
func withoutExtension(c cert, id byte) cert {
	list := c.extensions()
	for i, e := range list.children {
		if o := e.children[0].content; len(o) == 3 && o[0] == 0x55 && o[1] == 0x1d && o[2] == id {
			list.children = append(list.children[:i:i], list.children[i+1:]...)
			break
		}
	}
	return c
}

// makeRoots writes the roots: two of its own, and those of PKITS and OpenSSL's tests with a test
// key.
func makeRoots(out, pkits, openssl string) error {
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	write := func(name string, der []byte) error { return os.WriteFile(filepath.Join(out, name+".der"), der, 0o644) }
	for _, alg := range []string{"ec", "rsa"} {
		if err := write(alg, newRoot(alg).encode()); err != nil {
			return err
		}
	}
	anchor, err := os.ReadFile(filepath.Join(pkits, "certs", "TrustAnchorRootCertificate.crt"))
	if err != nil {
		return err
	}
	_, certs, err := readPEM(filepath.Join(openssl, "root-cert.pem"))
	if err != nil {
		return err
	}
	for _, r := range []struct {
		name string
		der  []byte
	}{{"pkits", anchor}, {"openssl", certs["root-cert-0"]}} {
		c, err := parseCert(r.der)
		if err != nil {
			return err
		}
		if !rekey(c, "root") {
			return fmt.Errorf("the root of %s has no RSA or ECDSA key", r.name)
		}
		if err := write(r.name, selfSigned(c)); err != nil {
			return err
		}
	}
	return nil
}
