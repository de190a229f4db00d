; PHP's manual, reference/ctype/functions/ctype-digit.xml: "Returns true if every character in the string text is a decimal digit, false otherwise."
; And: "When called with an empty string the result will always be false."
(declare-variable text String)
(declare-variable ret Bool)
(assert (= ret (RegexIn text (RegexPlus (RegexCharRange "0" "9")))))
(check-sat)
