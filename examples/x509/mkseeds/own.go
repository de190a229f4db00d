package main

import (
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/asn1"
	"net"
	"time"

	"examples/x509/chain"
	"examples/x509/repair"
)

// seed is a chain that mkseeds makes. Control chains have an outcome that every program has to
// agree on.
type seed struct {
	name    string
	list    [][]byte
	control string
}

// selfSigned signs a certificate with its own test key.
func selfSigned(c cert) []byte {
	list := [][]byte{c.encode()}
	repair.Sign(list)
	return list[0]
}

// plan describes a chain: root, intermediate CAs from the root down, leaf. Then it lists the
// changes of its certificates before they are signed.
type plan struct {
	name    string
	control string
	alg     string                      // of all keys: "ec" if empty
	cas     int                         // intermediate CAs: one if zero, none if negative
	ca      func(t *x509.Certificate)   // changes the CA next to the leaf
	top     func(t *x509.Certificate)   // changes the CA next to the root, if there are two
	leaf    func(t *x509.Certificate)   // changes the leaf
	tree    func(leaf cert, cas []cert) // changes what crypto/x509 does not make; cas[0] has issued the leaf
	after   func(list [][]byte) [][]byte
}

func (p plan) make() seed {
	alg := p.alg
	if alg == "" {
		alg = "ec"
	}
	count := 1
	if p.cas != 0 {
		count = max(0, p.cas)
	}
	issuer, signer := "Root "+alg, "root-"+alg
	var cas []cert
	for i := range count {
		common := "CA"
		if i < count-1 {
			common = "CA above" + string(rune('A'+i))
		}
		t := caTemplate(common)
		if i == count-1 && p.ca != nil {
			p.ca(t)
		}
		if i == 0 && count > 1 && p.top != nil {
			p.top(t)
		}
		cas = append([]cert{create(t, issuer, "ca-"+alg, signer)}, cas...)
		issuer, signer = common, "ca-"+alg
	}
	t := leafTemplate()
	if p.leaf != nil {
		p.leaf(t)
	}
	leaf := create(t, issuer, "leaf-"+alg, signer)
	if p.tree != nil {
		p.tree(leaf, cas)
	}
	list := [][]byte{leaf.encode()}
	for _, c := range cas {
		list = append(list, c.encode())
	}
	repair.Sign(list)
	if p.after != nil {
		list = p.after(list)
	}
	return seed{p.name, list, p.control}
}

// extension is a DER-encoded one.
func extension(critical bool, value []byte, id ...int) pkix.Extension {
	return pkix.Extension{Id: asn1.ObjectIdentifier(id), Critical: critical, Value: value}
}

func extra(critical bool, value []byte, id ...int) func(t *x509.Certificate) {
	return func(t *x509.Certificate) {
		t.ExtraExtensions = append(t.ExtraExtensions, extension(critical, value, id...))
	}
}

func subnet(text string) *net.IPNet {
	_, n, err := net.ParseCIDR(text)
	if err != nil {
		panic(err)
	}
	return n
}

// ownSeeds are all of them: controls first, then one for each thing that RFC 5280 has rules for.
func ownSeeds() []seed {
	var seeds []seed
	for _, list := range [][]plan{controls(), times(), extensions(), constraints(), policies(), names(), encodings(), paths()} {
		for _, p := range list {
			seeds = append(seeds, p.make())
		}
	}
	return seeds
}

