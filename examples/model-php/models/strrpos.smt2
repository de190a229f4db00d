; PHP's manual, reference/strings/functions/strrpos.xml: "Find the numeric position of the last occurrence of needle in the haystack string."
; -1 stands for false.
(declare-variable haystack String)
(declare-variable needle String)
(declare-variable ret Int)
(declare-variable before String)
(declare-variable after String)
(assert (or
  (and (not (Contains haystack needle)) (= ret (- 1)))
  (and (Contains haystack needle) (= ret (Length before)) (not (Contains after needle)) (= haystack (Concat before (Concat needle after))))))
(check-sat)
