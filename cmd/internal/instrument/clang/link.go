package clang

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/exit"
)

// link compiles what is to be compiled and links the program, and its variants if it is a harness.
func (w *wrapper) link(ctx context.Context) (int, error) {
	c := w.command
	args := w.fastFlags()
	if len(args) > 0 && !c.sanitized {
		// Coverage alone makes clang link a runtime of the sanitizers, which has functions of the same names as ours.
		args = append(args, "-fno-sanitize-link-runtime")
	}
	if !c.partial && !c.shared {
		args = append(args, Fast.linkFlags()...)
	}
	if code, err := w.linkFast(ctx, append(append(args, argLine(c.args)...), w.runtime(Fast)...)); code != 0 || err != nil {
		return code, err
	}
	if w.probe || c.shared {
		return 0, nil
	}
	if c.partial {
		return w.linkPartial(ctx)
	}
	return w.linkHarness(ctx)
}

// product is the file that the link makes.
func (w *wrapper) product() string {
	if w.command.output != "" {
		return w.command.output
	}
	return "a.out"
}

// runtime are the words that link the runtime in, at the end: its main function is taken only if there is no other. Programs
// show shared libraries where counters are announced, also those that they load later.
func (w *wrapper) runtime(v Variant) []string {
	switch c := w.command; {
	case c.partial:
		return nil
	case c.shared:
		return []string{"-Xlinker", w.library.stubs()}
	case c.static:
		return []string{"-Xlinker", w.library.archive(v)}
	}
	return []string{"-Xlinker", w.library.archive(v), "-Wl,--export-dynamic-symbol=__sanitizer_cov_*_init,--export-dynamic-symbol=plx_path_init,--export-dynamic-symbol=plx_gone"}
}

// entry is what parallax calls in a harness.
const entry = "LLVMFuzzerTestOneInput"

// findEntry makes the linker look for the entry point from the beginning, so that it is found in a library.
const findEntry = "-Wl,-u," + entry

func (w *wrapper) linkFast(ctx context.Context, args []string) (int, error) {
	asked := w.command.harness && !w.command.shared && !w.command.partial
	if asked {
		args = append([]string{findEntry}, args...)
	}
	var out, said bytes.Buffer
	code, err := w.exec(ctx, args, &out, &said)
	if code != 0 && err == nil && !asked && strings.Contains(said.String(), entry) && w.stdin == nil {
		// With libFuzzer the entry point may lie in an archive, because libFuzzer comes before it.
		var out2, said2 bytes.Buffer
		if code2, err2 := w.exec(ctx, append([]string{findEntry}, args...), &out2, &said2); code2 == 0 && err2 == nil {
			w.command.harness, code, out, said = true, 0, out2, said2
		}
	}
	_, _ = io.Copy(os.Stdout, &out)
	_, _ = os.Stderr.Write(said.Bytes())
	if code != 0 && err == nil {
		if text := advice(said.String()); text != "" {
			w.advise(text)
		}
	}
	return code, err
}

// A harnessMark is the section of programs that have parallax's main function.
const harnessMark = ".parallax.main"

// linkHarness links the variants of a program if it is a harness, and writes its note.
func (w *wrapper) linkHarness(ctx context.Context) (int, error) {
	name := w.product()
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return 0, nil
	}
	program, err := os.ReadFile(name)
	if err != nil {
		return 0, exit.Infra("%w", err)
	}
	f, err := parseELF(program)
	if err != nil || f.find(harnessMark) == 0 {
		return 0, nil
	}
	n, err := w.newNote()
	if err != nil {
		return 0, err
	}
	if err := w.linkVariants(ctx, name, f, n); err != nil || w.signal.Load() != 0 {
		return 1, err
	}
	noted, err := n.put(program)
	if err == nil {
		err = replace(name, noted, info.Mode().Perm())
	}
	if err != nil {
		return 0, exit.Infra("writing the note of %s: %w", name, err)
	}
	return 0, nil
}

// linkVariants links the variants of a harness into its folder, and notes them, or why there is none.
func (w *wrapper) linkVariants(ctx context.Context, name string, fast *elfFile, n *note) error {
	folder := variantFolder(name)
	set := newLinkSet(w)
	b := w.batch(slices.DeleteFunc(w.command.sources(), func(a argument) bool { return a.sourceKind() != compiled }))
	if _, err := b.around(ctx, func() (int, error) { return 0, nil }); err != nil {
		return err
	}
	if err := set.read(); err != nil {
		return err
	}
	n.Plain, n.Shared = set.plain, set.shared
	for _, v := range Variants[1:] {
		path := filepath.Join(folder, string(v))
		if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
			return exit.Infra("%w", err)
		}
		why := "PARALLAX_BUILDS leaves it out"
		if slices.Contains(w.variants, v) {
			var err error
			if why, err = w.linkVariant(ctx, set, b, v, path, fast); err != nil {
				return err
			}
			if why != "" && w.signal.Load() == 0 {
				w.tell("%s has no %s variant: %s", name, v, why)
			}
		}
		if err := n.add(v, path, why); err != nil {
			return err
		}
	}
	os.Remove(folder) // if it is empty
	return nil
}