func controls() []plan {
	flip := func(i int) func(list [][]byte) [][]byte {
		return func(list [][]byte) [][]byte {
			list[i][len(list[i])-1] ^= 1
			return list
		}
	}
	none := func(list [][]byte) [][]byte { return nil }
	return []plan{
		{name: "good-ec", control: "accepted"},
		{name: "good-rsa", control: "accepted", alg: "rsa"},
		{name: "good-two-cas", control: "accepted", cas: 2},
		{name: "good-no-ca", control: "accepted", cas: -1},
		{name: "bad-expired-leaf", control: "rejected", leaf: func(t *x509.Certificate) { t.NotAfter = chain.Time.Add(-24 * time.Hour) }},
		{name: "bad-expired-ca", control: "rejected", ca: func(t *x509.Certificate) { t.NotAfter = chain.Time.Add(-24 * time.Hour) }},
		{name: "bad-future-leaf", control: "rejected", leaf: func(t *x509.Certificate) { t.NotBefore = chain.Time.Add(24 * time.Hour) }},
		{name: "bad-signature-leaf", control: "rejected", after: flip(0)},
		{name: "bad-signature-ca", control: "rejected", after: flip(1)},
		{name: "bad-signature-rsa", control: "rejected", alg: "rsa", after: flip(0)},
		{name: "bad-missing-ca", control: "rejected", after: func(list [][]byte) [][]byte { return list[:1] }},
		{name: "bad-self-signed", control: "rejected", after: func([][]byte) [][]byte {
			t := leafTemplate()
			return [][]byte{create(t, t.Subject.CommonName, "leaf-ec", "leaf-ec").encode()}
		}},
		{name: "bad-not-a-ca", control: "rejected", ca: func(t *x509.Certificate) { t.IsCA = false }},
		{name: "bad-critical-extension", control: "rejected", leaf: extra(true, []byte{5, 0}, 1, 3, 6, 1, 4, 1, 99999, 1)},
		{name: "bad-cut-off", control: "rejected", after: func(list [][]byte) [][]byte {
			list[0] = list[0][:len(list[0])-9]
			return list
		}},
		{name: "bad-empty", control: "rejected", after: none},
	}
}

func times() []plan {
	general := func(text string) *node { return &node{tag: 0x18, content: []byte(text)} }
	utc := func(text string) *node { return &node{tag: 0x17, content: []byte(text)} }
	set := func(from, to *node) func(cert, []cert) {
		return func(leaf cert, _ []cert) {
			v := leaf.field(validity)
			if from != nil {
				v.children[0] = from
			}
			if to != nil {
				v.children[1] = to
			}
		}
	}
	return []plan{
		{name: "time-ends-now", leaf: func(t *x509.Certificate) { t.NotAfter = chain.Time }},
		{name: "time-begins-now", leaf: func(t *x509.Certificate) { t.NotBefore = chain.Time }},
		{name: "time-never-ends", tree: set(nil, general("99991231235959Z"))},
		{name: "time-general-before-2050", tree: set(nil, general("20330101000000Z"))},
		{name: "time-utc-offset", tree: set(utc("230101000000+0100"), nil)},
		{name: "time-utc-no-seconds", tree: set(utc("2301010000Z"), nil)},
		{name: "time-general-fraction", tree: set(general("20230101000000.5Z"), nil)},
		{name: "time-backwards", tree: set(utc("330101000000Z"), utc("230101000000Z"))},
		{name: "time-february-30", tree: set(utc("230230000000Z"), nil)},
	}
}

