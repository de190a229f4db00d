; PHP's manual, reference/strings/functions/str-repeat.xml: "Returns string repeated times times."
; Up to three times.
(declare-variable string String)
(declare-variable times Int)
(declare-variable ret String)
(assert (or
  (and (= times 0) (= ret ""))
  (and (= times 1) (= ret string))
  (and (= times 2) (= ret (Concat string string)))
  (and (= times 3) (= ret (Concat string (Concat string string))))))
(check-sat)
