package main

import "regexp"

// pair is a known difference between two released versions, from an advisory.
type pair struct {
	name       string // its folder in testdata has the call, the seeds and the witness
	advisory   string
	function   string // that the call reaches
	module     string // empty: the standard library, of the Go releases old and fixed
	old, fixed string // versions
	difference string
	known      known
}

// known says which inputs show the difference of the advisory. Other differences do not count.
type known struct {
	old, fixed string // outcomes; empty: any
	value      bool   // both accept, with different values
	input      string // regular expression
}

func (k known) matches(in []byte, old, fixed outcome) bool {
	switch {
	case k.old != "" && k.old != old.verdict, k.fixed != "" && k.fixed != fixed.verdict:
		return false
	case k.value && (old.verdict != "accepted" || fixed.verdict != "accepted" || old.value == fixed.value):
		return false
	}
	return regexp.MustCompile(k.input).Match(in)
}

// Outcomes that a pair may have.
const (
	accepted = "accepted"
	rejected = "rejected"
	crashed  = "crashed"
	timeout  = "timeout"
)

// pairs was written before anything was run on them but their witnesses and seeds (truth -check).
// The versions are those between which the source has the fix. Seeds are ordinary inputs, made for
// this list. None is from a test of the fixed version, and none shows a difference.
var pairs = []pair{
	{"html-solidus", "GO-2025-3595, CVE-2025-22872", "x/net/html.Tokenizer.Next", "golang.org/x/net", "v0.37.0", "v0.38.0",
		"A tag whose unquoted attribute value ends with a slash closes itself, and then does not.", known{value: true, input: `=[^<>"']*/>`}},
	{"httpproxy", "GO-2025-3503, CVE-2025-22870", "x/net/http/httpproxy.Config.ProxyFunc", "golang.org/x/net", "v0.35.0", "v0.36.0",
		"The zone of an IPv6 address matches a domain of NoProxy, and then does not.", known{value: true, input: `\[.*%25`}},
	{"html-doctype", "GO-2026-5029, CVE-2026-25681", "x/net/html.Render", "golang.org/x/net", "v0.54.0", "v0.55.0",
		"An identifier of a doctype with a greater-than sign is rendered as it is, and then escaped.", known{value: true, input: `(?i)<!doctype[^<>]*&`}},
	{"html-attributes", "GO-2026-5030, CVE-2026-27136", "x/net/html.Tokenizer.Next", "golang.org/x/net", "v0.54.0", "v0.55.0",
		"The second of two attributes with one name is kept, and then dropped.", known{value: true, input: `<`}},
	{"html-foreign", "GO-2026-5027, CVE-2026-42502", "x/net/html.Render", "golang.org/x/net", "v0.54.0", "v0.55.0",
		"Text of a style fostered into MathML or SVG is rendered as it is, and then escaped.", known{value: true, input: `(?is)<(math|svg).*<(iframe|noembed|noframes|noscript|plaintext|script|style|xmp)`}},
	{"html-endtag", "GO-2026-5025, CVE-2026-42506", "x/net/html.Parse", "golang.org/x/net", "v0.54.0", "v0.55.0",
		"An end tag in HTML inside of SVG or MathML ends an element of these, and then does not.", known{value: true, input: `(?is)<(math|svg).*</`}},
	{"dns", "GO-2026-5942, CVE-2026-46600", "x/net/dns/dnsmessage.Message.Unpack", "golang.org/x/net", "v0.55.0", "v0.56.0",
		"An SVCB or HTTPS parameter that is cut off panics, and then is rejected.", known{old: crashed, fixed: rejected}},
	{"html-loop", "GO-2026-4441, CVE-2025-58190", "x/net/html.Parse", "golang.org/x/net", "v0.44.0", "v0.45.0",
		"An end tag in a row of a table never ends, and then does.", known{old: timeout}},
	{"tiff-palette", "GO-2024-2937, CVE-2024-24792", "x/image/tiff.Decode", "golang.org/x/image", "v0.17.0", "v0.18.0",
		"An index outside of the palette panics, and then is rejected.", known{old: crashed, fixed: rejected}},
	{"bmp", "GO-2026-5031, CVE-2026-42500", "x/image/bmp.Decode", "golang.org/x/image", "v0.40.0", "v0.41.0",
		"An index outside of the palette panics, and then is rejected.", known{old: crashed, fixed: rejected}},
	{"agent-reply", "GO-2025-4116, CVE-2025-47913", "x/crypto/ssh/agent.client.List", "golang.org/x/crypto", "v0.42.0", "v0.43.0",
		"A reply of success to a request for keys panics, and then is rejected.", known{old: crashed, fixed: rejected}},
	{"norm", "GO-2026-5970, CVE-2026-56852", "x/text/unicode/norm.Iter.Next", "golang.org/x/text", "v0.38.0", "v0.39.0",
		"Some invalid UTF-8 never ends, and then does.", known{old: timeout}},
	{"protojson", "GO-2024-2611, CVE-2024-24786", "protojson.UnmarshalOptions.Unmarshal", "google.golang.org/protobuf", "v1.32.0", "v1.33.0",
		"Some invalid JSON in an unknown field never ends, and then is rejected.", known{old: timeout, fixed: rejected}},
	{"jsonparser", "GO-2026-4514, CVE-2026-32285", "jsonparser.Delete", "github.com/buger/jsonparser", "v1.1.1", "v1.1.2",
		"Some malformed JSON panics, and then is left as it is.", known{old: crashed, fixed: accepted}},
	{"ntlm", "GO-2026-5543, CVE-2026-32952", "ntlmssp.ProcessChallenge", "github.com/Azure/go-ntlmssp", "v0.1.0", "v0.1.1",
		"A field whose end overflows panics, and then is rejected.", known{old: crashed, fixed: rejected}},
	{"phone", "GO-2025-3987, CVE-2025-10954", "phonenumbers.Parse", "github.com/nyaruka/phonenumbers", "v1.2.1", "v1.2.2",
		"A phone-context that is not valid panics, and then is rejected.", known{old: crashed, fixed: rejected, input: `phone-context=`}},
	{"markdown", "GO-2024-3205, CVE-2024-44337", "markdown.ToHTML", "github.com/gomarkdown/markdown", "v0.0.0-20240723152757-afa4a469d4f9", "v0.0.0-20240729212818-a2a9c4f76ef5",
		"An empty definition list never ends, and then does.", known{old: timeout}},
	{"stun", "GO-2026-6163, CVE-2026-54909", "stun.XORMappedAddress.GetFrom", "github.com/pion/stun/v3", "v3.1.2", "v3.1.3",
		"An address that is cut off panics, and then is rejected. The advisory names v3.1.4 and v3.1.5.", known{old: crashed, fixed: rejected}},
	{"eventstream", "GO-2026-5764, GHSA-xmrv-pmrh-hhx2", "eventstream.Decoder.Decode", "github.com/aws/aws-sdk-go-v2/aws/protocol/eventstream", "v1.7.7", "v1.7.8",
		"A header of an unknown type panics, and then is rejected.", known{old: crashed, fixed: rejected}},
}

