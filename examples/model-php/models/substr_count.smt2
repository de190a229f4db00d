; PHP's manual, reference/strings/functions/substr-count.xml: "substr_count returns the number of times the needle substring occurs in the haystack string."
; Up to two times. "This function doesn't count overlapped substrings."
(declare-variable haystack String)
(declare-variable needle String)
(declare-variable ret Int)
(declare-variable one String)
(declare-variable two String)
(assert (or
  (and (not (Contains haystack needle)) (= ret 0))
  (and (Contains haystack needle) (not (Contains one needle)) (= ret 1))
  (and (Contains haystack needle) (Contains one needle) (not (Contains two needle)) (= ret 2))))
(assert (= one (Replace haystack needle "")))
(assert (= two (Replace one needle "")))
(check-sat)
