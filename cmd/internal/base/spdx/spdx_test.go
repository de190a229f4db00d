package spdx

import "testing"

func TestMark(t *testing.T) {
	for _, tt := range []struct{ name, text, want string }{
		{"a.go", "// Package a is one.\npackage a\n", "// SPDX-License-Identifier: BSD-3-Clause\n\n// Package a is one.\npackage a\n"},
		{"go.mod", "module a\n", "// SPDX-License-Identifier: BSD-3-Clause\n\nmodule a\n"},
		{"a.py", "#!/usr/bin/env python3\n\"\"\"Doc.\"\"\"\n", "#!/usr/bin/env python3\n# SPDX-License-Identifier: BSD-3-Clause\n\"\"\"Doc.\"\"\"\n"},
		{"a.c", "int a;\n", "/* SPDX-License-Identifier: BSD-3-Clause */\nint a;\n"},
		{"call.php", "<?php\necho 1;\n", "<?php\n// SPDX-License-Identifier: BSD-3-Clause\necho 1;\n"},
		{"seed.json", "{}", "{}"},
		{"seed", "x", "x"},
		{"a.sh", "", "# SPDX-License-Identifier: BSD-3-Clause\n"},
	} {
		got := Mark(tt.name, []byte(tt.text))
		if string(got) != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
		if again := Mark(tt.name, got); string(again) != tt.want {
			t.Errorf("%s: marked twice: %q", tt.name, again)
		}
	}
}
