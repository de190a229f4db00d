// Package goverify is crypto/x509 as a program of the X.509 experiment.
package goverify

import (
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"sync"

	"examples/x509/chain"
)

var roots = sync.OnceValue(func() *x509.CertPool {
	pool := x509.NewCertPool()
	for _, der := range chain.Roots() {
		root, err := x509.ParseCertificate(der)
		if err != nil {
			panic(err)
		}
		pool.AddCert(root)
	}
	return pool
})

// Verify verifies a list of certificates against the test roots, for any purpose and no name. Its
// error has a common class for its first word, and then what crypto/x509 says.
func Verify(input []byte) error {
	list, err := chain.Split(input)
	if err != nil {
		return fmt.Errorf("frame %w", err)
	}
	leaf, intermediates := new(x509.Certificate), x509.NewCertPool()
	for i, der := range list {
		cert, err := x509.ParseCertificate(der)
		if err != nil {
			return fmt.Errorf("parse %w", err)
		}
		if i == 0 {
			leaf = cert
		} else {
			intermediates.AddCert(cert)
		}
	}
	_, err = leaf.Verify(x509.VerifyOptions{
		Roots:         roots(),
		Intermediates: intermediates,
		CurrentTime:   chain.Time,
		KeyUsages:     []x509.ExtKeyUsage{x509.ExtKeyUsageAny},
	})
	if err != nil {
		return fmt.Errorf("%s %w", class(err), err)
	}
	return nil
}

// class is the class of an error of Verify that all libraries have in common.
func class(err error) string {
	var invalid x509.CertificateInvalidError
	var critical x509.UnhandledCriticalExtension
	var authority x509.UnknownAuthorityError
	switch {
	case errors.As(err, &invalid):
		return reason(invalid)
	case errors.As(err, &critical):
		return "critical-extension"
	case errors.As(err, &authority):
		// Only the text describes errors of the issuer's signature.
		text := err.Error()
		switch {
		case strings.Contains(text, "insecure algorithm"), strings.Contains(text, "algorithm unimplemented"):
			return "algorithm"
		case strings.Contains(text, "parent certificate cannot sign"):
			return "basic-constraints"
		case strings.Contains(text, "verification"), strings.Contains(text, "signature:"):
			return "signature"
		}
		return "unknown-issuer"
	case strings.Contains(err.Error(), "missing ASN.1 contents"):
		return "empty"
	}
	return "other"
}

func reason(err x509.CertificateInvalidError) string {
	switch err.Reason {
	case x509.NotAuthorizedToSign:
		return "basic-constraints"
	case x509.Expired:
		if err.Cert != nil && chain.Time.Before(err.Cert.NotBefore) {
			return "not-yet-valid"
		}
		return "expired"
	case x509.CANotAuthorizedForThisName, x509.UnconstrainedName, x509.NameConstraintsWithoutSANs, x509.TooManyConstraints:
		return "name-constraint"
	case x509.TooManyIntermediates:
		return "path-length"
	case x509.IncompatibleUsage, x509.CANotAuthorizedForExtKeyUsage:
		return "ext-key-usage"
	case x509.NameMismatch:
		return "unknown-issuer"
	case x509.NoValidChains:
		return "policy"
	}
	return "other"
}
