; PHP's manual, reference/strings/functions/strrev.xml: "Returns string, reversed."
; Of up to four characters.
(declare-variable string String)
(declare-variable ret String)
(declare-variable n Int)
(assert (or
  (and (<= n 1) (= ret string))
  (and (= n 2) (= ret (Concat (CharAt string 1) (CharAt string 0))))
  (and (= n 3) (= ret (Concat (CharAt string 2) (Concat (CharAt string 1) (CharAt string 0)))))
  (and (= n 4) (= ret (Concat (Concat (CharAt string 3) (CharAt string 2)) (Concat (CharAt string 1) (CharAt string 0)))))))
(assert (= n (Length string)))
(check-sat)
