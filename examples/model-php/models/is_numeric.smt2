; PHP's manual, reference/var/functions/is-numeric.xml: "Determines if the given variable is a number or a numeric string."
; What a numeric string is, in language.types.numeric-strings: WHITESPACES, a sign, LNUM or DNUM, WHITESPACES; without exponents here.
(declare-variable value String)
(declare-variable ret Bool)
(assert (= ret (RegexIn value (RegexConcat (RegexStar (RegexUnion (Str2Reg " ") (RegexUnion (Str2Reg "\t") (RegexUnion (Str2Reg "\n") (RegexUnion (Str2Reg "\r") (RegexUnion (Str2Reg "\v") (Str2Reg "\f"))))))) (RegexConcat (RegexUnion (Str2Reg "") (RegexUnion (Str2Reg "+") (Str2Reg "-"))) (RegexConcat
  (RegexUnion (RegexPlus (RegexCharRange "0" "9")) (RegexUnion (RegexConcat (RegexStar (RegexCharRange "0" "9")) (RegexConcat (Str2Reg ".") (RegexPlus (RegexCharRange "0" "9")))) (RegexConcat (RegexPlus (RegexCharRange "0" "9")) (Str2Reg "."))))
  (RegexStar (RegexUnion (Str2Reg " ") (RegexUnion (Str2Reg "\t") (RegexUnion (Str2Reg "\n") (RegexUnion (Str2Reg "\r") (RegexUnion (Str2Reg "\v") (Str2Reg "\f")))))))))))))
(check-sat)
