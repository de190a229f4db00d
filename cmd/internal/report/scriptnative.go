package report

import (
	"fmt"
	"slices"
	"strings"
)

// A NativeLink is how a C or C++ program was linked, and can be again.
type NativeLink struct {
	Compiler string   // cc or c++
	Clang    string   // version, as in 19.1.7
	Dir      string   // where it was linked
	Args     []string // of the compiler
	Sanitize string   // path of the build with sanitizers; "" if there is none
	Header   []byte   // parallax.h, which the harness may include
}

// reproducerMain is the name of the C main in a finding's folder.
const reproducerMain = "reproducer.c"

// nativeProgram writes a C main, and the lines that link it with the objects of the program, as the user's build did, and run it. What
// only sanitizers see is shown by the build that has them.
func (w *scriptWriter) nativeProgram(p *ScriptProgram, limit int, sanitized bool) {
	w.files[reproducerMain], w.files["parallax.h"] = []byte(nativeMain), p.Native.Header
	binary := "./program"
	if sanitized && p.Native.Sanitize != "" {
		binary = shellText(p.Native.Sanitize)
		var words []string
		for _, a := range p.Native.Args {
			words = append(words, shellText(a))
		}
		again := "cd " + shellText(p.Native.Dir) + " && parallax " + p.Native.Compiler + " " + strings.Join(words, " ")
		w.prepare("build", "# It shows with sanitizers only: in the build that this line links, of objects that parallax cc and c++ have compiled.\n[ -x "+binary+
			" ] || { echo "+shellText("link it again: "+again)+"; false; }")
	} else {
		compiler := `"${CC:-clang-` + major(p.Native.Clang) + `}"`
		if p.Native.Compiler == "c++" {
			compiler = `"${CXX:-clang++-` + major(p.Native.Clang) + `}"`
		}
		var words []string
		for _, a := range linkArgs(p.Native.Args) {
			words = append(words, shellText(a))
		}
		line := "cd " + shellText(p.Native.Dir) + " &&\n"
		if p.Native.Compiler == "c++" { // the main is C
			line += `"${CC:-clang-` + major(p.Native.Clang) + `}" -c "$here/` + reproducerMain + `" -o "$folder/main.o" &&` + "\n"
			line += compiler + ` -I "$here" ` + strings.Join(words, " ") + ` "$folder/main.o" -o "$folder/program"`
		} else {
			line += compiler + ` -I "$here" ` + strings.Join(words, " ") + ` "$here/` + reproducerMain + `" -o "$folder/program"`
		}
		w.prepare("build", line)
	}
	line := ""
	if p.Dir != "" {
		line = "cd " + shellText(p.Dir) + " &&\n"
		binary = strings.Replace(binary, "./program", `"$folder/program"`, 1)
	}
	var args []string
	for _, a := range p.Args {
		args = append(args, shellText(a))
	}
	environ := ""
	if p.Env != nil {
		environ = p.environ() + " "
	}
	w.run(line + fmt.Sprintf(`timeout -s KILL %d %s%s "$input"`, limit, environ, strings.Join(append([]string{binary}, args...), " ")))
	w.b.WriteString(`if [ "$verdict" != unable ]; then
	case $(head -n 1 "$box/out" | tr -d '\000') in
	accepted|rejected|declined)
		verdict=$(head -n 1 "$box/out")
		tail -c +10 "$box/out" >"$box/value" ;;
	*) case $status:$(tail -n 1 "$box/err") in
		137:*) verdict=timeout ;;
		0:*': accepted') verdict=accepted ;;
		1:*': rejected'*) verdict=rejected ;;
		1:*': declined') verdict=declined ;;
		*) verdict=crashed ;;
		esac ;;
	esac
fi
told "exit status $status" "$box/value" "$box/err"
`)
}

func major(version string) string {
	m, _, _ := strings.Cut(version, ".")
	return m
}

// linkArgs are a link's arguments without its output and without what only a fuzzer's driver needs.
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

// nativeMain runs a harness on a file. It takes the place of parallax's own runtime, whose calls objects have in them.
const nativeMain = `/* Runs LLVMFuzzerTestOneInput on a file, and prints "accepted", "rejected" or "declined" and then what the harness gave. Link it with
 * the harness and the library; reproducer.sh beside it has the line. */
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
  int code = LLVMFuzzerTestOneInput(exact, size);
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
