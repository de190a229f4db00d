package heldout

// witnesses are arguments that show a cause, by group and cause. They were written with the causes.
var witnesses = map[string]map[string][]string{
	"size": {
		"an i without a b":              {"0ki"},
		"an i without a prefix":         {"0ib"},
		"infinity, or not a number":     {"inf "},
		"a hexadecimal number":          {"0x0p0"},
		"an exponent":                   {"0e0"},
		"a sign":                        {"+0"},
		"a dot with digits on one side": {".0"},
		"a Kelvin sign":                 {"0\u212a"},
	},
	"strptime": {
		"a day of the year with an ISO year":          {"20001", "%G%j"},
		"a week number with a year of the other kind": {"1", "%V"},
		"a number out of range":                       {"0", "%m"},
		"an offset before the name of a zone":         {"+0100UTC", "%z%Z"},
		"a day of the year and a day of the month":    {"0021", "%j%e"},
		"a week number is used":                       {"2", "%U"},
		"century zero":                                {"0", "%C"},
	},
	"glob": {
		"a comma in a class in braces":                  {"{[,]}", ","},
		"a brace in a class in braces":                  {"{[}]}", "}"},
		"two stars and a slash match nothing":           {"**/", ""},
		"two stars in or after braces within a segment": {"0{**,}", "0/"},
		"a star before braces":                          {"*{0}", "00"},
	},
	"dotenv": {
		"a byte order mark of UTF-16":           {"\xff\xfe"},
		"space before a byte order mark":        {" \ufeffA=0"},
		"invalid UTF-8 after a byte order mark": {"\ufeffA=\x80"},
		"a carriage return from a variable":     {"A=\"\\r=\"\nB=$A"},
		"a carriage return ends a line":         {"A=\rB"},
	},
	"words": {
		"an opening parenthesis":         {"("},
		"a command substitution":         {"$( )"},
		"a closing parenthesis":          {")"},
		"a backquote":                    {"`"},
		"an operator ends the command":   {";"},
		"a comment":                      {"#"},
		"a backslash before a line feed": {"\\\n"},
		"a backslash in double quotes":   {`"\a"`},
		"a carriage return":              {"\r"},
		"invalid UTF-8":                  {"\x80"},
	},
	"duration": {
		"years":                        {"0y"},
		"days and weeks":               {"0d"},
		"a sign":                       {"+0"},
		"a fraction":                   {".0s"},
		"microseconds and nanoseconds": {"0ns"},
		"units out of order":           {"0s0s"},
		"the smallest int64":           {"-9223372036854775808ns"},
	},
}
