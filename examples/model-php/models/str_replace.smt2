; PHP's manual, reference/strings/functions/str-replace.xml: "This function returns a string or an array with all occurrences of search in subject replaced with the given replace value."
; Z3-str has Replace and no function that replaces all.
(declare-variable search String)
(declare-variable replace String)
(declare-variable subject String)
(declare-variable ret String)
(declare-variable v1 String)
(assert (= ret v1))
(assert (= v1 (ite (Contains subject search) (Replace subject search replace) subject)))
(check-sat)
