package repair

import (
	"bytes"
	"crypto"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"math/big"
	"slices"
	"testing"
	"time"

	"examples/x509/chain"
)

// testChain is a leaf below a CA with keys of one algorithm; the CA is its own root.
func testChain(t testing.TB, alg string) [][]byte {
	t.Helper()
	make := func(subject, issuer, key, signer string, ca bool) []byte {
		template := &x509.Certificate{
			SerialNumber: big.NewInt(7), Subject: pkix.Name{CommonName: subject},
			NotBefore: chain.Time.Add(-time.Hour), NotAfter: chain.Time.Add(time.Hour), IsCA: ca, BasicConstraintsValid: true,
		}
		parent := &x509.Certificate{Subject: pkix.Name{CommonName: issuer}}
		der, err := x509.CreateCertificate(rand.Reader, template, parent, chain.Key(key).Public(), chain.Key(signer))
		if err != nil {
			t.Fatal(err)
		}
		return der
	}
	return [][]byte{make("leaf", "ca", "leaf-"+alg, "ca-"+alg, false), make("ca", "ca", "ca-"+alg, "ca-"+alg, true)}
}

// verified says whether the first certificate is signed by the second, and this one by itself.
func verified(list [][]byte) bool {
	leaf, err := x509.ParseCertificate(list[0])
	if err != nil {
		return false
	}
	ca, err := x509.ParseCertificate(list[1])
	return err == nil && leaf.CheckSignatureFrom(ca) == nil && ca.CheckSignatureFrom(ca) == nil
}

func TestRepairSigns(t *testing.T) {
	for _, alg := range []string{"rsa", "ec"} {
		list := testChain(t, alg)
		if !verified(list) {
			t.Fatal(alg, "the chain itself is wrong")
		}
		// A serial number in each, and a signature of another length in one.
		for i, der := range list {
			c, ok := parse(der)
			if !ok || !c.fields {
				t.Fatal(alg, i, "is not parsed")
			}
			der[c.tbs.body+7]++ // behind the version, tag and length of the serial number
			if i == 0 {
				list[i] = withSignature(der, &c, []byte{1, 2, 3})
			}
		}
		if verified(list) {
			t.Error(alg, "mutants verify without a repair")
		}
		Sign(list)
		if !verified(list) {
			t.Error(alg, "mutants do not verify after a repair")
		}
	}
}

// TestRepairUnknownKey checks that a signature stays if the issuer has another key than the test
// key that would make it.
func TestRepairUnknownKey(t *testing.T) {
	list := testChain(t, "ec")
	other, err := ecdsa.GenerateKey(chain.Key("ca-ec").Public().(*ecdsa.PublicKey).Curve, rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c, _ := parse(list[1])
	var key crypto.PublicKey = other.Public()
	spki, err := x509.MarshalPKIXPublicKey(key)
	if err != nil || len(spki) != c.key.end-c.key.start {
		t.Fatal(len(spki), err)
	}
	copy(list[1][c.key.start:], spki)
	before := bytes.Clone(list[0])
	Sign(list)
	if !bytes.Equal(list[0], before) {
		t.Error("a leaf was signed whose issuer has a key that is not known")
	}
}

// TestLoose checks that a byte more or less in a certificate costs that certificate, and not those
// behind it.
func TestLoose(t *testing.T) {
	list := testChain(t, "rsa")
	list = append(list, list[1])
	input := chain.Join(list)
	for _, at := range []int{40, 3 + len(list[0]) - 1} {
		more := bytes.Join([][]byte{input[:at], input[at-1:]}, nil)
		less := bytes.Join([][]byte{input[:at-1], input[at:]}, nil)
		for _, b := range [][]byte{more, less} {
			got := chain.Loose(b)
			if len(got) != 3 || !bytes.Equal(got[1], list[1]) || !bytes.Equal(got[2], list[2]) {
				t.Errorf("at %d: %d certificates, or others", at, len(got))
			}
		}
	}
}

// TestResized checks that a certificate remains one if bytes are inserted or removed anywhere,
// except for bytes of headers.
func TestResized(t *testing.T) {
	der := testChain(t, "rsa")[0]
	if got := resized(bytes.Clone(der)); !bytes.Equal(got, der) {
		t.Fatalf("%x became %x", der, got)
	}
	c, _ := parse(der)
	for _, at := range []int{c.subject.end - 1, c.issuer.end - 1, c.key.end - 20} {
		for _, mutant := range [][]byte{
			slices.Concat(der[:at], []byte("abc"), der[at:]),
			slices.Concat(der[:at-1], der[at:]),
		} {
			if _, err := x509.ParseCertificate(mutant); err == nil {
				t.Error(at, "a mutant is read without a repair")
			}
			fixed := resized(mutant)
			if d, ok := parse(fixed); !ok || !d.fields || d.signature.end != len(fixed) || d.outer.end != len(fixed) {
				t.Errorf("at %d: %x became %x", at, mutant, fixed)
			}
		}
	}
}

// FuzzRepair checks that the repair of any input ends, and that the second repair changes nothing.
func FuzzRepair(f *testing.F) {
	f.Add([]byte{})
	f.Add(chain.Join(testChain(f, "ec")))
	f.Add(chain.Join(testChain(f, "rsa")))
	f.Fuzz(func(t *testing.T, input []byte) {
		once := Repair(bytes.Clone(input))
		if sized := resized(once); !bytes.Equal(resized(bytes.Clone(sized)), sized) {
			t.Errorf("% x is not sized for good", sized)
		}
		if twice := Repair(bytes.Clone(once)); !bytes.Equal(once, twice) {
			t.Errorf("% x, and again % x", once, twice)
		}
	})
}

func BenchmarkRepair(b *testing.B) {
	for _, alg := range []string{"rsa", "ec"} {
		b.Run(alg, func(b *testing.B) {
			input := chain.Join(testChain(b, alg))
			for i := range b.N {
				// The serial number of the leaf, and nothing else.
				input[20], input[21] = byte(i), byte(i>>8)
				Repair(bytes.Clone(input))
			}
		})
	}
}
