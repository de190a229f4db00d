package smt

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// commands maps the supported commands to functions that read their rest, without the closing
// parenthesis.
var commands = map[string]func(p *parser, s *Script, c Command){
	"set-logic":  (*parser).setLogic,
	"set-option": (*parser).set, "set-info": (*parser).set,
	"declare-const": (*parser).declare, "declare-fun": (*parser).declare, "declare-variable": (*parser).declare,
	"define-const": (*parser).define, "define-fun": (*parser).define,
	"assert":    (*parser).assert,
	"check-sat": (*parser).bare, "check-sat-assuming": (*parser).checkAssuming,
	"get-value": (*parser).getValue,
	"get-model": (*parser).get, "get-info": (*parser).get, "get-option": (*parser).get, "get-assertions": (*parser).get,
	"get-assignment": (*parser).get, "get-proof": (*parser).get, "get-unsat-core": (*parser).get, "get-unsat-assumptions": (*parser).get,
	"push": (*parser).pushPop, "pop": (*parser).pushPop,
	"reset": (*parser).reset, "reset-assertions": (*parser).resetAssertions,
	"echo": (*parser).echo,
	"exit": (*parser).bare,
}

// script reads commands up to the end or to (exit).
func (p *parser) script() *Script {
	s := &Script{}
	for p.tok.kind != endToken {
		open := p.tok
		p.expect(openToken, "a command, as (assert ...)")
		name := p.tok
		if name.kind != symbolToken {
			p.failAt(name.at, "expected the name of a command, as assert, not %s", name.describe())
		}
		read := commands[name.text]
		if read == nil {
			if theory := unsupported(name.text); theory != "" {
				p.unsupported(name.at, "%s are not supported (%s)", theory, name.text)
			}
			p.failAt(name.at, "%s is no command; expected one of assert, declare-const, declare-fun, define-fun, check-sat, push, pop, set-logic and the like", clip(name.text))
		}
		p.advance()
		read(p, s, Command{Position: p.position(open.at), Text: name.text})
		p.expect(closeToken, "the ) of "+name.text)
		if name.text == "exit" {
			break
		}
	}
	return s
}

// bare reads commands without a rest.
func (p *parser) bare(s *Script, c Command) {
	c.Kind = CheckSat
	if c.Text == "exit" {
		c.Kind = Exit
	}
	c.Text = ""
	s.Commands = append(s.Commands, c)
}

// get keeps the text of a get command.
func (p *parser) get(s *Script, c Command) {
	c.Kind, c.Text = Get, p.raw(c.Text)
	s.Commands = append(s.Commands, c)
}

func (p *parser) setLogic(s *Script, c Command) {
	c.Kind, c.Text = SetLogic, p.symbol("the name of a logic, as QF_BV or ALL")
	s.Logic = c.Text
	s.Commands = append(s.Commands, c)
}

// set keeps the text of an option or a piece of information.
func (p *parser) set(s *Script, c Command) {
	c.Kind = SetOption
	if c.Text == "set-info" {
		c.Kind = SetInfo
	}
	if p.tok.kind != keywordToken {
		p.fail("expected a keyword, as :status, not %s", p.tok.describe())
	}
	c.Text = p.raw("")
	s.Commands = append(s.Commands, c)
}

// raw returns the text of the rest of a command, with a prefix.
func (p *parser) raw(text string) string {
	start, end := p.tok.at, p.tok.at
	for depth := 0; depth > 0 || p.tok.kind != closeToken; p.advance() {
		switch p.tok.kind {
		case openToken:
			depth++
		case closeToken:
			depth--
		case endToken:
			p.fail("expected ), not the end of the script")
		}
		end = p.lex.at
	}
	rest := p.lex.text[start:end]
	if text != "" && rest != "" {
		text += " "
	}
	return text + rest
}

func (p *parser) declare(s *Script, c Command) {
	at := p.tok.at
	name := p.declared()
	var params []*Sort
	if c.Text == "declare-fun" {
		p.expect(openToken, "the sorts of the arguments in parentheses")
		for p.tok.kind != closeToken {
			params = append(params, p.sort())
		}
		p.advance()
	}
	result := p.sort()
	if len(params) == 0 {
		c.Kind, c.Term = DeclareConst, p.ctx.Const(name, result)
		p.bind(at, name, symbol{term: c.Term})
	} else {
		c.Kind, c.Func = DeclareFun, p.ctx.Func(name, params, result)
		p.bind(at, name, symbol{fn: c.Func})
	}
	c.Text = ""
	s.Commands = append(s.Commands, c)
}

