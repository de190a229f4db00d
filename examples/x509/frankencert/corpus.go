package frankencert

import (
	"encoding/asn1"
	"fmt"
	"slices"
	"sync"

	"examples/x509"
	"examples/x509/chain"
)

// parts holds the parts of a certificate, each in DER.
type parts struct {
	version             []byte // empty: version 1
	serial              []byte
	notBefore, notAfter []byte
	subject             []byte
}

// extension is an extension of a certificate.
type extension struct {
	id       string // in DER
	critical bool
	value    []byte // the content of its OCTET STRING
}

// corpus holds the parts from which frankencerts are made.
type corpus struct {
	certs  []parts
	ids    []string               // of extensions, in the order in which they were found
	values map[string][]extension // by identifier, each value once
}

// theCorpus divides the certificates of all seeds into parts, each certificate once. It omits
// certificates that cannot be read, as the paper's generator does.
var theCorpus = sync.OnceValue(func() *corpus {
	c := &corpus{values: map[string][]extension{}}
	seen := map[string]bool{}
	for _, input := range x509.Seeds() {
		for _, der := range chain.Loose(input) {
			if seen[string(der)] {
				continue
			}
			seen[string(der)] = true
			if p, extensions, err := takeApart(der); err == nil {
				c.certs = append(c.certs, p)
				c.add(extensions)
			}
		}
	}
	return c
})

func (c *corpus) add(extensions []extension) {
	for _, e := range extensions {
		known := c.values[e.id]
		if known == nil {
			c.ids = append(c.ids, e.id)
		}
		if !slices.ContainsFunc(known, func(k extension) bool { return string(k.value) == string(e.value) }) {
			c.values[e.id] = append(known, e)
		}
	}
}

// takeApart reads a certificate, RFC 5280, section 4.1.
func takeApart(der []byte) (p parts, extensions []extension, err error) {
	cert, err := elements(der, 1)
	if err != nil {
		return p, nil, err
	}
	whole, err := elements(cert[0].Bytes, 3)
	if err != nil {
		return p, nil, err
	}
	fields, err := elements(whole[0].Bytes, 6)
	if err != nil {
		return p, nil, err
	}
	if explicit(fields[0], 0) {
		p.version, fields = fields[0].FullBytes, fields[1:]
	}
	if len(fields) < 6 {
		return p, nil, fmt.Errorf("%d fields", len(fields))
	}
	validity, err := elements(fields[3].Bytes, 2)
	if err != nil {
		return p, nil, err
	}
	p.serial, p.subject = fields[0].FullBytes, fields[4].FullBytes
	p.notBefore, p.notAfter = validity[0].FullBytes, validity[1].FullBytes
	if last := fields[len(fields)-1]; explicit(last, 3) {
		extensions, err = readExtensions(last.Bytes)
	}
	return p, extensions, err
}

func readExtensions(der []byte) (list []extension, err error) {
	sequence, err := elements(der, 1)
	if err != nil {
		return nil, err
	}
	all, err := elements(sequence[0].Bytes, 0)
	if err != nil {
		return nil, err
	}
	for _, one := range all {
		e, err := elements(one.Bytes, 2)
		if err != nil {
			return nil, err
		}
		value := e[len(e)-1]
		critical := len(e) > 2 && len(e[1].Bytes) == 1 && e[1].Bytes[0] != 0
		list = append(list, extension{string(e[0].FullBytes), critical, value.Bytes})
	}
	return list, nil
}

// elements reads elements of DER that follow one another, at least so many.
func elements(der []byte, least int) (list []asn1.RawValue, err error) {
	for len(der) > 0 {
		var v asn1.RawValue
		if der, err = asn1.Unmarshal(der, &v); err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	if len(list) < least {
		return nil, fmt.Errorf("%d elements", len(list))
	}
	return list, nil
}

// explicit reports whether an element has an explicit tag.
func explicit(v asn1.RawValue, tag int) bool {
	return v.Class == asn1.ClassContextSpecific && v.Tag == tag
}