// candidates are pairs whose witnesses were not run yet. They are checked with -candidates, and
// measured once they are among the pairs. Each Go release has to compile its standard library.
var candidates = []pair{
	{"agent-constraint", "GO-2025-4135, CVE-2025-47914", "x/crypto/ssh/agent.ServeAgent", "golang.org/x/crypto", "v0.44.0", "v0.45.0",
		"A constraint that is cut off panics, and then is rejected.", known{old: crashed}},
	{"agent-key", "GO-2026-5033, CVE-2026-46598", "x/crypto/ssh/agent.ServeAgent", "golang.org/x/crypto", "v0.51.0", "v0.52.0",
		"A private key of another length panics, and then is rejected.", known{old: crashed}},
	{"mail", "GO-2024-2609, CVE-2024-24784", "net/mail.ParseAddressList", "", "1.22.0", "1.22.1",
		"A comment in a display name is part of the name, and then not.", known{value: true, input: `\(`}},
	{"netip", "GO-2024-2887, CVE-2024-24790", "net/netip.Addr.IsLoopback and others", "", "1.22.3", "1.22.4",
		"An IPv4 address in IPv6 form is no loopback or private address, and then is.", known{value: true, input: `(?i)ffff:`}},
	{"zip", "GO-2024-2888, CVE-2024-24789", "archive/zip.NewReader", "", "1.22.3", "1.22.4",
		"A last directory end with a truncated comment is passed over for an earlier one, and then rejected.", known{old: accepted, fixed: rejected, input: `(?s)PK\x05\x06.*PK\x05\x06`}},
	{"x509-zone", "GO-2025-3373, CVE-2024-45341", "crypto/x509.Certificate.Verify", "", "1.23.4", "1.23.5",
		"The zone of an IPv6 address in a URI matches a permitted domain, and then does not.", known{old: accepted, fixed: rejected, input: `\[.*%`}},
	{"chunked", "GO-2025-3563, CVE-2025-22871", "net/http.ReadRequest", "", "1.24.1", "1.24.2",
		"A line with a chunk's size may end with a bare LF, and then may not.", known{old: accepted, fixed: rejected, input: `(?i)chunked`}},
	{"url-brackets", "GO-2025-4010, CVE-2025-47912", "net/url.Parse", "", "1.25.1", "1.25.2",
		"Brackets of a host may have anything in them, and then an IPv6 address only.", known{old: accepted, fixed: rejected, input: `\[`}},
	{"x509-wildcard", "GO-2025-4175, CVE-2025-61727", "crypto/x509.Certificate.Verify", "", "1.25.4", "1.25.5",
		"An excluded subdomain does not exclude a wildcard name, and then does.", known{old: accepted, fixed: rejected, input: `^\*\.`}},
	{"url-host", "GO-2026-4601, CVE-2026-25679", "net/url.Parse", "", "1.26.0", "1.26.1",
		"Text may come before the bracket of an IPv6 host, and then may not.", known{old: accepted, fixed: rejected, input: `[^/@]\[`}},
	{"meta", "GO-2026-4603, CVE-2026-27142", "html/template.Template.Execute", "", "1.26.0", "1.26.1",
		"A URL in the content of a meta tag is not filtered by its scheme, and then is.", known{value: true, input: `^[^/?#:]*[^/?#:ps]:`}},
	{"x509-email", "GO-2026-4599, CVE-2026-27137", "crypto/x509.Certificate.Verify", "", "1.26.0", "1.26.1",
		"Of excluded addresses with one local part only the last counts, and then each.", known{old: accepted, fixed: rejected, input: `@`}},
}
