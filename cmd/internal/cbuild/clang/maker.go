package clang

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"parallax/cmd/internal/base/exit"
)

// A maker makes a variant of a program from its kit.
type maker struct {
	w    *wrapper // runs clang as the link did, in its folder if that is still there
	k    *kit
	v    Variant
	jobs int // how many compilers run at once

	objects map[string]string // files, by the digests of the recipes that made them
	failed  map[string]string // why those could not be made that the variant does without
	n       int
}

func newMaker(w *wrapper, k *kit, v Variant, jobs int) *maker {
	return &maker{w: w, k: k, v: v, jobs: jobs, objects: map[string]string{}, failed: map[string]string{}}
}

// inputs returns the arguments of the link with the variant's files, or the reason why there are
// none.
func (m *maker) inputs(ctx context.Context) (args []string, why string, err error) {
	if why, err = m.buildRecipes(ctx); err != nil || why != "" {
		return nil, why, err
	}
	files := make([]string, len(m.k.Inputs))
	for i := range files {
		if files[i], err = m.file(ctx, &m.k.Inputs[i]); err != nil {
			return nil, "", err
		}
	}
	for _, word := range m.k.Args {
		if digits, ok := strings.CutPrefix(word, "\x01"); ok {
			i, err := strconv.Atoi(digits)
			if err != nil || i < 0 || i >= len(files) {
				return nil, "", errPacked
			}
			word = files[i]
		}
		args = append(args, word)
	}
	return args, "", nil
}

// buildRecipes makes the objects of recipes, several at a time. A source that does not compile with
// sanitizers is part of the sanitize variant without them, if another one compiles with them.
func (m *maker) buildRecipes(ctx context.Context) (why string, err error) {
	var todo []string
	for _, in := range m.k.Inputs {
		for _, member := range in.Members {
			for _, p := range member.Parts[m.v] {
				if p.Recipe != "" && !slices.Contains(todo, p.Recipe) {
					todo = append(todo, p.Recipe)
				}
			}
		}
	}
	whys, errs := make([]string, len(todo)), make([]error, len(todo))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	var wait sync.WaitGroup
	slots := make(chan struct{}, max(m.jobs, 1))
	for i, digest := range todo {
		object := filepath.Join(m.w.temp, fmt.Sprintf("recipe-%d", i), "object.o")
		m.objects[digest] = object
		wait.Go(func() {
			slots <- struct{}{}
			defer func() { <-slots }()
			if errs[i] = ctx.Err(); errs[i] == nil {
				whys[i], errs[i] = m.compile(ctx, m.k.blobs[m.k.Recipes[digest]], m.v, object)
			}
			if errs[i] != nil || whys[i] != "" && m.v != Sanitize {
				cancel()
			}
		})
	}
	wait.Wait()
	good := len(todo) == 0
	for i := range todo {
		if whys[i] != "" {
			m.failed[todo[i]] = whys[i]
			if why == "" {
				why = whys[i]
			}
		} else if errs[i] == nil {
			good = true
		}
	}
	for _, e := range errs { // the error that canceled the others precedes theirs
		if e != nil && (err == nil || err == context.Canceled) {
			err = e
		}
	}
	if why != "" && m.v != Sanitize {
		return why, nil
	}
	if err != nil {
		return "", err
	}
	if why != "" && !good {
		return why, nil
	}
	for i, digest := range todo {
		if whys[i] == "" {
			continue
		}
		if plain, err := m.compile(ctx, m.k.blobs[m.k.Recipes[digest]], Fast, m.objects[digest]); err != nil || plain != "" {
			return plain, err
		}
	}
	return "", nil
}

// compile makes a variant's object by a recipe, in a folder of its own.
func (m *maker) compile(ctx context.Context, data []byte, v Variant, object string) (why string, err error) {
	r, err := decodeRecipe(data)
	if err != nil {
		return "", err
	}
	w := *m.w.clone() // in the way of the compilation, which may differ from the link
	if why := r.untrusted(w.clang); why != "" {
		return why, nil
	}
	if w.compiler = r.Compiler; r.Clang != w.clang {
		if err := sameClang(r.Clang, r.Release); err != nil {
			return "", err
		}
		w.clang = r.Clang
	}
	w.dir = existing(r.Dir, w.temp)
	source, err := r.source(v)
	if err != nil {
		return err.Error(), nil
	}
	text := filepath.Join(filepath.Dir(object), r.base())
	if err := os.MkdirAll(filepath.Dir(object), 0o700); err != nil {
		return "", err
	}
	if err := os.WriteFile(text, source, 0o600); err != nil {
		return "", err
	}
	defer os.Remove(text)
	why, err = w.quietly(ctx, r.compile(v, text, object))
	if why != "" {
		why = r.Source + ": " + why
	}
	return why, err
}

