package clang

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"parallax/cmd/internal/base/exit"
)

// compile makes object files (-c).
func (w *wrapper) compile(ctx context.Context) (int, error) {
	c := w.command
	sources := slices.DeleteFunc(c.sources(), func(a argument) bool { return a.sourceKind() != compiled })
	fast := func() (int, error) {
		return w.exec(ctx, append(w.fastFlags(), argLine(c.args)...), os.Stdout, os.Stderr)
	}
	if len(sources) == 0 {
		return fast()
	}
	b := w.batch(sources)
	code, err := b.around(ctx, fast)
	if code != 0 || err != nil {
		return code, err
	}
	for _, s := range sources {
		if err := w.load(s, b.built[s.value], b.missing[s.value], b.recipes[s.value]); err != nil {
			return 0, err
		}
	}
	return 0, nil
}

// fastFlags returns the fast variant's flags for a command that compiles. For others, clang would
// warn about them.
func (w *wrapper) fastFlags() []string {
	for _, s := range w.command.sources() {
		if s.sourceKind() == compiled {
			return append(append(append(Fast.compileFlags(), w.library.pathFlags(w.command)...), relativeFileMacro()...), "-idirafter", w.library.include)
		}
	}
	return nil
}

// load puts the variants of a source into its object file.
func (w *wrapper) load(source argument, built map[Variant][]byte, missing map[Variant]string, recipe []byte) error {
	name := w.objectName(source)
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return nil // /dev/null
	}
	object, err := os.ReadFile(name)
	if err != nil {
		return exit.Infra("%w", err)
	}
	if elfType(object) != elfRelocatable {
		return nil // bitcode
	}
	loaded, err := carrying(object, built, missing, recipe)
	if err != nil {
		return exit.Infra("%s: %w", name, err)
	}
	if err := replace(name, loaded, info.Mode().Perm()); err != nil {
		return exit.Infra("%w", err)
	}
	return nil
}

// objectName returns the object file of a source.
func (w *wrapper) objectName(source argument) string {
	if w.command.output != "" {
		return w.command.output
	}
	base := filepath.Base(source.value)
	return strings.TrimSuffix(base, filepath.Ext(base)) + ".o"
}

// A batch compiles the other variants of sources, or prepares a later compilation.
type batch struct {
	w       *wrapper
	sources []argument
	want    []Variant
	later   bool

	mu      sync.Mutex
	built   map[string]map[Variant][]byte // or tickets
	missing map[string]map[Variant]string
	recipes map[string][]byte
	n       int
}

func (w *wrapper) batch(sources []argument) *batch {
	b := &batch{w: w, sources: sources, later: w.later && !w.command.partial && w.command.defers(),
		built: map[string]map[Variant][]byte{}, missing: map[string]map[Variant]string{}, recipes: map[string][]byte{}}
	for _, s := range sources {
		b.built[s.value], b.missing[s.value] = map[Variant][]byte{}, map[Variant]string{}
	}
	if w.probe {
		return b
	}
	for _, v := range w.variants {
		if why := w.excludes(v); why != "" {
			for _, s := range sources {
				b.missing[s.value][v] = why
			}
			continue
		}
		b.want = append(b.want, v)
	}
	return b
}

// excludes returns the reason why the user's options exclude a variant, or "".
func (w *wrapper) excludes(v Variant) string {
	if v == Sanitize && w.command.sanitizer != "" {
		return "the program itself is built with -fsanitize=" + w.command.sanitizer
	}
	return ""
}

// around runs fast, which the user sees, and compiles the variants: concurrently, or before it if
// the build runs several compilers already. An object file without its variants then exists only
// for a moment. Invalid sources fail fast, and the variants are not waited for.
func (b *batch) around(ctx context.Context, fast func() (int, error)) (int, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	jobs := b.jobs()
	if parallelMake() {
		done := 0
		for _, job := range jobs {
			if done++; !job(ctx) {
				break
			}
		}
		code, err := fast()
		if code != 0 || err != nil {
			return code, err
		}
		for _, job := range jobs[done:] {
			job(ctx)
		}
	} else {
		var wait sync.WaitGroup
		for _, job := range jobs {
			wait.Go(func() { job(ctx) })
		}
		code, err := fast()
		if code != 0 || err != nil {
			cancel()
			wait.Wait()
			return code, err
		}
		wait.Wait()
	}
	if b.w.signal.Load() != 0 {
		return 1, nil
	}
	for _, s := range b.sources {
		for _, v := range b.want {
			if why, ok := b.missing[s.value][v]; ok {
				b.w.report("%s has no %s variant: %s", s.value, v, why)
			}
		}
	}
	return 0, nil
}