func extensions() []plan {
	return []plan{
		{name: "extension-unknown", leaf: extra(false, []byte{5, 0}, 1, 3, 6, 1, 4, 1, 99999, 1)},
		{name: "extension-unknown-critical-ca", ca: extra(true, []byte{5, 0}, 1, 3, 6, 1, 4, 1, 99999, 1)},
		{name: "extension-twice", tree: func(leaf cert, _ []cert) {
			list := leaf.extensions()
			list.children = append(list.children, list.children[0])
		}},
		{name: "extension-none", tree: func(leaf cert, _ []cert) {
			tbs := leaf.tbs()
			tbs.children = tbs.children[:len(tbs.children)-1]
		}},
		{name: "extension-empty-list", tree: func(leaf cert, _ []cert) { leaf.extensions().children = nil }},
		{name: "extension-version-1", tree: func(leaf cert, _ []cert) {
			tbs := leaf.tbs()
			tbs.children = tbs.children[1 : len(tbs.children)-1]
		}},
		{name: "extension-in-version-1", tree: func(leaf cert, _ []cert) { leaf.tbs().children = leaf.tbs().children[1:] }},
		{name: "extension-critical-false", tree: func(leaf cert, _ []cert) {
			for _, e := range leaf.extensions().children {
				if len(e.children) == 2 {
					e.children = []*node{e.children[0], leafNode(1, 0), e.children[1]}
				}
			}
		}},
		{name: "extension-unique-ids", tree: func(leaf cert, _ []cert) {
			tbs := leaf.tbs()
			last := len(tbs.children) - 1
			tbs.children = append(tbs.children[:last:last], leafNode(0x81, 0, 1), leafNode(0x82, 0, 2), tbs.children[last])
		}},
		{name: "usage-none-ca", tree: func(_ cert, cas []cert) { withoutExtension(cas[0], 15) }},
		{name: "usage-no-certsign", ca: func(t *x509.Certificate) { t.KeyUsage = x509.KeyUsageCRLSign }},
		{name: "usage-leaf-certsign", leaf: func(t *x509.Certificate) { t.KeyUsage = x509.KeyUsageCertSign }},
		{name: "usage-leaf-none", tree: func(leaf cert, _ []cert) { withoutExtension(leaf, 15) }},
		{name: "usage-empty", leaf: func(t *x509.Certificate) {
			t.KeyUsage = 0
			extra(true, []byte{3, 1, 0}, 2, 5, 29, 15)(t)
		}},
		{name: "purpose-client", leaf: func(t *x509.Certificate) { t.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth} }},
		{name: "purpose-any", leaf: func(t *x509.Certificate) { t.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageAny} }},
		{name: "purpose-none", leaf: func(t *x509.Certificate) { t.ExtKeyUsage = nil }},
		{name: "purpose-critical", leaf: func(t *x509.Certificate) {
			t.ExtKeyUsage = nil
			extra(true, []byte{0x30, 10, 6, 8, 0x2b, 6, 1, 5, 5, 7, 3, 4}, 2, 5, 29, 37)(t)
		}},
		{name: "purpose-ca-other", ca: func(t *x509.Certificate) { t.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageCodeSigning} }},
		{name: "basic-leaf-ca", leaf: func(t *x509.Certificate) { t.IsCA = true }},
		{name: "basic-leaf-none", leaf: func(t *x509.Certificate) { t.BasicConstraintsValid = false }},
		{name: "basic-ca-none", tree: func(_ cert, cas []cert) { withoutExtension(cas[0], 19) }},
		{name: "basic-not-critical", ca: func(t *x509.Certificate) {
			t.BasicConstraintsValid, t.IsCA = false, false
			extra(false, []byte{0x30, 3, 1, 1, 0xff}, 2, 5, 29, 19)(t)
		}},
		{name: "basic-true-is-1", ca: func(t *x509.Certificate) {
			t.BasicConstraintsValid, t.IsCA = false, false
			extra(true, []byte{0x30, 3, 1, 1, 1}, 2, 5, 29, 19)(t)
		}},
		{name: "basic-leaf-path-length", leaf: func(t *x509.Certificate) {
			t.BasicConstraintsValid = false
			extra(true, []byte{0x30, 3, 2, 1, 0}, 2, 5, 29, 19)(t)
		}},
		{name: "basic-negative-path-length", ca: func(t *x509.Certificate) {
			t.BasicConstraintsValid, t.IsCA = false, false
			extra(true, []byte{0x30, 6, 1, 1, 0xff, 2, 1, 0xff}, 2, 5, 29, 19)(t)
		}},
		{name: "key-ids-none", tree: func(leaf cert, cas []cert) {
			withoutExtension(leaf, 35)
			withoutExtension(cas[0], 14)
			withoutExtension(cas[0], 35)
		}},
		{name: "key-id-wrong", tree: func(leaf cert, cas []cert) {
			withoutExtension(leaf, 35)
			leaf.extensions().children = append(leaf.extensions().children, raw([]byte{0x30, 13, 6, 3, 0x55, 0x1d, 35, 4, 6, 0x30, 4, 0x80, 2, 'n', 'o'}))
		}},
	}
}

