package clang

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"parallax/cmd/internal/base/shell"
)

// Paths are counted exactly. The compiler inserts a call before each block
// (-fsanitize-coverage=trace-pc), and the assembler of the fast variant replaces the call by an
// increment of a counter. An increment clobbers less than a call may, so that this is correct at
// every call. For expat, it costs 7 % in addition to the block's own counter, where calls cost 55
// %.
//
// The assembler is a shell script in a folder of its own, which clang receives by -B. It passes the
// text to clang's own assembler, so that only the calls change. Text that awk cannot change is
// assembled unchanged, since the runtime has the function.
const assembler = `#!/bin/sh
# Assembles for parallax cc: see assembler.go. Arguments are those of GNU as, the source the last.
out=a.out next=
for a; do
	shift
	case $next in
	o) out=$a next=; continue ;;
	I) set -- "$@" -I "$a"; next=; continue ;;
	esac
	case $a in
	-o) next=o ;;
	--64 | -g*) ;; # lines are in the text
	--32) set -- "$@" -m32 ;;
	-I) next=I ;;
	*.s) in=$a ;;
	*) set -- "$@" "-Wa,$a" ;;
	esac
done
if awk '
	/^[ \t]*\.intel_syntax/ { intel = 1 }
	/^[ \t]*\.att_syntax/ { intel = 0 }
	/^\tcallq?\t(__sanitizer_cov_trace_pc(@PLT)?|\*__sanitizer_cov_trace_pc@GOTPCREL\(%rip\)|\[rip \+ __sanitizer_cov_trace_pc@GOTPCREL\])[ \t]*(#.*)?$/ {
		counter = "plx_path+" 8 * (n++ % 8)
		print intel ? "\tinc\tqword ptr [rip + " counter "]" : "\tincq\t" counter "(%rip)"
		next
	}
	{ print }
	END { if (n) print "\t.hidden\tplx_path" }
' "$in" >"$in.counted"; then
	mv "$in.counted" "$in"
else
	rm -f "$in.counted"
fi
exec CLANG -c -x assembler -Wa,--no-warn -Qunused-arguments "$@" "$in" -o "$out"
`

// assemblerFolder is the script's folder within the runtime's folder.
const assemblerFolder = "as"

// pathFlags have the length of paths counted. Where the compiler checks after each call that it was
// a call, it stays one.
func (l *runtimeLibrary) pathFlags(c *command) []string {
	for _, a := range c.args {
		if a.words[0] == "-mspeculative-load-hardening" {
			return []string{"-fsanitize-coverage=trace-pc"}
		}
	}
	return []string{"-fsanitize-coverage=trace-pc", "-fno-integrated-as", "-B", filepath.Join(l.dir, assemblerFolder)}
}

// writeAssembler puts the script into a folder.
func writeAssembler(dir, clang string) error {
	if path, err := exec.LookPath(clang); err == nil {
		clang = path
	}

	dir = filepath.Join(dir, assemblerFolder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "as"), []byte(strings.Replace(assembler, "CLANG", shell.Word(clang), 1)), 0o755)
}
