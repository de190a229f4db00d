package hub

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nats-io/nkeys"

	"parallax/cmd/internal/base/exit"
)

// write writes a file of a test.
func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestRefused(t *testing.T) {
	token := write(t, "0123456789abcdef\n")
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, test := range []struct {
		name string
		o    Options
		code int
		want string
	}{
		{"no port", Options{Listen: "127.0.0.1"}, exit.UsageCode, "give a host and a port"},
		{"a named port", Options{Listen: "127.0.0.1:nats"}, exit.UsageCode, "give a host and a port"},
		{"all addresses without a token", Options{Listen: ":0"}, exit.UsageCode, "give --token-file"},
		{"another address without a token", Options{Listen: "192.0.2.1:0"}, exit.UsageCode, "give --token-file"},
		{"a name without a token", Options{Listen: "hub.example.com:0"}, exit.UsageCode, "give --token-file"},
		{"no file", Options{Listen: "127.0.0.1:0", TokenFile: token + "x"}, exit.UsageCode, "--token-file"},
		{"a short token", Options{Listen: "127.0.0.1:0", TokenFile: write(t, "short")}, exit.UsageCode, "at least 16 characters"},
		{"a token that is no part of a URL", Options{Listen: "127.0.0.1:0", TokenFile: write(t, "0123456789@abcdef")}, exit.UsageCode, "without blanks"},
		{"no file of keys", Options{Listen: "127.0.0.1:0", KeyFile: token + "x"}, exit.UsageCode, "--nkeys"},
		{"no public key", Options{Listen: "127.0.0.1:0", KeyFile: write(t, "# members\n\nSUACSSL3UAHUDXKFSNVUZRF5UHPMWZ6BFDTJ7M6USDXIEDNPPQYYYCU3VY\n")}, exit.UsageCode, ":3: this is no public key"},
		{"an empty file of keys", Options{Listen: "127.0.0.1:0", KeyFile: write(t, "# none\n")}, exit.UsageCode, "there is no key"},
		{"a key without a certificate", Options{Listen: "127.0.0.1:0", Key: token}, exit.UsageCode, "give both or none"},
		{"no certificate", Options{Listen: "127.0.0.1:0", Cert: token, Key: token}, exit.UsageCode, "--tls-cert"},
		{"an address of another process", Options{Listen: taken.Addr().String()}, exit.InfraCode, "address already in use"},
		{"no folder", Options{Listen: "127.0.0.1:0", Dir: filepath.Join(token, "x")}, exit.InfraCode, "a file is where a folder should be"},
	} {
		if test.o.Dir == "" {
			test.o.Dir = t.TempDir()
		}
		h, err := Start(test.o)
		if err == nil {
			h.stop()
		}
		if err == nil || exit.Code(err) != test.code || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v", test.name, err)
		}
	}
}

// TestOneHub checks that one hub at a time serves a folder, and that it ends cleanly.
func TestOneHub(t *testing.T) {
	o := Options{Listen: "127.0.0.1:0", Dir: t.TempDir()}
	for range 2 {
		h, err := Start(o)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Start(o); exit.Code(err) != exit.UsageCode || !strings.Contains(err.Error(), "another hub serves") {
			t.Errorf("a second hub: %v", err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		done := make(chan error, 1)
		go func() { done <- h.Run(ctx) }()
		cancel()
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
}

// TestConnect checks that the page connects to hubs with and without a token, keys and TLS.
func TestConnect(t *testing.T) {
	pair, err := nkeys.CreateUser()
	if err != nil {
		t.Fatal(err)
	}
	public, err := pair.PublicKey()
	if err != nil {
		t.Fatal(err)
	}
	for name, o := range map[string]Options{
		"open": {}, "token": {TokenFile: write(t, "0123456789abcdef\n")}, "keys": {KeyFile: write(t, public+"\n")},
		"both": {TokenFile: write(t, "0123456789abcdef\n"), KeyFile: write(t, public+"\n")},
	} {
		o.Listen, o.Dir = "127.0.0.1:0", t.TempDir()
		h, err := Start(o)
		if err != nil {
			t.Fatal(err)
		}
		conn, err := h.Connect()
		if err != nil {
			t.Errorf("%s: %v", name, err)
		} else {
			conn.Close()
		}
		h.stop()
	}
}
