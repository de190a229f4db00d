package main

import (
	"bytes"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"examples/x509/chain"
	"examples/x509/repair"
)

// Certificates of others are rekeyed. All of the signed part stays except the public key, so that
// the test keys can sign it, also after mutations. A wrong signature remains wrong.

// rekey gives a certificate a test key of its own algorithm. False if it is neither RSA nor ECDSA.
func rekey(c cert, role string) bool {
	oid := c.field(spki).children[0].children[0].content
	var name string
	switch {
	case bytes.Equal(oid, []byte{0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 1}):
		name = role + "-rsa"
	case bytes.Equal(oid, []byte{0x2a, 0x86, 0x48, 0xce, 0x3d, 2, 1}):
		name = role + "-ec"
	default:
		return false
	}
	c.setField(spki, raw(publicKey(name)))
	return true
}

func publicKey(name string) []byte {
	der, err := x509.MarshalPKIXPublicKey(chain.Key(name).Public())
	if err != nil {
		panic(err)
	}
	return der
}

// rekeyed is a path of certificates, leaf first and without its root, with test keys. The
// certificate behind the path is the root, for looking at signatures. False if there is one that
// cannot have one.
func rekeyed(path [][]byte, root []byte) ([][]byte, bool) {
	out := make([][]byte, len(path))
	wrong := make([]bool, len(path))
	for i, der := range path {
		c, err := parseCert(der)
		if err != nil {
			return nil, false
		}
		role := "ca"
		if i == 0 {
			role = "leaf"
		}
		if !rekey(c, role) {
			return nil, false
		}
		parent := root
		if i+1 < len(path) {
			parent = path[i+1]
		}
		wrong[i] = wronglySigned(der, parent)
		out[i] = c.encode()
	}
	repair.Sign(out)
	for i := range out {
		if wrong[i] {
			out[i][len(out[i])-1] ^= 1
		}
	}
	return out, true
}

// wronglySigned is true if the key of the parent has not signed the certificate, and has the
// algorithm for it.
func wronglySigned(der, parent []byte) bool {
	c, err := x509.ParseCertificate(der)
	if err != nil {
		return false
	}
	p, err := x509.ParseCertificate(parent)
	if err != nil || c.PublicKeyAlgorithm != p.PublicKeyAlgorithm || !bytes.Equal(c.RawIssuer, p.RawSubject) {
		return false
	}
	err = p.CheckSignature(c.SignatureAlgorithm, c.RawTBSCertificate, c.Signature)
	return err != nil && strings.Contains(err.Error(), "verification")
}

// pkitsSeeds writes the paths of NIST PKITS, which are among the tests of crypto/x509.
func pkitsSeeds(dir, out string) (int, error) {
	data, err := os.ReadFile(filepath.Join(dir, "vectors.json"))
	if err != nil {
		return 0, err
	}
	var vectors []struct{ CertPath []string }
	if err := json.Unmarshal(data, &vectors); err != nil {
		return 0, err
	}
	root, err := os.ReadFile(filepath.Join(dir, "certs", "TrustAnchorRootCertificate.crt"))
	if err != nil {
		return 0, err
	}
	seen, count := make(map[string]bool), 0
	for _, v := range vectors {
		names := slices.Clone(v.CertPath[1:])
		slices.Reverse(names)
		if len(names) == 0 || seen[strings.Join(names, " ")] {
			continue
		}
		seen[strings.Join(names, " ")] = true
		var path [][]byte
		for _, name := range names {
			der, err := os.ReadFile(filepath.Join(dir, "certs", name))
			if err != nil {
				return count, err
			}
			path = append(path, der)
		}
		list, ok := rekeyed(path, root)
		if !ok {
			list = path
		}
		name := strings.TrimSuffix(names[0], ".crt")
		if err := writeSeed(out, fmt.Sprintf("pkits-%03d-%s", count, name), list); err != nil {
			return count, err
		}
		count++
	}
	return count, nil
}

