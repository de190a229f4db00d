//parallax:generator

package maven

import (
	"testing"

	"behaviour/xml"
	"parallax/gen"
)

var document = xml.Document(xml.Hints{
	Root: "project",
	Elements: []string{"modelVersion", "parent", "groupId", "artifactId", "version", "relativePath", "packaging", "name", "modules", "module",
		"dependencies", "dependency", "scope", "type", "optional", "dependencyManagement", "build", "directory", "finalName", "plugins", "plugin",
		"inherited", "executions", "execution", "id", "phase", "priority"},
	Attributes: []string{"xmlns", "combine.children"},
	Texts: []string{"4.0.0", "jar", "war", "pom", "maven-plugin", "compile", "provided", "runtime", "test", "import", "system", "true", "false", "1.0",
		"1.2-SNAPSHOT", "com.example", "a", "b", "package", "install", "validate", "1", "-7", "${project.version}"},
})

func FuzzGenerated(f *testing.F) {
	gen.Fuzz(f, func(t *gen.T) { t.Valid(accept(document.Draw(t, "document"))) })
}

func FuzzBytes(f *testing.F) {
	f.Add("<project><modelVersion>4.0.0</modelVersion><dependencies><dependency><groupId>a</groupId></dependency></dependencies></project>")
	f.Fuzz(func(t *testing.T, source string) {
		if accept(source) != nil {
			t.Skip()
		}
	})
}