// linkVariant links one variant to path, and returns why it could not.
func (w *wrapper) linkVariant(ctx context.Context, set *linkSet, b *batch, v Variant, path string, fast *elfFile) (why string, err error) {
	c := w.command
	if why = w.excludes(v); why != "" {
		return why, nil
	}
	if v == Sanitize && c.static {
		return "AddressSanitizer does not work in programs that are linked with -static", nil
	}
	inputs, why, err := set.variant(ctx, v, b)
	if err != nil || why != "" {
		return why, err
	}
	temp := filepath.Join(w.temp, "linked-"+string(v))
	args := append([]string{"-Qunused-arguments"}, v.linkFlags()...)
	if c.harness {
		args = append(args, findEntry)
	}
	args = append(append(args, inputs...), w.runtime(v)...)
	var trace bytes.Buffer
	if why, err = w.into(ctx, append(args, "-Wl,--trace", "-o", temp), &trace); err != nil || why != "" {
		if v == Sanitize && strings.Contains(why, "libclang_rt") {
			why += ": install clang's runtime, for example with: apt-get install libclang-rt-19-dev"
		}
		return why, err
	}
	strays, err := set.strays(trace.String())
	switch {
	case err != nil:
		return "", err
	case len(strays) > 0 && v == CmpLog:
		return fmt.Sprintf("the linker found %s in a way that parallax does not follow: name it by its path", strays[0]), nil
	case len(strays) > 0:
		w.tell("the %s variant of %s has %s as it is for fuzzing, since the linker found it in a way that parallax does not follow: name it by its path", v, w.product(), strays[0])
	}
	program, err := os.ReadFile(temp)
	if err != nil {
		return "", exit.Infra("%w", err)
	}
	if v == CmpLog && !sameCounters(fast, program) {
		return "its counters are not those of the program: was a file that both use changed during the build?", nil
	}
	if program, err = (&note{Variant: v}).put(program); err == nil {
		err = replace(path, program, 0o755)
	}
	if err != nil {
		return "", exit.Infra("writing the %s variant: %w", v, err)
	}
	os.Remove(temp)
	return "", nil
}

// sameCounters tells whether a program has as many counters as the fast variant: then they mean the same. They could differ if a source
// changed between its compilations, or where a compiler's flag acts on one of them only.
func sameCounters(fast *elfFile, program []byte) bool {
	f, err := parseELF(program)
	if err != nil {
		return false
	}
	one, _ := fast.read(pointSection)
	other, _ := f.read(pointSection)
	return len(one) == len(other)
}

// linkPartial makes the variants of an object file that is linked of others (-r).
func (w *wrapper) linkPartial(ctx context.Context) (int, error) {
	name := w.product()
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return 0, nil
	}
	set := newLinkSet(w)
	b := w.batch(slices.DeleteFunc(w.command.sources(), func(a argument) bool { return a.sourceKind() != compiled }))
	if _, err := b.around(ctx, func() (int, error) { return 0, nil }); err != nil {
		return 0, err
	}
	if err := set.read(); err != nil {
		return 0, err
	}
	if !set.instrumented && len(b.sources) == 0 {
		return 0, nil
	}
	built, missing := map[Variant][]byte{}, map[Variant]string{}
	for _, v := range w.variants {
		why := w.excludes(v)
		var inputs []string
		if why == "" {
			inputs, why, err = set.variant(ctx, v, b)
		}
		if err == nil && why == "" {
			temp := filepath.Join(w.temp, "linked-"+string(v))
			if why, err = w.quietly(ctx, append(append([]string{"-Qunused-arguments"}, inputs...), "-o", temp)); err == nil && why == "" {
				built[v], err = os.ReadFile(temp)
			}
		}
		if err != nil {
			return 0, err
		}
		if why != "" {
			missing[v] = why
			w.tell("%s has no %s variant: %s", name, v, why)
		}
	}
	object, err := os.ReadFile(name)
	if err == nil {
		object, err = carrying(object, built, missing)
	}
	if err == nil {
		err = replace(name, object, info.Mode().Perm())
	}
	if err != nil {
		return 0, exit.Infra("%s: %w", name, err)
	}
	return 0, nil
}
