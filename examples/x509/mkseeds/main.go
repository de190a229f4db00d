// Command mkseeds writes the inputs of the X.509 experiment: certificates that it makes, and those
// of others with test keys. Its output is the same every time.
//
//	go run ./x509/mkseeds -out DIR [-openssl FOLDER] [-pkits FOLDER] [-debian FOLDER]   seeds
//	go run ./x509/mkseeds -own                                                         x509/seeds, x509/control, x509/harness/roots.h
//	go run ./x509/mkseeds -roots -openssl FOLDER                                        x509/chain/roots, on which all the others depend
//
// It reports missing folders, and skips them. All paths but those given are relative to the folder
// examples.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"examples/x509/chain"
)

// maxSeed is max_bytes of parallax.toml.
const maxSeed = 8192

func main() {
	out := flag.String("out", "", "folder for seeds made of others' certificates")
	own := flag.Bool("own", false, "write what is committed: own seeds, control chains and harness/roots.h")
	roots := flag.Bool("roots", false, "make the roots anew")
	openssl := flag.String("openssl", "", "test/certs of OpenSSL's source")
	pkits := flag.String("pkits", filepath.Join(goroot(), "src/crypto/x509/testdata/nist-pkits"), "NIST PKITS as in Go's source")
	debian := flag.String("debian", "/usr/share/ca-certificates/mozilla", "certificates of Debian's package ca-certificates")
	flag.Parse()
	var err error
	switch {
	case flag.NArg() > 0 || !*own && !*roots && *out == "":
		flag.Usage()
		os.Exit(2)
	case *roots:
		err = makeRoots("x509/chain/roots", *pkits, *openssl)
	case *own:
		err = makeOwn()
	default:
		err = makeForeign(*out, *pkits, *debian, *openssl)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mkseeds:", err)
		os.Exit(1)
	}
}

func makeForeign(out, pkits, debian, openssl string) error {
	for _, source := range []struct {
		name, dir string
		write     func(dir, out string) (int, error)
	}{{"NIST PKITS", pkits, pkitsSeeds}, {"Debian's roots", debian, debianSeeds}, {"OpenSSL's tests", openssl, opensslSeeds}} {
		if _, err := os.Stat(source.dir); err != nil {
			fmt.Fprintf(os.Stderr, "mkseeds: %s are not there (%q), and left out\n", source.name, source.dir)
			continue
		}
		n, err := source.write(source.dir, out)
		if err != nil {
			return err
		}
		fmt.Fprintf(os.Stderr, "mkseeds: %d chains of %s\n", n, source.name)
	}
	return nil
}

// goroot is the folder of Go's own sources, or "" where the go command does not say.
func goroot() string {
	root, _ := exec.Command("go", "env", "GOROOT").Output()
	return strings.TrimSpace(string(root))
}

// makeOwn writes what needs no other files.
func makeOwn() error {
	if err := os.WriteFile("x509/harness/roots.h", rootsHeader(), 0o644); err != nil {
		return err
	}
	for _, s := range ownSeeds() {
		dir := "x509/seeds"
		if s.control != "" {
			dir = "x509/control"
		}
		if err := writeSeed(dir, s.name, s.list); err != nil {
			return err
		}
	}
	return nil
}

// rootsHeader are the trusted roots for C.
func rootsHeader() []byte {
	var b strings.Builder
	b.WriteString("/* Made by mkseeds: the certificates of chain/roots. */\n#ifndef ROOTS_H\n#define ROOTS_H\n\n#include <stddef.h>\n\n")
	list := chain.Roots()
	for i, der := range list {
		fmt.Fprintf(&b, "static const unsigned char root_%d[] = {", i)
		for j, c := range der {
			if j%24 == 0 {
				b.WriteString("\n\t")
			}
			fmt.Fprintf(&b, "0x%02x,", c)
		}
		b.WriteString("\n};\n\n")
	}
	fmt.Fprintf(&b, "#define ROOTS %d\n\nstatic const struct {\n\tconst unsigned char *der;\n\tsize_t size;\n} roots[ROOTS] = {\n", len(list))
	for i := range list {
		fmt.Fprintf(&b, "\t{root_%d, sizeof root_%d},\n", i, i)
	}
	b.WriteString("};\n\n#endif\n")
	return []byte(b.String())
}

// writeSeed writes an input, unless it is too large.
func writeSeed(dir, name string, list [][]byte) error {
	input := chain.Join(list)
	if len(input) > maxSeed {
		fmt.Fprintf(os.Stderr, "mkseeds: %s has %d bytes, and is left out\n", name, len(input))
		return nil
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, clean(name)+".der"), input, 0o644)
}

// clean keeps of a name what every file system takes.
func clean(name string) string {
	return strings.Map(func(r rune) rune {
		if r < 0x80 && (r == '-' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z') {
			return r
		}
		return '_'
	}, name)
}
