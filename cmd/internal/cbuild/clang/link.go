package clang

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/base/exit"
)

// link compiles the sources and links the program, and its variants if it is a harness.
func (w *wrapper) link(ctx context.Context) (int, error) {
	c := w.command
	args := w.fastFlags()
	if len(args) > 0 && !c.sanitized {
		// Coverage alone makes clang link a runtime of the sanitizers, which has functions of the
		// same names as ours.
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

// product returns the output file of the link.
func (w *wrapper) product() string {
	if w.command.output != "" {
		return w.command.output
	}
	return "a.out"
}

// runtime returns the words that link the runtime, at the end: its main function is used only if
// there is no other. Programs report to it the counters of shared libraries, including those loaded
// later.
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

// entry is the function of a harness that parallax calls.
const entry = "LLVMFuzzerTestOneInput"

// findEntry makes the linker search for the entry point from the start, so that it is found in a
// library.
const findEntry = "-Wl,-u," + entry

func (w *wrapper) linkFast(ctx context.Context, args []string) (int, error) {
	asked := w.command.harness && !w.command.shared && !w.command.partial
	if asked {
		args = append([]string{findEntry}, args...)
	}
	var out, said bytes.Buffer
	code, err := w.exec(ctx, args, &out, &said)
	if code != 0 && err == nil && !asked && strings.Contains(said.String(), entry) && w.stdin == nil {
		// With libFuzzer, the entry point may be in an archive, since libFuzzer precedes it.
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

// A harnessMark is the section of programs with parallax's main function.
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
	if err := w.linkVariants(ctx, name, program, n); err != nil || w.signal.Load() != 0 {
		return 1, err
	}
	noted, err := n.embed(program)
	if err == nil {
		err = replace(name, noted, info.Mode().Perm())
	}
	if err != nil {
		return 0, exit.Infra("writing the note of %s: %w", name, err)
	}
	return 0, nil
}

// linkVariants links the variants of a harness into its folder, or writes the kit for a later link.
// It records them in the note, or the reason why there is none.
func (w *wrapper) linkVariants(ctx context.Context, name string, program []byte, n *note) error {
	folder := variantFolder(name)
	set, b, err := w.gather(ctx)
	if err != nil || w.signal.Load() != 0 {
		return err
	}
	n.Plain, n.Shared = set.plain, set.shared
	if err := clearFolder(folder); err != nil {
		return exit.Infra("%w", err)
	}
	var want []Variant
	for _, v := range Variants[1:] {
		why := "PARALLAX_BUILDS leaves it out"
		if slices.Contains(w.variants, v) {
			if why = w.forbids(v); why == "" {
				why = set.lacks(v, b)
			}
			if why == "" {
				want = append(want, v)
				continue
			}
			w.report("%s has no %s variant: %s", name, v, why)
		}
		n.Missing[v] = why
	}
	if len(want) > 0 {
		later := w.later && !set.reads()
		k, err := set.kit(ctx, b, want, later)
		if err != nil {
			return err
		}
		k.Points = points(program)
		if later {
			err = n.postpone(k, folder, want)
		} else {
			err = w.linkNow(ctx, k, name, want, n)
		}
		if err != nil || w.signal.Load() != 0 {
			return err
		}
	}
	os.Remove(folder) // if it is empty
	return nil
}

// gather reads the inputs of the link, and compiles its sources.
func (w *wrapper) gather(ctx context.Context) (*linkSet, *batch, error) {
	set := newLinkSet(w)
	b := w.batch(slices.DeleteFunc(w.command.sources(), func(a argument) bool { return a.sourceKind() != compiled }))
	_, err := b.around(ctx, func() (int, error) { return 0, nil })
	if err == nil && w.signal.Load() == 0 {
		err = set.read()
	}
	return set, b, err
}

// forbids returns the reason why options of the link exclude a variant, or "".
func (w *wrapper) forbids(v Variant) string {
	if why := w.excludes(v); why != "" {
		return why
	}
	if v == Sanitize && w.command.static {
		return "AddressSanitizer does not work in programs that are linked with -static"
	}
	return ""
}

// linkNow links the variants of a harness into its folder.
func (w *wrapper) linkNow(ctx context.Context, k *kit, name string, want []Variant, n *note) error {
	for _, v := range want {
		program, why, err := newMaker(w, k, v, w.jobs()).link(ctx, w.report)
		if err != nil {
			return exit.Infra("linking the %s variant of %s: %w", v, name, err)
		}
		path := filepath.Join(variantFolder(name), string(v))
		if why == "" {
			if program, err = (&note{Variant: v}).embed(program); err == nil {
				err = replace(path, program, 0o755)
			}
			if err != nil {
				return exit.Infra("writing the %s variant: %w", v, err)
			}
		} else if w.signal.Load() == 0 {
			w.report("%s has no %s variant: %s", name, v, why)
		}
		if err := n.add(v, path, why); err != nil {
			return err
		}
	}
	return nil
}

// linkPartial makes the variants of an object file that is linked from others (-r). If all of these
// have recipes, the linker has joined their sections already, and nothing is done.
func (w *wrapper) linkPartial(ctx context.Context) (int, error) {
	name := w.product()
	info, err := os.Stat(name)
	if err != nil || !info.Mode().IsRegular() {
		return 0, nil
	}
	set, b, err := w.gather(ctx)
	if err != nil {
		return 0, err
	}
	if len(b.sources) == 0 && !set.instrumented || len(w.command.sources()) == 0 && set.later && set.joins() {
		return 0, nil
	}
	built, missing := map[Variant][]byte{}, map[Variant]string{}
	for _, v := range w.variants {
		why := w.excludes(v)
		if why == "" {
			why = set.lacks(v, b)
		}
		if why == "" {
			built[v], why, err = w.linkPart(ctx, set, b, v)
		}
		if err != nil {
			return 0, exit.Infra("linking the %s variant of %s: %w", v, name, err)
		}
		if why != "" {
			delete(built, v)
			missing[v] = why
			w.report("%s has no %s variant: %s", name, v, why)
		}
	}
	object, err := os.ReadFile(name)
	if err == nil {
		object, err = carrying(object, built, missing, nil)
	}
	if err == nil {
		err = replace(name, object, info.Mode().Perm())
	}
	if err != nil {
		return 0, exit.Infra("%s: %w", name, err)
	}
	return 0, nil
}

// linkPart links a variant of an object file.
func (w *wrapper) linkPart(ctx context.Context, set *linkSet, b *batch, v Variant) (object []byte, why string, err error) {
	k, err := set.kit(ctx, b, []Variant{v}, false)
	if err != nil {
		return nil, "", err
	}
	m := newMaker(w, k, v, w.jobs())
	inputs, why, err := m.inputs(ctx)
	if err != nil || why != "" {
		return nil, why, err
	}
	m.reportFailed(w.report)
	temp := filepath.Join(w.temp, "linked-"+string(v))
	if why, err = w.quietly(ctx, append(append([]string{"-Qunused-arguments"}, inputs...), "-o", temp)); err != nil || why != "" {
		return nil, why, err
	}
	object, err = os.ReadFile(temp)
	return object, "", err
}
