package bisect

import (
	"slices"

	"golang.org/x/mod/module"
	"golang.org/x/mod/semver"

	"parallax/cmd/internal/base/exit"
)

// Span is a range of a module's versions.
type Span struct {
	Module    string
	Listed    []string // all versions
	Retracted []string // the retracted ones
	From, To  string   // resolved; an empty From means the first
	Pre       bool     // include prereleases between the ends; the ends themselves may be prereleases
	Withdrawn bool     // include retracted versions between the ends
}

// Versions returns the versions of the span, oldest first, including both ends.
func (s Span) Versions() ([]string, error) {
	if s.From != "" {
		switch c := semver.Compare(s.From, s.To); {
		case s.From == s.To:
			return nil, exit.Usage("--since and --until are the same version of %s, %s", s.Module, s.To)
		case c > 0:
			return nil, exit.Usage("--since %s is later than --until %s: swap them", s.From, s.To)
		}
	}
	pre := s.Pre || prerelease(s.To) || prerelease(s.From)
	list := []string{s.To}
	if s.From != "" {
		list = append(list, s.From)
	}
	for _, v := range s.Listed {
		switch {
		case slices.Contains(list, v), semver.Compare(v, s.To) > 0, s.From != "" && semver.Compare(v, s.From) < 0:
		case !pre && prerelease(v), !s.Withdrawn && slices.Contains(s.Retracted, v):
		default:
			list = append(list, v)
		}
	}
	slices.SortStableFunc(list, semver.Compare)
	if len(list) == 1 {
		return nil, exit.Usage("%s has no version before %s%s", s.Module, s.To, s.otherVersions())
	}
	return list, nil
}

// otherVersions names the versions outside of the span.
func (s Span) otherVersions() string {
	for _, v := range s.Listed {
		switch {
		case semver.Compare(v, s.To) < 0 && prerelease(v):
			return " except prereleases: add --pre"
		case semver.Compare(v, s.To) < 0:
			return " except retracted ones: add --retracted"
		case semver.Compare(v, s.To) > 0:
			return ": to look at later ones, add --since " + s.To + " --until latest"
		}
	}
	return ""
}

// prerelease reports whether a version is a tagged prerelease. A pseudo-version sorts like one, but
// only occurs if the user named it.
func prerelease(version string) bool {
	return semver.Prerelease(version) != "" && !module.IsPseudoVersion(version)
}