// readPEM returns the certificates of the PEM files that match, by file name.
func readPEM(pattern string) (names []string, certs map[string][]byte, err error) {
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		return nil, nil, fmt.Errorf("there are no files %s", pattern)
	}
	certs = make(map[string][]byte)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, nil, err
		}
		for n := 0; ; n++ {
			var block *pem.Block
			if block, data = pem.Decode(data); block == nil {
				break
			}
			if !strings.HasSuffix(block.Type, "CERTIFICATE") {
				continue
			}
			if _, err := parseCert(block.Bytes); err != nil {
				continue
			}
			name := fmt.Sprintf("%s-%d", strings.TrimSuffix(filepath.Base(file), filepath.Ext(file)), n)
			names = append(names, name)
			certs[name] = block.Bytes
		}
	}
	return names, certs, nil
}

// debianSeeds writes each root that Debian trusts: as it is, and as a CA below the test root that
// has issued a leaf.
func debianSeeds(dir, out string) (int, error) {
	names, certs, err := readPEM(filepath.Join(dir, "*.crt"))
	if err != nil {
		return 0, err
	}
	count := 0
	for _, name := range names {
		if err := writeSeed(out, "debian-root-"+name, [][]byte{certs[name]}); err != nil {
			return count, err
		}
		count++
		c, err := parseCert(certs[name])
		if err != nil || !rekey(c, "ca") {
			continue
		}
		alg := "rsa"
		if bytes.Contains(c.field(sigalg).encode(), []byte{0x2a, 0x86, 0x48, 0xce, 0x3d}) {
			alg = "ec"
		}
		c.setField(issuer, raw(rootName(alg)))
		if c.extensions() != nil {
			withoutExtension(c, 35) // it says which key the root had
		}
		leaf := newLeaf("ec", alg)
		leaf.setField(issuer, c.field(subject))
		list := [][]byte{leaf.encode(), c.encode()}
		repair.Sign(list)
		if err := writeSeed(out, "debian-ca-"+name, list); err != nil {
			return count, err
		}
		count++
	}
	return count, nil
}

// opensslSeeds writes the certificates of OpenSSL's tests, each with those that have issued it.
func opensslSeeds(dir, out string) (int, error) {
	names, certs, err := readPEM(filepath.Join(dir, "*.pem"))
	if err != nil {
		return 0, err
	}
	root, ok := certs["root-cert-0"]
	if !ok {
		return 0, fmt.Errorf("%s has no root-cert.pem", dir)
	}
	seen, count := make(map[string]bool), 0
	for _, name := range names {
		path := pathOf(certs[name], names, certs)
		last := root
		if top := path[len(path)-1]; len(path) > 1 && selfIssued(top) {
			path, last = path[:len(path)-1], top
		}
		list, ok := rekeyed(path, last)
		if !ok {
			list = path
		}
		input := chain.Join(list)
		if seen[string(input)] || len(input) > maxSeed {
			continue
		}
		seen[string(input)] = true
		if err := writeSeed(out, "openssl-"+name, list); err != nil {
			return count, err
		}
		count++
	}
	return count, nil
}

func selfIssued(der []byte) bool {
	c, err := parseCert(der)
	return err == nil && bytes.Equal(c.field(issuer).encode(), c.field(subject).encode())
}

// pathOf follows issuers by name and signature, else by name alone.
func pathOf(der []byte, names []string, certs map[string][]byte) [][]byte {
	path := [][]byte{der}
	for len(path) < chain.Max && !selfIssued(der) {
		c, err := parseCert(der)
		if err != nil {
			break
		}
		wanted := c.field(issuer).encode()
		var byName, bySignature []byte
		for _, name := range names {
			candidate, _ := parseCert(certs[name])
			if !bytes.Equal(candidate.field(subject).encode(), wanted) {
				continue
			}
			if byName == nil {
				byName = certs[name]
			}
			if bySignature == nil && signedBy(der, certs[name]) {
				bySignature = certs[name]
			}
		}
		if bySignature != nil {
			byName = bySignature
		}
		if byName == nil {
			break
		}
		der = byName
		path = append(path, der)
	}
	return path
}

func signedBy(der, parent []byte) bool {
	c, err := x509.ParseCertificate(der)
	if err != nil {
		return false
	}
	p, err := x509.ParseCertificate(parent)
	return err == nil && p.CheckSignature(c.SignatureAlgorithm, c.RawTBSCertificate, c.Signature) == nil
}
