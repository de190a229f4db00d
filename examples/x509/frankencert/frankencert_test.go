package frankencert

import (
	"bytes"
	"crypto/x509"
	"encoding/binary"
	"os"
	"regexp"
	"strings"
	"testing"

	experiment "examples/x509"
	"examples/x509/chain"
	"examples/x509/goverify"
)

func mutant(n int) []byte { return binary.BigEndian.AppendUint32(nil, uint32(n)) }

// TestConfiguration: frankencert.toml is parallax.toml with another function, nss.toml the same
// with another program, codes.toml the same without classes, agreeing.toml codes.toml with other
// seeds.
func TestConfiguration(t *testing.T) {
	read := func(name string) string {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	const theirs, ours = `repair = "./repair.Repair"`, `repair = "./frankencert.Chain"`
	original := read("../parallax.toml")
	if strings.Count(original, theirs) != 1 || !strings.Contains(original, `max_bytes = "8KiB"`) {
		t.Fatal("parallax.toml has another repair function, or another max_bytes")
	}
	if read("../frankencert.toml") != strings.Replace(original, theirs, ours, 1) {
		t.Errorf("they differ in more than that: in folder x509,\n\tsed 's|^%s|%s|' parallax.toml >frankencert.toml", theirs, ours)
	}
	const nss = "\n[[program]]\nname = \"nss\"\nkind = \"c\"\nbinary = \"build/nss\"\n"
	if read("../nss.toml") != original+nss {
		t.Errorf("nss.toml is to be parallax.toml and, behind it:\n%s", nss)
	}
	classes := regexp.MustCompile(`(?m)^\[\[compare\.class\]\]\nname = .*\nmatch = .*\n\n`)
	const common, own = "# Chains are accepted or not; a class says why not.", "# Chains are accepted or not. Each library says why not in a code of its own."
	if read("../codes.toml") != strings.Replace(classes.ReplaceAllString(original, ""), common, own, 1) {
		t.Error("codes.toml is to be parallax.toml without the tables [[compare.class]]")
	}
	if read("../agreeing.toml") != strings.Replace(read("../codes.toml"), `seeds = "seeds"`, `seeds = "agreeing"`, 1) {
		t.Error(`agreeing.toml is to be codes.toml with seeds = "agreeing"`)
	}
}

// TestCorpus: the seeds that are committed have parts enough, whether others were made or not.
func TestCorpus(t *testing.T) {
	c := theCorpus()
	t.Logf("%d seeds, %d certificates, %d kinds of extensions", len(experiment.Seeds()), len(c.certs), len(c.ids))
	if len(c.certs) < 100 || len(c.ids) < 10 {
		t.Errorf("%d certificates, %d kinds of extensions", len(c.certs), len(c.ids))
	}
}

func TestChain(t *testing.T) {
	const n = 1000
	depths := map[int]int{}
	parsed, selfSigned, accepted := 0, 0, 0
	seen := map[string]bool{}
	for i := range n {
		made := Chain(mutant(i))
		seen[string(made)] = true
		list, err := chain.Split(made)
		if err != nil || len(made) > maxBytes {
			t.Fatalf("mutant %d: %d bytes, %v", i, len(made), err)
		}
		depths[len(list)]++
		var certs []*x509.Certificate
		for _, der := range list {
			if c, err := x509.ParseCertificate(der); err == nil {
				parsed++
				certs = append(certs, c)
			}
		}
		if len(certs) == len(list) {
			if checkSignatures(t, i, certs) {
				selfSigned++
			}
		}
		if goverify.Verify(made) == nil {
			accepted++
		}
	}
	t.Logf("%d chains by depth: %v; crypto/x509 reads %d certificates and accepts %d chains; %d are self-signed", n, depths, parsed, accepted, selfSigned)
	if len(seen) < n*95/100 { // the fewer seeds there are, the more often single certificates come again
		t.Errorf("%d of %d chains differ", len(seen), n)
	}
	for depth := 1; depth <= maxDepth; depth++ {
		if depths[depth] < n/maxDepth*8/10 {
			t.Errorf("%d chains of %d", depths[depth], depth)
		}
	}
	if parsed == 0 || selfSigned == 0 {
		t.Error("none that crypto/x509 reads, or none that are self-signed")
	}
}

// checkSignatures: each certificate is issued by the next, the last one by itself or by a root.
func checkSignatures(t *testing.T, mutant int, certs []*x509.Certificate) (self bool) {
	t.Helper()
	signed := func(c *x509.Certificate, key any) bool {
		return (&x509.Certificate{PublicKeyAlgorithm: c.PublicKeyAlgorithm, PublicKey: key}).CheckSignature(c.SignatureAlgorithm, c.RawTBSCertificate, c.Signature) == nil
	}
	last := certs[len(certs)-1]
	for i, c := range certs[:len(certs)-1] {
		if !bytes.Equal(c.RawIssuer, certs[i+1].RawSubject) {
			t.Errorf("mutant %d: certificate %d has another issuer than the next one", mutant, i)
		}
		// The first of two with the same name is taken: package repair says so.
		if !bytes.Equal(c.RawIssuer, c.RawSubject) && !signed(c, certs[i+1].PublicKey) {
			t.Errorf("mutant %d: the signature of certificate %d is wrong", mutant, i)
		}
	}
	for _, der := range chain.Roots() {
		root, err := x509.ParseCertificate(der)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Equal(last.RawIssuer, root.RawSubject) && signed(last, root.PublicKey) {
			return false
		}
	}
	if !bytes.Equal(last.RawIssuer, last.RawSubject) || !signed(last, last.PublicKey) {
		t.Errorf("mutant %d: no root and not the last certificate itself has issued it", mutant)
	}
	return true
}

// TestAgain: the same mutant makes the same chain, and what is made of a frankencert is no other
// frankencert.
func TestAgain(t *testing.T) {
	for i := range 300 {
		made := Chain(mutant(i))
		if !bytes.Equal(made, Chain(mutant(i))) {
			t.Fatalf("mutant %d: another chain the second time", i)
		}
		if !bytes.Equal(made, Chain(made)) {
			t.Errorf("mutant %d: the chain does not stay as it is", i)
		}
		list, err := chain.Split(made)
		if err != nil {
			t.Fatal(err)
		}
		// The leaf alone may get another signature: its issuer is gone.
		cert, err := elements(list[0], 1)
		if err != nil {
			t.Fatal(err)
		}
		whole, err := elements(cert[0].Bytes, 3)
		if err != nil {
			t.Fatal(err)
		}
		again, err := chain.Split(Chain(chain.Join(list[:1])))
		if err != nil || len(again) != 1 || !bytes.Contains(again[0], whole[0].FullBytes) {
			t.Errorf("mutant %d: its leaf alone becomes something else (%v)", i, err)
		}
	}
}

// TestSeeds: what is made of a seed is a frankencert.
func TestSeeds(t *testing.T) {
	for i, seed := range experiment.Seeds() {
		if derived(seed) {
			t.Errorf("seed %d has a key that only frankencerts should have", i)
		}
		if i%50 == 0 && !derived(Chain(seed)) {
			t.Errorf("of seed %d no frankencert is made", i)
		}
	}
}

func BenchmarkChain(b *testing.B) {
	for n := 0; b.Loop(); n++ {
		Chain(mutant(n))
	}
}
