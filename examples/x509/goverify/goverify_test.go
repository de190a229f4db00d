package goverify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestControl checks that control chains are accepted or rejected as their names say.
func TestControl(t *testing.T) {
	names, err := filepath.Glob("../control/*.der")
	if err != nil || len(names) < 10 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		input, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := Verify(input); (err == nil) != strings.HasPrefix(filepath.Base(name), "good-") {
			t.Error(name, err)
		}
	}
}

// TestClasses checks that the first word is the class that other libraries have too.
func TestClasses(t *testing.T) {
	for name, class := range map[string]string{
		"control/bad-expired-leaf": "expired", "control/bad-future-leaf": "not-yet-valid", "control/bad-signature-leaf": "signature",
		"control/bad-signature-rsa": "signature", "control/bad-missing-ca": "unknown-issuer", "control/bad-not-a-ca": "basic-constraints",
		"control/bad-critical-extension": "critical-extension", "control/bad-cut-off": "parse", "control/bad-empty": "empty",
		"seeds/path-length-exceeded": "path-length", "seeds/constraint-dns-excluded": "name-constraint",
		"seeds/algorithm-rsa-sha1": "algorithm", "seeds/policy-required-none": "policy",
	} {
		input, err := os.ReadFile("../" + name + ".der")
		if err != nil {
			t.Fatal(err)
		}
		if err := Verify(input); err == nil || !strings.HasPrefix(err.Error(), class+" ") {
			t.Errorf("%s: %v, and not %s", name, err, class)
		}
	}
	if err := Verify([]byte{0, 0, 5, 1}); err == nil || !strings.HasPrefix(err.Error(), "frame") {
		t.Error(err)
	}
}
