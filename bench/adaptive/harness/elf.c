/* libelf: all that package elf tells of a file, in the same form. A file is rejected if a function of libelf says that there is an error,
 * or that it is no ELF file. */
#include <gelf.h>
#include <libelf.h>
#include <parallax.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* How many headers and symbols are told, and how much of a name. */
#define MAX_ITEMS 256
#define MAX_NAME 64

/* Holds three lists of MAX_ITEMS lines. */
static char text[256 << 10];
static size_t length;

static void tell(const char *format, ...) {
	va_list args;
	int n;
	va_start(args, format);
	n = vsnprintf(text + length, sizeof text - length, format, args);
	va_end(args);
	if (n > 0 && (size_t)n < sizeof text - length) {
		length += (size_t)n;
	}
}

/* A name ends a line. It may hold any byte but NUL, so its length stands before it. */
static void tell_name(const char *name) {
	size_t n = strlen(name), most = n < MAX_NAME ? n : MAX_NAME;
	tell(" %zu:", n);
	if (most + 1 < sizeof text - length) {
		memcpy(text + length, name, most);
		length += most;
	}
	tell("\n");
}

static size_t most(size_t n) { return n < MAX_ITEMS ? n : MAX_ITEMS; }

#define N(x) (unsigned long long)(x)

static int programs(Elf *elf) {
	size_t n;
	GElf_Phdr p;
	if (elf_getphdrnum(elf, &n) < 0) {
		return -1;
	}
	tell("programs %zu\n", n);
	for (size_t i = 0; i < most(n); i++) {
		if (!gelf_getphdr(elf, (int)i, &p)) {
			return -1;
		}
		tell("%llx %llx %llx %llx %llx %llx %llx %llx\n", N(p.p_type), N(p.p_flags), N(p.p_offset), N(p.p_vaddr), N(p.p_paddr),
			N(p.p_filesz), N(p.p_memsz), N(p.p_align));
	}
	return 0;
}

/* Whether a section is compressed, in the one way or the other. What it unpacks to may be a thousand times as large as the file. */
static int packed(const GElf_Shdr *s, const char *name) {
	return (s->sh_flags & SHF_COMPRESSED) != 0 || strncmp(name, ".zdebug", 7) == 0;
}

/* The header of a section, and its name, which is empty where the file has no names. */
static const char *section(Elf *elf, size_t names, size_t i, GElf_Shdr *s) {
	Elf_Scn *scn = elf_getscn(elf, i);
	if (!scn || !gelf_getshdr(scn, s)) {
		return NULL;
	}
	return names == SHN_UNDEF ? "" : elf_strptr(elf, names, s->sh_name);
}

/* The symbols of the symbol table, without the first, which is none. */
static int symbols(Elf *elf, size_t names, size_t table) {
	GElf_Shdr s, strings;
	GElf_Sym y;
	const char *name = section(elf, names, table, &s);
	Elf_Data *data;
	size_t n;
	if (!name) {
		return -1;
	}
	if (s.sh_size == 0 || packed(&s, name)) {
		return 0;
	}
	name = section(elf, names, s.sh_link, &strings);
	if (!name) {
		return -1;
	}
	if (packed(&strings, name)) {
		return 0;
	}
	data = elf_getdata(elf_getscn(elf, table), NULL);
	if (!data) {
		return -1;
	}
	n = data->d_size / gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
	n = n > 0 ? n - 1 : 0;
	tell("symbols %zu\n", n);
	for (size_t i = 1; i <= most(n); i++) {
		if (!gelf_getsym(data, (int)i, &y) || !(name = elf_strptr(elf, s.sh_link, y.st_name))) {
			return -1;
		}
		tell("%llx %llx %llx %llx %llx", N(y.st_info), N(y.st_other), N(y.st_shndx), N(y.st_value), N(y.st_size));
		tell_name(name);
	}
	return 0;
}

static int sections(Elf *elf) {
	size_t n, names = SHN_UNDEF, table = SIZE_MAX;
	GElf_Shdr s;
	if (elf_getshdrnum(elf, &n) < 0 || (n > 0 && elf_getshdrstrndx(elf, &names) < 0)) {
		return -1;
	}
	tell("sections %zu\n", n);
	for (size_t i = 0; i < most(n); i++) {
		const char *name = section(elf, names, i, &s);
		if (!name) {
			return -1;
		}
		tell("%llx %llx %llx %llx %llx %llx %llx %llx", N(s.sh_type), N(s.sh_flags), N(s.sh_addr), N(s.sh_offset), N(s.sh_size),
			N(s.sh_link), N(s.sh_info), N(s.sh_entsize));
		tell_name(name);
		if (table == SIZE_MAX && s.sh_type == SHT_SYMTAB) {
			table = i;
		}
	}
	return table == SIZE_MAX ? 0 : symbols(elf, names, table);
}

static int file(Elf *elf) {
	GElf_Ehdr h;
	if (elf_kind(elf) != ELF_K_ELF) {
		return 1;
	}
	if (!gelf_getehdr(elf, &h)) {
		return -1;
	}
	tell("file %x %x %x %x %x %x %llx\n", h.e_ident[EI_CLASS], h.e_ident[EI_DATA], h.e_ident[EI_OSABI], h.e_ident[EI_ABIVERSION], h.e_type,
		h.e_machine, N(h.e_entry));
	return programs(elf) < 0 || sections(elf) < 0 ? -1 : 0;
}

int LLVMFuzzerInitialize(int *argc, char ***argv) {
	(void)argc, (void)argv;
	return elf_version(EV_CURRENT) == EV_NONE;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
	Elf *elf;
	int result;
	length = 0;
	elf_errno(); /* forgets the error of the input before */
	/* libelf changes nothing in the image, which it takes for a file that is open for reading. */
	elf = elf_memory((char *)(uintptr_t)data, size);
	result = elf ? file(elf) : -1;
	if (result == 0) {
		parallax_output(text, length);
	} else {
		parallax_reject(result > 0 ? "no ELF file" : elf_errmsg(-1));
	}
	elf_end(elf);
	return result;
}
