package llvmir

import (
	"path"
	"strconv"
)

// metadata holds the nodes of debug information, by number. Other nodes are dropped.
type metadata map[string]node

// node holds the fields that lead from an instruction to a line: line, scope, file, filename,
// inlinedAt.
type node map[string]string

// metadataNode reads !5 = [distinct] !DILocation(line: 5, scope: !9), or drops another node.
func (p *parser) metadataNode() {
	name := p.next().text
	if !p.mark("=") {
		p.restOfLine()
		return
	}
	p.mark("distinct")
	if p.tok.kind != metaToken || p.tok.text == "" || digit(p.tok.text[0]) < 10 {
		p.restOfLine()
		return
	}
	p.advance()
	n := node{}
	p.expect("(")
	for !p.mark(")") {
		key := p.next()
		if key.kind == endToken {
			panic(p.errorf("the node !%s does not end", name))
		}
		if !p.mark(":") { // a field without a name, as in DIExpression
			continue
		}
		value := p.next()
		switch key.text {
		case "line", "scope", "file", "filename":
			n[key.text] = value.text
		}
		for p.tok.kind != endToken && !(p.tok.kind == markToken && (p.tok.text == "," || p.tok.text == ")")) {
			if p.tok.kind == markToken && (p.tok.text == "(" || p.tok.text == "{") {
				p.group()
				continue
			}
			p.advance() // flags: A | B
		}
		p.mark(",")
	}
	p.meta[name] = n
}

// place returns the line of a location or subprogram, without the directory of the compilation.
func (m metadata) place(name string) SourceLine {
	n, ok := m[name]
	if !ok {
		return SourceLine{}
	}
	line, _ := strconv.Atoi(n["line"])
	for range 100 { // scopes may not be nested without end
		if f, ok := m[n["file"]]; ok && f["filename"] != "" {
			return SourceLine{path.Clean(f["filename"]), line}
		}
		if n, ok = m[n["scope"]]; !ok {
			break
		}
	}
	return SourceLine{"", line}
}