// file writes the replacement of an input.
func (m *maker) file(ctx context.Context, in *kitInput) (string, error) {
	var members []member
	for _, one := range in.Members {
		data, err := m.object(ctx, &one)
		if err != nil {
			return "", err
		}
		members = append(members, member{one.Name, data})
	}
	data := members[0].data
	if in.Archive {
		var err error
		if data, err = writeArchive(members); err != nil {
			return "", err
		}
	}
	name := m.temp(in.Base)
	return name, os.WriteFile(name, data, 0o600)
}

func (m *maker) temp(base string) string {
	m.n++
	return filepath.Join(m.w.temp, fmt.Sprintf("%s-%d-%s", m.v, m.n, base))
}

func (m *maker) object(ctx context.Context, one *kitMember) ([]byte, error) {
	parts := one.Parts[m.v]
	if len(parts) == 0 {
		if one.Fast < 0 {
			return nil, errPacked
		}
		return m.k.blobs[one.Fast], nil
	}
	var names []string
	for i, p := range parts {
		if p.Recipe != "" {
			names = append(names, m.objects[p.Recipe])
			continue
		}
		if len(parts) == 1 {
			return m.k.blobs[p.Blob], nil
		}
		name := m.temp(fmt.Sprintf("part%d.o", i))
		if err := os.WriteFile(name, m.k.blobs[p.Blob], 0o600); err != nil {
			return nil, err
		}
		names = append(names, name)
	}
	if len(names) == 1 {
		return os.ReadFile(names[0])
	}
	merged := m.temp("merged.o") // for sections that ld -r has joined
	why, err := m.w.quietly(ctx, append([]string{"-nostdlib", "-r", "-o", merged}, names...))
	if err == nil && why != "" {
		err = fmt.Errorf("ld -r: %s", why)
	}
	if err != nil {
		return nil, err
	}
	return os.ReadFile(merged)
}

// link links the variant, and returns it or the reason why there is none. It reports notes
// for the user.
func (m *maker) link(ctx context.Context, tell func(string, ...any)) (program []byte, why string, err error) {
	inputs, why, err := m.inputs(ctx)
	if err != nil || why != "" {
		return nil, why, err
	}
	temp := filepath.Join(m.w.temp, "linked-"+string(m.v))
	args := append([]string{"-Qunused-arguments"}, m.v.linkFlags()...)
	if m.k.Harness {
		args = append(args, findEntry)
	}
	args = append(append(args, inputs...), m.w.runtime(m.v)...)
	var trace bytes.Buffer
	if why, err = m.w.into(ctx, append(args, "-Wl,--trace", "-o", temp), &trace); err != nil || why != "" {
		if m.v == Sanitize && strings.Contains(why, "libclang_rt") {
			why += ": install clang's runtime, for example with: apt-get install libclang-rt-19-dev"
		}
		return nil, why, err
	}
	strays, err := newLinkSet(m.w).strays(trace.String())
	switch {
	case err != nil:
		return nil, "", err
	case len(strays) > 0 && m.v == CmpLog:
		return nil, fmt.Sprintf("the linker found %s in a way that parallax does not follow: name it by its path", strays[0]), nil
	case len(strays) > 0:
		tell("the %s variant of %s has %s as it is for fuzzing, since the linker found it in a way that parallax does not follow: name it by its path", m.v, m.k.Product, strays[0])
	}
	m.reportFailed(tell)
	if program, err = os.ReadFile(temp); err != nil {
		return nil, "", exit.Infra("%w", err)
	}
	if m.v == CmpLog && points(program) != m.k.Points {
		return nil, "its counters are not those of the program: was a file that both use changed during the build?", nil
	}
	return program, "", nil
}

// reportFailed reports the sources that are in the variant without its instrumentation.
func (m *maker) reportFailed(tell func(string, ...any)) {
	for _, digest := range slices.Sorted(maps.Keys(m.failed)) {
		tell("%s: it is part of the %s variant without sanitizers", m.failed[digest], m.v)
	}
}

// points returns the size of a program's counter table. Variants with the same size have the same
// counters. The sizes could differ if a source changed between its compilations, or if a flag
// affects only one of them.
func points(program []byte) int {
	f, err := parseELF(program)
	if err != nil {
		return -1
	}
	table, _ := f.read(pointSection)
	return len(table)
}

// existing returns dir if it exists, and other otherwise.
func existing(dir, other string) string {
	if info, err := os.Stat(dir); err == nil && info.IsDir() {
		return dir
	}
	return other
}
