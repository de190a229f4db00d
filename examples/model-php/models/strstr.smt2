; PHP's manual, reference/strings/functions/strstr.xml: "Returns part of haystack string starting from and including the first occurrence of needle to the end of haystack."
; "Returns the portion of string, or false if needle is not found." The empty string stands for false.
(declare-variable haystack String)
(declare-variable needle String)
(declare-variable ret String)
(declare-variable at Int)
(assert (or
  (and (>= at 0) (= ret (Substring haystack at (- (Length haystack) at))))
  (and (< at 0) (= ret ""))))
(assert (= at (Indexof haystack needle)))
(check-sat)