func constraints() []plan {
	dns := func(permitted, excluded []string) func(t *x509.Certificate) {
		return func(t *x509.Certificate) {
			t.PermittedDNSDomainsCritical, t.PermittedDNSDomains, t.ExcludedDNSDomains = true, permitted, excluded
		}
	}
	return []plan{
		{name: "constraint-dns-permitted", ca: dns([]string{"example"}, nil)},
		{name: "constraint-dns-dot", ca: dns([]string{".example"}, nil)},
		{name: "constraint-dns-other", ca: dns([]string{"other.example"}, nil)},
		{name: "constraint-dns-excluded", ca: dns(nil, []string{"example"})},
		{name: "constraint-dns-not-critical", ca: func(t *x509.Certificate) { t.ExcludedDNSDomains = []string{"leaf.example"} }},
		{name: "constraint-dns-above", cas: 2, top: dns(nil, []string{"leaf.example"})},
		{name: "constraint-ip", leaf: func(t *x509.Certificate) { t.IPAddresses = []net.IP{{10, 0, 0, 1}} }, ca: func(t *x509.Certificate) {
			t.PermittedDNSDomainsCritical, t.PermittedIPRanges = true, []*net.IPNet{subnet("10.0.0.0/8")}
		}},
		{name: "constraint-ip-excluded", leaf: func(t *x509.Certificate) { t.IPAddresses = []net.IP{{10, 0, 0, 1}} }, ca: func(t *x509.Certificate) {
			t.PermittedDNSDomainsCritical, t.ExcludedIPRanges = true, []*net.IPNet{subnet("10.0.0.0/8")}
		}},
		{name: "constraint-email", leaf: func(t *x509.Certificate) { t.EmailAddresses = []string{"a@leaf.example"} }, ca: func(t *x509.Certificate) {
			t.PermittedDNSDomainsCritical, t.PermittedEmailAddresses = true, []string{"leaf.example"}
		}},
		{name: "constraint-uri", ca: func(t *x509.Certificate) {
			t.PermittedDNSDomainsCritical, t.ExcludedURIDomains = true, []string{".example"}
		}},
		{name: "constraint-directory", ca: extra(true, directory(0xa0, "XX"), 2, 5, 29, 30)},
		{name: "constraint-directory-excluded", ca: extra(true, directory(0xa1, "XX"), 2, 5, 29, 30)},
		{name: "constraint-directory-other", ca: extra(true, directory(0xa0, "YY"), 2, 5, 29, 30)},
		{name: "constraint-empty", ca: extra(true, []byte{0x30, 0}, 2, 5, 29, 30)},
		{name: "constraint-minimum", ca: extra(true, []byte{0x30, 16, 0xa0, 14, 0x30, 12, 0x82, 7, 'e', 'x', 'a', 'm', 'p', 'l', 'e', 0x80, 1, 1}, 2, 5, 29, 30)},
		{name: "constraint-in-leaf", leaf: dns([]string{"other"}, nil)},
		{name: "constraint-common-name", ca: dns([]string{"other.example"}, nil), leaf: func(t *x509.Certificate) {
			t.DNSNames, t.Subject.CommonName = nil, "leaf.example"
		}},
		{name: "path-length-0", ca: func(t *x509.Certificate) { t.MaxPathLenZero = true }},
		{name: "path-length-exceeded", cas: 2, top: func(t *x509.Certificate) { t.MaxPathLenZero = true }},
		{name: "path-length-1", cas: 2, top: func(t *x509.Certificate) { t.MaxPathLen = 1 }},
		{name: "path-length-leaf-ca", ca: func(t *x509.Certificate) { t.MaxPathLenZero = true }, leaf: func(t *x509.Certificate) { t.IsCA = true }},
	}
}

// directory is NameConstraints of directory names that begin with a country.
func directory(kind byte, country string) []byte {
	rdn := append([]byte{0x30, 13, 0x31, 11, 0x30, 9, 6, 3, 0x55, 4, 6, 0x13, 2}, country...)
	general := append([]byte{0xa4, byte(len(rdn))}, rdn...)
	subtree := append([]byte{0x30, byte(len(general))}, general...)
	subtrees := append([]byte{kind, byte(len(subtree))}, subtree...)
	return append([]byte{0x30, byte(len(subtrees))}, subtrees...)
}

func policies() []plan {
	policy := []byte{0x30, 8, 0x30, 6, 6, 4, 0x2a, 3, 4, 5}
	other := []byte{0x30, 8, 0x30, 6, 6, 4, 0x2a, 3, 4, 6}
	anyPolicy := []byte{0x30, 8, 0x30, 6, 6, 4, 0x55, 0x1d, 32, 0}
	required := []byte{0x30, 3, 0x80, 1, 0}
	return []plan{
		{name: "policy-same", ca: extra(false, policy, 2, 5, 29, 32), leaf: extra(false, policy, 2, 5, 29, 32)},
		{name: "policy-critical", ca: extra(true, policy, 2, 5, 29, 32), leaf: extra(true, policy, 2, 5, 29, 32)},
		{name: "policy-any", ca: extra(false, anyPolicy, 2, 5, 29, 32), leaf: extra(false, policy, 2, 5, 29, 32)},
		{name: "policy-required-none", ca: extra(true, required, 2, 5, 29, 36)},
		{name: "policy-required-other", leaf: extra(false, other, 2, 5, 29, 32), ca: func(t *x509.Certificate) {
			extra(false, policy, 2, 5, 29, 32)(t)
			extra(true, required, 2, 5, 29, 36)(t)
		}},
		{name: "policy-twice", leaf: extra(false, append([]byte{0x30, 16}, append(policy[2:10:10], policy[2:10]...)...), 2, 5, 29, 32)},
		{name: "policy-inhibit-any", ca: extra(true, []byte{2, 1, 0}, 2, 5, 29, 54)},
		{name: "policy-mapping", ca: func(t *x509.Certificate) {
			extra(false, policy, 2, 5, 29, 32)(t)
			extra(false, []byte{0x30, 14, 0x30, 12, 6, 4, 0x2a, 3, 4, 5, 6, 4, 0x2a, 3, 4, 6}, 2, 5, 29, 33)(t)
		}, leaf: extra(false, other, 2, 5, 29, 32)},
	}
}

