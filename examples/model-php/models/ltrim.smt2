; PHP's manual, reference/strings/functions/ltrim.xml: "Strip whitespace (or other characters) from the beginning of a string."
; Up to two characters are stripped.
(declare-variable string String)
(declare-variable ret String)
(declare-variable c0 String)
(declare-variable c1 String)
(declare-variable c2 String)
(assert (or
  (and (not (or (= c0 " ") (= c0 "\n") (= c0 "\r") (= c0 "\t") (= c0 "\v") (= c0 "\x00"))) (= ret string))
  (and (or (= c0 " ") (= c0 "\n") (= c0 "\r") (= c0 "\t") (= c0 "\v") (= c0 "\x00")) (not (or (= c1 " ") (= c1 "\n") (= c1 "\r") (= c1 "\t") (= c1 "\v") (= c1 "\x00"))) (= ret (Substring string 1 (- (Length string) 1))))
  (and (or (= c0 " ") (= c0 "\n") (= c0 "\r") (= c0 "\t") (= c0 "\v") (= c0 "\x00")) (or (= c1 " ") (= c1 "\n") (= c1 "\r") (= c1 "\t") (= c1 "\v") (= c1 "\x00")) (not (or (= c2 " ") (= c2 "\n") (= c2 "\r") (= c2 "\t") (= c2 "\v") (= c2 "\x00"))) (= ret (Substring string 2 (- (Length string) 2))))))
(assert (= c0 (CharAt string 0)))
(assert (= c2 (CharAt string 2)))
(assert (= c1 (CharAt string 1)))
(check-sat)
