package state

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"parallax/internal/atomicfile"
)

// sealFile holds a code of campaign.json that only its user can compute. It marks campaigns that
// the user ran: another campaign.json could make parallax execute anything.
const sealFile = "seal"

const keySize = 32

// Seal records that the user ran the campaign, or agrees to its campaign.json.
func (f *Folder) Seal() error {
	code, err := f.code()
	if err != nil || f.Sealed() {
		return err
	}
	return infra("write", f.path(sealFile), atomicfile.Write(f.fs, f.path(sealFile), append(code, '\n')))
}

// Sealed reports whether the user has sealed the folder with its current campaign.json. Copied and
// moved folders stay sealed.
func (f *Folder) Sealed() bool {
	have, err := f.read(f.path(sealFile))
	if err != nil || have == nil {
		return false
	}
	code, err := f.code()
	return err == nil && hmac.Equal(bytes.TrimSpace(have), code)
}

// code returns the keyed hash of campaign.json, in hexadecimal.
func (f *Folder) code() ([]byte, error) {
	key, err := userKey()
	if err != nil {
		return nil, err
	}
	h := hmac.New(sha256.New, key)
	h.Write(f.cfg.text)
	return hex.AppendEncode(nil, h.Sum(nil)), nil
}

// userKey returns the key of the user's seals, and makes a missing one. The key is in the user's
// configuration, since a cache may be removed at any time. It is in the cache if the configuration
// is not writable.
func userKey() ([]byte, error) {
	var errs []error
	for _, base := range []func() (string, error){os.UserConfigDir, os.UserCacheDir} {
		dir, err := base()
		if err == nil {
			var key []byte
			if key, err = keyIn(filepath.Join(dir, "parallax")); err == nil {
				return key, nil
			}
		}
		errs = append(errs, err)
	}
	return nil, errors.Join(errs...)
}

// keyIn returns the key in a folder, and makes a missing one.
func keyIn(dir string) ([]byte, error) {
	name := filepath.Join(dir, "key")
	if key, err := readKey(name); !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	// If several processes make a key at the same time, the first link wins.
	made, err := os.CreateTemp(dir, atomicfile.TempPrefix+"*")
	if err != nil {
		return nil, err
	}
	defer os.Remove(made.Name())
	key := make([]byte, keySize)
	rand.Read(key)
	_, err = made.Write(key)
	if err := errors.Join(err, made.Close()); err != nil {
		return nil, err
	}
	if err := os.Link(made.Name(), name); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	return readKey(name)
}

func readKey(name string) ([]byte, error) {
	key, err := os.ReadFile(name)
	if err == nil && len(key) != keySize {
		err = &fs.PathError{Op: "read", Path: name, Err: errors.New("it is no key of parallax: remove it")}
	}
	return key, err
}