func names() []plan {
	// The issuer's name in the leaf, and what becomes of its last string.
	common := func(tag byte, text string) func(cert, []cert) {
		return func(leaf cert, _ []cert) {
			last := leaf.field(issuer).children[2].children[0].children[1]
			last.tag, last.content = tag, []byte(text)
		}
	}
	return []plan{
		{name: "name-issuer-utf8", tree: common(0x0c, "CA")},
		{name: "name-issuer-case", tree: common(0x13, "ca")},
		{name: "name-issuer-space", tree: common(0x13, " CA ")},
		{name: "name-issuer-other", tree: common(0x13, "CB")},
		{name: "name-issuer-empty", tree: func(leaf cert, _ []cert) { leaf.field(issuer).children = nil }},
		{name: "name-subject-empty", leaf: func(t *x509.Certificate) { t.Subject = pkix.Name{} }},
		{name: "name-subject-empty-no-san", leaf: func(t *x509.Certificate) { t.Subject, t.DNSNames = pkix.Name{}, nil }},
		{name: "name-subject-t61", tree: subjectString(0x14, "caf\xe9")},
		{name: "name-subject-bmp", tree: subjectString(0x1e, "\x00l\x00e\x00a\x00f")},
		{name: "name-subject-bmp-odd", tree: subjectString(0x1e, "\x00l\x00")},
		{name: "name-subject-printable-at", tree: subjectString(0x13, "a@b*c")},
		{name: "name-subject-nul", tree: subjectString(0x0c, "leaf.example\x00.other")},
		{name: "name-subject-no-utf8", tree: subjectString(0x0c, "\xff\xfe")},
		{name: "name-san-kinds", leaf: func(t *x509.Certificate) {
			t.EmailAddresses, t.IPAddresses = []string{"a@leaf.example"}, []net.IP{net.ParseIP("::1")}
		}},
		{name: "name-san-wildcard", leaf: func(t *x509.Certificate) { t.DNSNames = []string{"*.example"} }},
		{name: "name-san-empty", leaf: func(t *x509.Certificate) {
			t.DNSNames = nil
			extra(false, []byte{0x30, 0}, 2, 5, 29, 17)(t)
		}},
		{name: "name-san-ip-3-bytes", leaf: func(t *x509.Certificate) {
			t.DNSNames = nil
			extra(false, []byte{0x30, 5, 0x87, 3, 1, 2, 3}, 2, 5, 29, 17)(t)
		}},
		{name: "name-san-nul", leaf: func(t *x509.Certificate) {
			t.DNSNames = nil
			extra(false, []byte{0x30, 5, 0x82, 3, 'a', 0, 'b'}, 2, 5, 29, 17)(t)
		}},
		{name: "name-san-blank", leaf: func(t *x509.Certificate) {
			t.DNSNames = nil
			extra(false, []byte{0x30, 3, 0x82, 1, ' '}, 2, 5, 29, 17)(t)
		}},
	}
}

func subjectString(tag byte, text string) func(cert, []cert) {
	return func(leaf cert, _ []cert) {
		last := leaf.field(subject).children[2].children[0].children[1]
		last.tag, last.content = tag, []byte(text)
	}
}

