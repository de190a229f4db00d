// Package maven reads documents of one type strictly and validates them.
package maven

import (
	stdxml "encoding/xml"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"behaviour/xml"
)

// project is a part of Maven's model (POM 4.0.0).
type project struct {
	XMLName              stdxml.Name   `xml:"project"`
	ModelVersion         string        `xml:"modelVersion"`
	Parent               *coordinates  `xml:"parent"`
	GroupID              string        `xml:"groupId"`
	ArtifactID           string        `xml:"artifactId"`
	Version              string        `xml:"version"`
	Packaging            string        `xml:"packaging"`
	Name                 string        `xml:"name"`
	Modules              *modules      `xml:"modules"`
	Dependencies         *dependencies `xml:"dependencies"`
	DependencyManagement *management   `xml:"dependencyManagement"`
	Build                *build        `xml:"build"`
	xml.Rest
}

type coordinates struct {
	GroupID      string `xml:"groupId"`
	ArtifactID   string `xml:"artifactId"`
	Version      string `xml:"version"`
	RelativePath string `xml:"relativePath"`
	xml.Rest
}

type modules struct {
	Module []string `xml:"module"`
	xml.Rest
}

type dependencies struct {
	Dependency []dependency `xml:"dependency"`
	xml.Rest
}

type management struct {
	Dependencies *dependencies `xml:"dependencies"`
	xml.Rest
}

type dependency struct {
	GroupID    string `xml:"groupId"`
	ArtifactID string `xml:"artifactId"`
	Version    string `xml:"version"`
	Scope      string `xml:"scope"`
	Type       string `xml:"type"`
	Optional   *bool  `xml:"optional"`
	xml.Rest
}

type build struct {
	Directory string   `xml:"directory"`
	FinalName string   `xml:"finalName"`
	Plugins   *plugins `xml:"plugins"`
	xml.Rest
}

type plugins struct {
	Plugin []plugin `xml:"plugin"`
	xml.Rest
}

type plugin struct {
	GroupID    string      `xml:"groupId"`
	ArtifactID string      `xml:"artifactId"`
	Version    string      `xml:"version"`
	Inherited  *bool       `xml:"inherited"`
	Executions *executions `xml:"executions"`
	xml.Rest
}

type executions struct {
	Execution []execution `xml:"execution"`
	xml.Rest
}

type execution struct {
	ID       string `xml:"id"`
	Phase    string `xml:"phase"`
	Priority *int   `xml:"priority"`
	xml.Rest
}

var identifier = regexp.MustCompile(`^[A-Za-z0-9_.-]+$`)

// accept reads a model strictly and validates it.
func accept(source string) error {
	var p project
	if err := xml.Strict(source, &p); err != nil {
		return err
	}
	if p.ModelVersion != "" && p.ModelVersion != "4.0.0" {
		return fmt.Errorf("model version %s", p.ModelVersion)
	}
	switch p.Packaging {
	case "", "jar", "war", "ear", "maven-plugin":
	case "pom":
		if p.Modules != nil && len(p.Modules.Module) == 0 {
			return errors.New("no module")
		}
	default:
		return fmt.Errorf("packaging %s", p.Packaging)
	}
	if p.Modules != nil && p.Packaging != "pom" {
		return errors.New("modules of what is no pom")
	}
	if p.Parent != nil {
		for _, id := range []string{p.Parent.GroupID, p.Parent.ArtifactID, p.Parent.Version} {
			if !identifier.MatchString(strings.TrimSpace(id)) {
				return fmt.Errorf("parent %q", id)
			}
		}
	}
	all := p.Dependencies
	for range 2 {
		if all != nil {
			seen := map[string]bool{}
			for _, d := range all.Dependency {
				if err := d.check(seen); err != nil {
					return err
				}
			}
		}
		if p.DependencyManagement == nil {
			break
		}
		all = p.DependencyManagement.Dependencies
	}
	return p.Build.check()
}

func (d *dependency) check(seen map[string]bool) error {
	key := d.GroupID + ":" + d.ArtifactID + ":" + d.Type
	switch {
	case d.GroupID != "" && !identifier.MatchString(d.GroupID):
		return fmt.Errorf("group %q", d.GroupID)
	case d.ArtifactID != "" && !identifier.MatchString(d.ArtifactID):
		return fmt.Errorf("artifact %q", d.ArtifactID)
	case seen[key]:
		return fmt.Errorf("%s twice", key)
	}
	seen[key] = true
	switch d.Scope {
	case "", "compile", "provided", "runtime", "test", "import":
		return nil
	case "system":
		return errors.New("a system dependency without a path")
	}
	return fmt.Errorf("scope %q", d.Scope)
}

func (b *build) check() error {
	if b == nil || b.Plugins == nil {
		return nil
	}
	for _, p := range b.Plugins.Plugin {
		if p.Executions == nil {
			continue
		}
		seen := map[string]bool{}
		for _, e := range p.Executions.Execution {
			if seen[e.ID] {
				return fmt.Errorf("execution %q twice", e.ID)
			}
			seen[e.ID] = true
			switch e.Phase {
			case "", "validate", "compile", "test", "package", "verify", "install", "deploy":
			default:
				return fmt.Errorf("phase %q", e.Phase)
			}
		}
	}
	return nil
}
