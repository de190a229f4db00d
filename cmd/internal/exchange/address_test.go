package exchange

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nkeys"

	"parallax/cmd/internal/base/exit"
)

func TestParseAddress(t *testing.T) {
	for _, test := range []struct {
		text, variable string
		want           string // url user pass; empty for an error
	}{
		{"nats://host", "", "nats://host:4222  "},
		{"nats://host:1", "", "nats://host:1  "},
		{"tls://host:1", "", "tls://host:1  "},
		{"nats://[::1]", "", "nats://[::1]:4222  "},
		{"nats://token@host", "", "nats://host:4222 token "},
		{"nats://user:pass@host", "", "nats://host:4222 user pass"},
		{"nats://host", "secret", "nats://host:4222 secret "},
		{"nats://token@host", "secret", "nats://host:4222 token "},
		{"host:4222", "", ""},
		{"", "", ""},
		{"nats://", "", ""},
		{"https://secret@host", "", ""},
		{"nats://secret@host/path", "", ""},
		{"nats://secret@host:x", "", ""},
		{"nats://secret@host?x", "", ""},
	} {
		t.Setenv(TokenVariable, test.variable)
		a, err := ParseAddress(test.text)
		if got := os.Getenv(TokenVariable); got != "" {
			t.Errorf("%s: programs see the token", test.text)
		}
		switch {
		case test.want == "":
			if exit.Code(err) != exit.UsageCode || strings.Contains(err.Error(), "secret") {
				t.Errorf("%s: %v", test.text, err)
			}
		case err != nil:
			t.Errorf("%s: %v", test.text, err)
		case a.url+" "+a.user+" "+a.pass != test.want:
			t.Errorf("%s: %+v", test.text, a)
		}
	}
}

func TestWithoutToken(t *testing.T) {
	for text, want := range map[string]string{
		"nats://token@host:1": "nats://host:1", "nats://user:p@ss@host": "nats://host", "nats://host": "nats://host", "host": "host",
	} {
		if got := WithoutToken(text); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

// TestDial checks the errors of a hub that a campaign cannot join, and that they show no token.
func TestDial(t *testing.T) {
	s := newServer(t)
	s.stop()
	s.options.TokenFile = filepath.Join(t.TempDir(), "token")
	const token = "0123456789abcdef"
	if err := os.WriteFile(s.options.TokenFile, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s.start()
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	nobody := free.Addr().String()
	free.Close()
	for _, test := range []struct{ name, address, want string }{
		{"the token", "nats://" + token + "@" + s.address, ""},
		{"no token", "nats://" + s.address, "the hub refuses the token or NKey: check it in --join or PARALLAX_JOIN_TOKEN"},
		{"another token", "nats://0123456789abcdeF@" + s.address, "the hub refuses the token"},
		{"an NKey", "nats://" + seed(t, nkeys.CreateUser) + "@" + s.address, "the hub knows no NKeys"},
		{"no hub", "nats://secret@" + nobody, "no hub answers there"},
	} {
		a, err := ParseAddress(test.address)
		if err != nil {
			t.Fatal(err)
		}
		h, err := Dial(a)
		if err == nil {
			h.Close()
		}
		if (test.want == "") != (err == nil) || err != nil && (exit.Code(err) != exit.InfraCode || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "secret")) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// seed returns the seed of a new NKey.
func seed(t *testing.T, create func() (nkeys.KeyPair, error)) string {
	t.Helper()
	pair, err := create()
	if err != nil {
		t.Fatal(err)
	}
	text, err := pair.Seed()
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestKeys checks that a hub accepts members by their NKeys, and by a token too if it has one.
func TestKeys(t *testing.T) {
	member := seed(t, nkeys.CreateUser)
	pair, err := nkeys.FromSeed([]byte(member))
	if err != nil {
		t.Fatal(err)
	}
	public, err := pair.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	const token = "0123456789abcdef"
	for _, withToken := range []bool{false, true} {
		s := newServer(t)
		s.stop()
		dir := t.TempDir()
		s.options.KeyFile = filepath.Join(dir, "keys")
		if err := os.WriteFile(s.options.KeyFile, []byte("# members\n"+public+" of a test\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if withToken {
			s.options.TokenFile = filepath.Join(dir, "token")
			if err := os.WriteFile(s.options.TokenFile, []byte(token), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		s.start()
		for _, test := range []struct {
			name, user string
			code       int
		}{
			{"the key", member, 0},
			{"another key", seed(t, nkeys.CreateUser), exit.InfraCode},
			{"a key of an account", seed(t, nkeys.CreateAccount), exit.UsageCode},
			{"the public key", public, exit.InfraCode},
			{"nothing", "", exit.InfraCode},
			{"the token", token, map[bool]int{false: exit.InfraCode}[withToken]},
		} {
			a, err := ParseAddress("nats://" + test.user + "@" + s.address)
			if err != nil {
				t.Fatal(err)
			}
			h, err := Dial(a)
			if err == nil {
				h.Close()
			}
			if (err == nil) != (test.code == 0) || err != nil && (exit.Code(err) != test.code || test.user != "" && strings.Contains(err.Error(), test.user)) {
				t.Errorf("%s, token %v: %v", test.name, withToken, err)
			}
		}
	}
}

// TestTLS checks that members connect to a hub with a certificate, and not to one that they cannot
// verify.
func TestTLS(t *testing.T) {
	cert, key := certificate(t)
	t.Setenv("SSL_CERT_FILE", cert) // a process reads it once: no other test connects by TLS
	for _, known := range []bool{true, false} {
		if !known {
			cert, key = certificate(t)
		}
		s := newServer(t)
		s.stop()
		s.options.Cert, s.options.Key = cert, key
		s.start()
		a, err := ParseAddress("nats://" + s.address)
		if err != nil {
			t.Fatal(err)
		}
		h, err := Dial(a)
		if err == nil {
			h.Close()
		}
		if known && err != nil || !known && (err == nil || !strings.Contains(err.Error(), "SSL_CERT_FILE")) {
			t.Errorf("known %v: %v", known, err)
		}
	}
}

// certificate writes a certificate of 127.0.0.1 and its key.
func certificate(t *testing.T) (cert, key string) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &private.PublicKey, private)
	if err != nil {
		t.Fatal(err)
	}
	pkcs, err := x509.MarshalPKCS8PrivateKey(private)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, block := range map[string]*pem.Block{"cert": {Type: "CERTIFICATE", Bytes: der}, "key": {Type: "PRIVATE KEY", Bytes: pkcs}} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "cert"), filepath.Join(dir, "key")
}