func encodings() []plan {
	number := func(content ...byte) func(cert, []cert) {
		return func(leaf cert, _ []cert) { leaf.field(serial).content = content }
	}
	ecdsa := func(last byte) []byte { return []byte{0x30, 10, 6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, last} }
	rsa := func(last byte) []byte {
		return []byte{0x30, 13, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, last, 5, 0}
	}
	algorithm := func(der []byte) func(cert, []cert) { return func(leaf cert, _ []cert) { leaf.setAlgorithm(der) } }
	return []plan{
		{name: "serial-0", tree: number(0)},
		{name: "serial-negative", tree: number(0x80)},
		{name: "serial-padded", tree: number(0, 1)},
		{name: "serial-empty", tree: number()},
		{name: "serial-21-bytes", tree: number(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21)},
		{name: "version-4", tree: func(leaf cert, _ []cert) { leaf.tbs().children[0].children[0].content[0] = 3 }},
		{name: "version-2", tree: func(leaf cert, _ []cert) { leaf.tbs().children[0].children[0].content[0] = 1 }},
		{name: "version-explicit-1", tree: func(leaf cert, _ []cert) {
			leaf.tbs().children[0].children[0].content[0] = 0
			leaf.tbs().children = leaf.tbs().children[:len(leaf.tbs().children)-1]
		}},
		{name: "algorithm-ecdsa-sha1", tree: algorithm([]byte{0x30, 9, 6, 7, 0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 1})},
		{name: "algorithm-ecdsa-sha512", tree: algorithm(ecdsa(4))},
		{name: "algorithm-ecdsa-null", tree: algorithm([]byte{0x30, 12, 6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2, 5, 0})},
		{name: "algorithm-rsa-md5", alg: "rsa", tree: algorithm(rsa(4))},
		{name: "algorithm-rsa-sha1", alg: "rsa", tree: algorithm(rsa(5))},
		{name: "algorithm-rsa-sha512", alg: "rsa", tree: algorithm(rsa(13))},
		{name: "algorithm-rsa-no-null", alg: "rsa", tree: algorithm([]byte{0x30, 11, 6, 9, 0x2a, 0x86, 0x48, 0x86, 0xf7, 0x0d, 1, 1, 11})},
		{name: "algorithm-inner-other", tree: func(leaf cert, _ []cert) { leaf.setField(sigalg, raw(ecdsa(3))) }},
		{name: "algorithm-inner-rsa", tree: func(leaf cert, _ []cert) { leaf.setField(sigalg, raw(rsa(11))) }},
		{name: "trailing-byte", after: func(list [][]byte) [][]byte {
			list[0] = append(list[0], 0)
			return list
		}},
		{name: "trailing-byte-ca", after: func(list [][]byte) [][]byte {
			list[1] = append(list[1], 0)
			return list
		}},
		{name: "ca-is-junk", after: func(list [][]byte) [][]byte { return append(list, []byte("junk")) }},
		{name: "ca-is-empty", after: func(list [][]byte) [][]byte { return append(list, nil) }},
	}
}

func paths() []plan {
	return []plan{
		{name: "path-with-root", after: func(list [][]byte) [][]byte { return append(list, newRoot("ec").encode()) }},
		{name: "path-root-alone", after: func([][]byte) [][]byte { return [][]byte{newRoot("ec").encode()} }},
		{name: "path-root-twice", after: func([][]byte) [][]byte { return [][]byte{newRoot("ec").encode(), newRoot("ec").encode()} }},
		{name: "path-ca-alone", after: func(list [][]byte) [][]byte { return list[1:] }},
		{name: "path-ca-twice", after: func(list [][]byte) [][]byte { return append(list, list[1]) }},
		{name: "path-leaf-twice", after: func(list [][]byte) [][]byte { return append(list, list[0]) }},
		{name: "path-backwards", after: func(list [][]byte) [][]byte { return [][]byte{list[1], list[0]} }},
		{name: "path-unordered", cas: 2, after: func(list [][]byte) [][]byte { return [][]byte{list[0], list[2], list[1]} }},
		{name: "path-unrelated", after: func(list [][]byte) [][]byte { return append(list, newRoot("rsa").encode()) }},
		{name: "path-three-cas", cas: 3},
		{name: "path-self-issued", cas: 2, tree: func(_ cert, cas []cert) {
			cas[1].setField(subject, cas[0].field(subject))
			cas[0].setField(issuer, cas[1].field(subject))
		}},
		{name: "path-loop", cas: 2, tree: func(_ cert, cas []cert) { cas[1].setField(issuer, cas[0].field(subject)) }},
		{name: "path-same-key-ids", cas: 2, top: func(t *x509.Certificate) { t.SubjectKeyId = keyID("CA") }, tree: func(_ cert, cas []cert) {
			withoutExtension(cas[0], 35)
		}},
		{name: "path-rsa-root", alg: "rsa", cas: 2},
	}
}
