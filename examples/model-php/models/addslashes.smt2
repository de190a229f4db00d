; PHP's manual, reference/strings/functions/addslashes.xml: "Returns a string with backslashes added before characters that need to be escaped."
; "These characters are: single quote ('), double quote, backslash (\), NUL (the NUL byte)".
(declare-variable string String)
(declare-variable ret String)
(declare-variable v1 String)
(declare-variable v2 String)
(declare-variable v3 String)
(assert (= ret (Replace v3 "\x00" "\\\x00")))
(assert (= v3 (Replace v2 "\"" "\\\"")))
(assert (= v1 (Replace string "\\" "\\\\")))
(assert (= v2 (Replace v1 "'" "\\'")))
(check-sat)
