package llvmir

import (
	"path"
	"strconv"
)

// metadata holds the nodes of debug information, by number. Other nodes are dropped.
type metadata map[string]node

// node holds the fields that lead from an instruction to a line: line, scope, file, filename,
// inlinedAt.
type node struct {
	kind   string
	fields map[string]string
}

// metadataNode reads !5 = [distinct] !DILocation(line: 5, scope: !9), or drops another node.
func (p *parser) metadataNode() error {
	name := p.next().text
	if !p.mark("=") {
		p.restOfLine()
		return nil
	}
	p.mark("distinct")
	if p.tok.kind != metaToken || p.tok.text == "" || digit(p.tok.text[0]) < 10 {
		p.restOfLine()
		return nil
	}
	n := node{kind: p.next().text, fields: map[string]string{}}
	if err := p.expect("("); err != nil {
		return err
	}
	for !p.mark(")") {
		key := p.next()
		if key.kind == endToken {
			return p.errorf("the node !%s does not end", name)
		}
		if !p.mark(":") { // a field without a name, as in DIExpression
			continue
		}
		value := p.next()
		switch key.text {
		case "line", "scope", "file", "filename":
			n.fields[key.text] = value.text
		}
		for p.tok.kind != endToken && !(p.tok.kind == markToken && (p.tok.text == "," || p.tok.text == ")")) {
			if p.tok.kind == markToken && (p.tok.text == "(" || p.tok.text == "{") {
				if err := p.group(); err != nil {
					return err
				}
				continue
			}
			p.advance() // flags: A | B
		}
		p.mark(",")
	}
	p.meta[name] = n
	return nil
}

// place returns the line of a location or subprogram, without the directory of the compilation.
func (m metadata) place(name string) SourceLine {
	n, ok := m[name]
	if !ok {
		return SourceLine{}
	}
	line, _ := strconv.Atoi(n.fields["line"])
	for range 100 { // scopes may not be nested without end
		if f, ok := m[n.fields["file"]]; ok && f.fields["filename"] != "" {
			return SourceLine{path.Clean(f.fields["filename"]), line}
		}
		if n, ok = m[n.fields["scope"]]; !ok {
			break
		}
	}
	return SourceLine{"", line}
}