// parallelMake reports whether make runs several compilers at once (-j).
func parallelMake() bool { return strings.Contains(os.Getenv("MAKEFLAGS"), "--jobserver-") }

// jobs returns the compilations besides the fast variant. Each reports whether it succeeded.
func (b *batch) jobs() (jobs []func(context.Context) bool) {
	if b.later && len(b.want) > 0 {
		return append(jobs, b.postpone)
	}
	for _, v := range b.want {
		jobs = append(jobs, func(ctx context.Context) bool { return b.all(ctx, v) })
	}
	return jobs
}

// postpone makes the recipes of sources, and compiles those that have none.
func (b *batch) postpone(ctx context.Context) bool {
	good := true
	for _, s := range b.sources {
		recipe, why, err := b.w.preprocess(ctx, s, b.want)
		if err == nil && why == "" {
			b.recipes[s.value] = recipe
			for _, v := range b.want {
				b.built[s.value][v] = ticket(recipe)
			}
			continue
		}
		for _, v := range b.want {
			good = b.add(ctx, s, v) && good
		}
	}
	return good
}

// all compiles a variant of all sources, and reports whether all succeeded.
func (b *batch) all(ctx context.Context, v Variant) bool {
	good := true
	for _, s := range b.sources {
		good = b.add(ctx, s, v) && good
	}
	return good
}

func (b *batch) add(ctx context.Context, s argument, v Variant) bool {
	object, why := b.compileOne(ctx, s, v)
	b.mu.Lock()
	defer b.mu.Unlock()
	if why != "" {
		b.missing[s.value][v] = why
		return false
	}
	b.built[s.value][v] = object
	return true
}

func (b *batch) compileOne(ctx context.Context, s argument, v Variant) (object []byte, why string) {
	b.mu.Lock()
	b.n++
	name := filepath.Join(b.w.temp, fmt.Sprintf("%d-%s.o", b.n, v))
	b.mu.Unlock()
	why, err := b.w.quietly(ctx, b.w.variantArgs(s, v, name))
	if err == nil && why == "" {
		object, err = os.ReadFile(name)
		os.Remove(name)
	}
	if err != nil {
		why = err.Error()
	}
	return object, why
}

// variantArgs returns the arguments that compile one source to a variant's object. They are the
// user's without those that name files, which the fast variant writes, and without warnings, which
// the user has seen.
func (w *wrapper) variantArgs(s argument, v Variant, object string) []string {
	args := append(append(v.compileFlags(), relativeFileMacro()...), "-idirafter", w.library.include)
	args = append(args, compileOnly(w.command.args)...)
	if v == Sanitize {
		// its checks would take the place of the sanitizer's
		args = append(args, "-U_FORTIFY_SOURCE")
	}
	args = append(args, "-w", "-Qunused-arguments", "-c", "-o", object)
	if s.language != "" {
		args = append(args, "-x", s.language)
	}
	return append(args, s.value)
}

// compileOnly returns the words of the options that affect the compilation of each of the command's
// sources.
func compileOnly(args []argument) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a.kind != argOption && a.kind != argFolder, a.words[0] == "-v", a.words[0] == "--verbose":
			continue
		case a.words[0] == "-Xclang" && a.value == "-include-pch":
			// Precompiled headers belong to the options that they were compiled with. CMake
			// includes the header itself too.
			i++
			continue
		case a.words[0] == "-include-pch":
			continue
		case a.words[0] == "-include" && precompiled(a.value):
			out = append(out, "-Xclang", "-include", "-Xclang", a.value) // the header itself
			continue
		case strings.HasPrefix(a.words[0], "-Wp,"):
			if word := withoutDepends(a.words[0]); word != "" {
				out = append(out, word)
			}
			continue
		}
		out = append(out, a.words...)
	}
	return out
}

// precompiled reports whether clang would use a precompiled header instead of a header.
func precompiled(header string) bool {
	for _, ext := range []string{".pch", ".gch"} {
		if _, err := os.Stat(header + ext); err == nil {
			return true
		}
	}
	return false
}

// withoutDepends takes the rules for make out of -Wp,-MD,FILE,...
func withoutDepends(word string) string {
	parts := strings.Split(strings.TrimPrefix(word, "-Wp,"), ",")
	var keep []string
	for i := 0; i < len(parts); i++ {
		switch parts[i] {
		case "-MD", "-MMD", "-MF", "-MT", "-MQ":
			i++
		case "-MP", "-MG":
		default:
			keep = append(keep, parts[i])
		}
	}
	if len(keep) == 0 {
		return ""
	}
	return "-Wp," + strings.Join(keep, ",")
}
