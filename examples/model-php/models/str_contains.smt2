; PHP's manual, reference/strings/functions/str-contains.xml: "Performs a case-sensitive check indicating if needle is contained in haystack."
(declare-variable haystack String)
(declare-variable needle String)
(declare-variable ret Bool)
(assert (= ret (Contains haystack needle)))
(check-sat)
