package chain

import (
	"crypto"
	"crypto/x509"
	"embed"
	"encoding/pem"
	"fmt"
	"io/fs"
	"path"
	"sync"
)

// The keys are public: do not trust a certificate of theirs outside of a test. The same keys serve
// all chains. There is one pair of an RSA and an ECDSA key each for roots, for intermediate CAs and
// for leaves. The certificates of package frankencert have further pairs of the last two.
//
//go:embed keys/*.pem roots/*.der
var files embed.FS

// Roots returns the trusted certificates in DER, in the order of their file names. Program mkseeds
// makes them.
var Roots = sync.OnceValue(func() [][]byte {
	names, err := fs.Glob(files, "roots/*.der")
	if err != nil {
		panic(err)
	}
	var list [][]byte
	for _, name := range names {
		data, err := files.ReadFile(name)
		if err != nil {
			panic(err)
		}
		list = append(list, data)
	}
	return list
})

// Key returns one of the test keys: "root-rsa", "root-ec", "ca-rsa", "ca-ec", "leaf-rsa" or
// "leaf-ec"; or, for frankencerts alone, one of the last four with "franken-" before it.
func Key(name string) crypto.Signer {
	key, ok := Keys()[name]
	if !ok {
		panic("there is no key " + name)
	}
	return key
}

// Keys returns all of them by name.
var Keys = sync.OnceValue(func() map[string]crypto.Signer {
	names, err := fs.Glob(files, "keys/*.pem")
	if err != nil {
		panic(err)
	}
	keys := make(map[string]crypto.Signer)
	for _, name := range names {
		key, err := readKey(name)
		if err != nil {
			panic(fmt.Errorf("%s: %w", name, err))
		}
		base := path.Base(name)
		keys[base[:len(base)-len(".pem")]] = key
	}
	return keys
})

func readKey(name string) (crypto.Signer, error) {
	data, err := files.ReadFile(name)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(data)
	if block == nil {
		return nil, fmt.Errorf("no PEM")
	}
	key, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	signer, ok := key.(crypto.Signer)
	if !ok {
		return nil, fmt.Errorf("%T signs nothing", key)
	}
	return signer, nil
}
