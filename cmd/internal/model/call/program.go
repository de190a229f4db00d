package call

import (
	"fmt"
	"strings"

	"parallax/cmd/internal/model/extract"
)

// Program returns a C program that makes a call and prints its effect as Text does. It needs no
// header, since it finds the function by a symbol, usually the function's name.
func (s *Signature) Program(c Call, by Comparator, symbol string) (string, error) {
	var b strings.Builder
	fmt.Fprintf(&b, "/* %s */\n\n#include <stdint.h>\n#include <stdio.h>\n\n", strings.NewReplacer("*/", "* /", "/*", "/ *").Replace(s.Quote(c)))
	var types, args, list []string
	for i := range s.Arguments {
		a := &s.Arguments[i]
		whole := Whole(a, c[i])
		switch {
		case a.Kind == "scalar":
			t, err := integerType(a.Bits, a.Signed)
			if err != nil {
				return "", fmt.Errorf("argument %d of %s: %w", i, s.Function, err)
			}
			types, args = append(types, t), append(args, fmt.Sprintf("(%s)%du", t, c[i].Int))
		case whole == nil:
			types, args = append(types, "void *"), append(args, "0")
		default:
			var bytes []string
			for _, x := range whole {
				bytes = append(bytes, fmt.Sprint(x))
			}
			for _, name := range []string{"now", "before"} {
				fmt.Fprintf(&b, "static _Alignas(16) unsigned char %s_%d[] = {%s};\n", name, i, strings.Join(bytes, ", "))
			}
			types, args = append(types, "void *"), append(args, fmt.Sprintf("now_%d + %d", i, a.Before))
			list = append(list, fmt.Sprintf("\t{now_%d, before_%d, sizeof now_%d, %d, %q, %d},\n", i, i, i, a.Before, a.Name, map[bool]int{true: 1}[a.Kind == "pointer"]))
		}
	}
	if len(types) == 0 {
		types = []string{"void"}
	}
	result, shown, err := s.printed(by)
	if err != nil {
		return "", err
	}
	b.WriteString(programHead + strings.Join(list, "") + programBody)
	fmt.Fprintf(&b, "extern %s target(%s) __asm__(%q);\n\nint main(void) {\n", result, strings.Join(types, ", "), symbol)
	fmt.Fprintf(&b, shown, "target("+strings.Join(args, ", ")+")")
	b.WriteString("\teffects();\n\treturn 0;\n}\n")
	return b.String(), nil
}

// printed returns the C type of the result, and the statements that print the result of a call.
func (s *Signature) printed(by Comparator) (result, text string, err error) {
	switch {
	case s.Result.Kind == "void":
		return "void", "\t%s;\n", nil
	case s.Result.Kind == "address" && by == None:
		return "void *", "\t%s;\n", nil
	case s.Result.Kind == "address":
		return "void *", "\tconst void *p = %s;\n\tpart();\n\tprintf(\"returns \");\n\tplace(p);\n", nil
	}
	// The sign is that of the result's bits, whether the type is signed or not.
	signed := s.Result.Signed || by == Sign
	if result, err = integerType(s.Result.Bits, signed); err != nil {
		return "", "", fmt.Errorf("the result of %s: %w", s.Function, err)
	}
	format, wide := "%%llu", "unsigned long long"
	if signed {
		format, wide = "%%lld", "long long"
	}
	switch by {
	case None:
		return result, "\t%s;\n", nil
	case Sign:
		return result, "\t" + result + " r = %s;\n\tpart();\n\tprintf(\"returns %%s\", r < 0 ? \"a negative number\" : r > 0 ? \"a positive number\" : \"0\");\n", nil
	case Truth:
		return result, "\t" + result + " r = %s;\n\tpart();\n\tprintf(\"returns %%s\", r ? \"not 0\" : \"0\");\n", nil
	}
	return result, "\t" + result + " r = %s;\n\tpart();\n\tprintf(\"returns " + format + "\", (" + wide + ")r);\n", nil
}

func integerType(bits int, signed bool) (string, error) {
	switch bits {
	case 1:
		return "_Bool", nil
	case 8, 16, 32, 64:
		return integer(&extract.Argument{Bits: bits, Signed: signed}), nil
	}
	return "", fmt.Errorf("an integer of %d bits has no type in C", bits)
}

const programHead = `
/* What pointers point to, with guard bytes before and behind, and the same as it was before the call. */
struct buffer {
	unsigned char *now, *before;
	long size, start;
	const char *name;
	int pointer;
};
static const struct buffer all[] = {
`

const programBody = `	{0, 0, 0, 0, 0, 0},
};
static int parts;

static void part(void) {
	if (parts++)
		printf(", ");
}

static void place(const void *address) {
	const unsigned char *p = address;
	const struct buffer *b;
	if (!p) {
		printf("NULL");
		return;
	}
	for (b = all; b->now; b++)
		if (p >= b->now && p < b->now + b->size) {
			long offset = p - b->now - b->start;
			printf("%s", b->name);
			if (offset)
				printf("%+ld", offset);
			return;
		}
	printf("memory of its own");
}

static void literal(const unsigned char *p, long n) {
	long i;
	printf("\"");
	for (i = 0; i < n; i++)
		if (p[i] == '"' || p[i] == '\\')
			printf("\\%c", p[i]);
		else if (p[i] == '?' && i > 0 && p[i - 1] == '?')
			printf("\\?");
		else if (p[i] >= ' ' && p[i] < 0x7f)
			printf("%c", p[i]);
		else if (p[i] == '\n' || p[i] == '\t')
			printf(p[i] == '\n' ? "\\n" : "\\t");
		else
			printf("\\%03o", p[i]);
	printf("\"");
}

static void effects(void) {
	const struct buffer *b;
	long i, k;
	for (b = all; b->now; b++)
		for (i = b->start; b->pointer && i < b->start + 8; i++)
			if (b->now[i] != b->before[i]) {
				part();
				printf("stores ");
				place(*(void **)(b->now + b->start));
				printf(" in *%s", b->name);
				for (k = b->start; k < b->start + 8; k++)
					b->now[k] = b->before[k];
			}
	for (b = all; b->now; b++)
		for (i = 0; i < b->size; i = k + 1) {
			for (k = i; k < b->size && b->now[k] != b->before[k]; k++)
				;
			if (k == i)
				continue;
			part();
			printf("writes ");
			literal(b->now + i, k - i);
			printf(" at %s%+ld", b->name, i - b->start);
		}
	printf(parts ? "\n" : "returns\n");
}

`
