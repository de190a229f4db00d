package c

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"parallax/cmd/internal/cbuild/clang"
	"parallax/cmd/internal/finding/reproducer"
)

// reproducerMain is the name of the C main in a finding's folder.
const reproducerMain = "reproducer.c"

// WriteScript implements reproducer.Runner. It writes a C main and the lines that link it with the
// program's objects as the user's build did, and run it. The build with sanitizers shows findings
// that need it.
func (n *Variants) WriteScript(w *reproducer.Writer) error {
	w.Needs(reproducer.Needs{Dir: n.Dir, Folders: []string{n.build.Dir}})
	b := n.build
	w.File(reproducerMain, []byte(harnessMain))
	w.File("parallax.h", clang.Header())
	binary := "./program"
	if strings.Contains(w.Message, "Sanitizer: ") && n.Sanitize != "" {
		binary = w.Word(n.Sanitize)
		w.Prepare("build", n.makeSanitize(w.Word))
	} else {
		compiler := `"${CC:-clang-` + major(b.Clang) + `}"`
		if b.Compiler == "c++" {
			compiler = `"${CXX:-clang++-` + major(b.Clang) + `}"`
		}
		var words []string
		for _, a := range linkArgs(b.Link) {
			words = append(words, w.Word(a))
		}
		line := "cd " + w.Word(b.Dir) + " &&\n"
		if b.Compiler == "c++" { // the main is C
			line += `"${CC:-clang-` + major(b.Clang) + `}" -c "$here/` + reproducerMain + `" -o "$folder/main.o" &&` + "\n"
			line += compiler + ` -I "$here" ` + strings.Join(words, " ") + ` "$folder/main.o" -o "$folder/program"`
		} else {
			line += compiler + ` -I "$here" ` + strings.Join(words, " ") + ` "$here/` + reproducerMain + `" -o "$folder/program"`
		}
		w.Prepare("build", line)
	}
	line := ""
	if n.Dir != "" {
		line = w.Folder()
		binary = strings.Replace(binary, "./program", `"$folder/program"`, 1)
	}
	var args []string
	for _, a := range n.Args {
		args = append(args, w.Word(a))
	}
	w.Run(line + fmt.Sprintf(`timeout -s KILL %d %s%s "$input"`, w.Limit, w.Environ(n.Env), strings.Join(append([]string{binary}, args...), " ")))
	w.Printf(`[ "$verdict" = unable ] || answered || case $status:$(tail -n 1 "$box/err") in
137:*) verdict=timeout ;;
0:*': accepted') verdict=accepted ;;
1:*': rejected'*) verdict=rejected ;;
1:*': declined') verdict=declined ;;
*) verdict=crashed ;;
esac
`)
	if n.Declines {
		w.Printf("[ \"$verdict\" != declined ] || verdict=rejected\n")
	}
	w.Compare("value")
	return nil
}

// makeSanitize returns shell lines that make the build with sanitizers if it is missing. A removed
// link folder is made again by linking. A failure of another build is no reason to fail.
func (n *Variants) makeSanitize(quote func(string) string) string {
	b := n.build
	there := "[ -x " + quote(n.Sanitize) + " ]"
	var words []string
	for _, a := range b.Link {
		words = append(words, quote(a))
	}
	return "# It shows with sanitizers only: in a build that parallax makes of what parallax cc and c++ have compiled.\n" + there + " || {\n" +
		"[ -e " + quote(filepath.Join(filepath.Dir(n.Sanitize), "later")) + " ] ||\n" +
		"( cd " + quote(b.Dir) + " && parallax " + b.Compiler + " " + strings.Join(words, " ") + " )\n" +
		"parallax cc --make " + quote(n.Path) + "\n" + there + "; }"
}

func major(version string) string {
	m, _, _ := strings.Cut(version, ".")
	return m
}

// linkArgs returns a link's arguments without its output and without those for a fuzzer's driver.
func linkArgs(args []string) (kept []string) {
	for i := 0; i < len(args); i++ {
		a := args[i]
		switch {
		case a == "-o":
			i++
		case strings.HasPrefix(a, "-o") && !strings.HasPrefix(a, "-ob"):
		case strings.HasPrefix(a, "-fsanitize="):
			list := slices.DeleteFunc(strings.Split(strings.TrimPrefix(a, "-fsanitize="), ","), func(s string) bool { return strings.HasPrefix(s, "fuzzer") })
			if len(list) > 0 {
				kept = append(kept, "-fsanitize="+strings.Join(list, ","))
			}
		default:
			kept = append(kept, a)
		}
	}
	return kept
}

// harnessMain runs a harness on a file. It replaces parallax's own runtime, whose functions the
// objects call.
const harnessMain = `/* Runs LLVMFuzzerTestOneInput on a file, and prints "accepted", "rejected" or "declined" and then what the harness gave. Link it with
 * the harness and the library; reproducer.sh next to it has the line. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
__attribute__((weak)) int LLVMFuzzerInitialize(int *argc, char ***argv);

/* What the harness may call, see parallax.h. */
static char *output, why[4096];
static size_t output_size;
void plx_output(const void *data, size_t size) {
  char *more = realloc(output, output_size + size + 1);
  if (!more) exit(2);
  output = more;
  memcpy(output + output_size, data, size);
  output_size += size;
}
void plx_reject(const char *text) {
  if (!why[0]) snprintf(why, sizeof why, "%s", text && *text ? text : "rejected");
}

/* What a custom mutator calls, which does not run here. */
__attribute__((weak)) size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) {
  (void)data, (void)most;
  return size;
}

/* What objects call that were compiled to be fuzzed. */
__attribute__((weak)) void __sanitizer_cov_8bit_counters_init(char *start, char *stop) { (void)start, (void)stop; }
__attribute__((weak)) void __sanitizer_cov_pcs_init(const uintptr_t *start, const uintptr_t *stop) { (void)start, (void)stop; }
__attribute__((weak)) void __sanitizer_cov_cfs_init(const uintptr_t *start, const uintptr_t *stop) { (void)start, (void)stop; }
__attribute__((weak)) void __sanitizer_cov_trace_pc(void) {}
__attribute__((weak, visibility("hidden"))) unsigned long plx_path[8];

int main(int argc, char **argv) {
  const char *path = argc > 1 ? argv[--argc] : NULL;
  if (path) argv[argc] = NULL;
  if (LLVMFuzzerInitialize) LLVMFuzzerInitialize(&argc, &argv);
  FILE *f = path ? fopen(path, "rb") : NULL;
  if (!f) {
    perror(path ? path : "usage: program FILE");
    return 126;
  }
  uint8_t *data = malloc(16 << 20);
  size_t size = data ? fread(data, 1, 16 << 20, f) : 0;
  uint8_t *exact = malloc(size ? size : 1); /* so that tools see what is read behind the end */
  if (!data || !exact) return 126;
  memcpy(exact, data, size);
  free(data);
  fclose(f);
  int code = LLVMFuzzerTestOneInput(exact, size);
  free(exact); /* or a build with AddressSanitizer reports a leak of this file */
  if (why[0] || (code != 0 && code != -1)) {
    printf("rejected\n");
    why[0] ? printf("%s", why) : printf("returned %d", code);
    return 1;
  }
  printf(code ? "declined\n" : "accepted\n");
  fwrite(output, 1, output_size, stdout);
  return code ? 3 : 0;
}
`
