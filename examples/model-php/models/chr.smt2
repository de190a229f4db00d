; PHP's manual, reference/strings/functions/chr.xml: "Returns a one-character string containing the character specified by interpreting codepoint as an unsigned integer."
; And of the parameter: "An integer between 0 and 255. Values outside the valid range (0..255) will be bitwise and'ed with 255".
(declare-variable codepoint Int)
(declare-variable ret String)
(declare-variable byte Int)
(assert (= ret (str.from_code byte)))
(assert (= byte (ite (and (>= codepoint 0) (<= codepoint 255)) codepoint (mod codepoint 256))))
(check-sat)