// define keeps a definition as a macro.
func (p *parser) define(s *Script, c Command) {
	at := p.tok.at
	name := p.declared()
	m := &macro{name: name}
	mark := len(p.undo)
	if c.Text == "define-fun" {
		p.expect(openToken, "the arguments, as ((x Int))")
		var names []string
		for p.tok.kind == openToken {
			p.advance()
			param := p.symbol("the name of an argument")
			if slices.Contains(names, param) {
				p.fail("there are two arguments %s", clip(param))
			}
			names = append(names, param)
			sort := p.sort()
			p.expect(closeToken, "the ) of the argument")
			// A name that no script can write, so that no constant is taken for it.
			m.params = append(m.params, p.ctx.intern(Term{op: OpConst, sort: sort, name: fmt.Sprintf("|%d", len(m.params))}))
		}
		p.expect(closeToken, "another argument or )")
		for i, n := range names {
			p.shadow(n, symbol{term: m.params[i]})
		}
	}
	sort := p.sort()
	bodyAt := p.tok.at
	m.body = p.term()
	if m.body.sort != sort {
		p.failAt(bodyAt, "%s is said to be %v and its definition is %v", clip(name), sort, m.body.sort)
	}
	p.restore(mark)
	if len(m.params) == 0 {
		p.bind(at, name, symbol{term: m.body})
	} else {
		p.bind(at, name, symbol{macro: m})
	}
}

func (p *parser) assert(s *Script, c Command) {
	at := p.tok.at
	c.Kind, c.Text = Assert, ""
	c.Term = p.term()
	c.Name = p.named
	if c.Term.sort != Bool {
		p.failAt(at, "what is asserted is %v, and has to be Bool", c.Term.sort)
	}
	s.Commands = append(s.Commands, c)
}

func (p *parser) checkAssuming(s *Script, c Command) {
	c.Kind, c.Text = CheckAssuming, ""
	p.expect(openToken, "the assumptions in parentheses")
	for p.tok.kind != closeToken {
		at := p.tok.at
		t := p.term()
		if t.sort != Bool {
			p.failAt(at, "what is assumed is %v, and has to be Bool", t.sort)
		}
		c.Terms = append(c.Terms, t)
	}
	p.advance()
	s.Commands = append(s.Commands, c)
}

func (p *parser) getValue(s *Script, c Command) {
	c.Kind = Get
	p.expect(openToken, "the terms in parentheses")
	for p.tok.kind != closeToken {
		c.Terms = append(c.Terms, p.term())
	}
	p.advance()
	s.Commands = append(s.Commands, c)
}

// maxLevels bounds push, whose levels are counted out.
const maxLevels = 100_000

func (p *parser) pushPop(s *Script, c Command) {
	c.Kind, c.N = Push, 1
	if p.tok.kind == numeralToken {
		n, err := strconv.Atoi(p.tok.text)
		if err != nil || n > maxLevels {
			p.failAs(p.tok.at, ErrTooLarge, "more than %d levels", maxLevels)
		}
		c.N = n
		p.advance()
	}
	if c.Text == "push" {
		if len(p.levels)+c.N > maxLevels {
			p.failAs(p.tok.at, ErrTooLarge, "more than %d levels", maxLevels)
		}
		for range c.N {
			p.levels = append(p.levels, len(p.undo))
		}
	} else {
		c.Kind = Pop
		level := len(p.levels) - c.N
		if level < 0 {
			p.fail("pop %d, and only %s pushed", c.N, plural(len(p.levels), "level is", "levels are"))
		}
		if c.N > 0 {
			p.restore(p.levels[level])
			p.levels = p.levels[:level]
		}
	}
	c.Text = ""
	s.Commands = append(s.Commands, c)
}

func (p *parser) reset(s *Script, c Command) {
	p.restore(0)
	p.levels = nil
	c.Kind, c.Text = Reset, ""
	s.Commands = append(s.Commands, c)
}

// resetAssertions goes back to before the first push.
func (p *parser) resetAssertions(s *Script, c Command) {
	if len(p.levels) > 0 {
		p.restore(p.levels[0])
		p.levels = nil
	}
	c.Kind, c.Text = ResetAssertions, ""
	s.Commands = append(s.Commands, c)
}

func (p *parser) echo(s *Script, c Command) {
	if p.tok.kind != stringToken {
		p.fail("expected a string, not %s", p.tok.describe())
	}
	c.Kind, c.Text = Echo, strings.ToValidUTF8(p.tok.text, "?")
	p.advance()
	s.Commands = append(s.Commands, c)
}

// declared reads the name of a declaration or definition, which must not be a name of a theory.
func (p *parser) declared() string {
	tok := p.tok
	name := p.symbol("a name")
	if _, ok := opNames[name]; ok {
		p.failAt(tok.at, "%s is a function of SMT-LIB's theories and cannot be declared", name)
	}
	return name
}

// bind enters a name that push and pop know of.
func (p *parser) bind(at int, name string, s symbol) {
	if old, ok := p.scope[name]; ok && old != s {
		p.failAt(at, "%s is declared already", clip(name))
	}
	p.shadow(name, s)
}
