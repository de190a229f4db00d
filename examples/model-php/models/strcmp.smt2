; PHP's manual, reference/strings/functions/strcmp.xml: "Returns a value less than 0 if string1 is less than string2; a value greater than 0 if string1 is greater than string2, and 0 if they are equal."
(declare-variable string1 String)
(declare-variable string2 String)
(declare-variable ret Int)
(assert (=> (= string1 string2) (= ret 0)))
(assert (=> (str.< string1 string2) (= ret (- 1))))
(assert (=> (str.< string2 string1) (= ret 1)))
(check-sat)
