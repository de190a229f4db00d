; PHP's manual, reference/strings/functions/str-starts-with.xml: "Performs a case-sensitive check indicating if haystack begins with needle."
(declare-variable haystack String)
(declare-variable needle String)
(declare-variable ret Bool)
(assert (ite (StartsWith haystack needle) (= ret true) (= ret false)))
(check-sat)
