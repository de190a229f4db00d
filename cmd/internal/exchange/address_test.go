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
		{"no token", "nats://" + s.address, "the hub refuses the token: check it in --join or PARALLAX_JOIN_TOKEN"},
		{"another token", "nats://0123456789abcdeF@" + s.address, "the hub refuses the token"},
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
