; PHP's manual, reference/var/functions/intval.xml: "The integer value of value on success, or 0 on failure."
; Of strings of digits, with or without a sign.
(declare-variable value String)
(declare-variable ret Int)
(declare-variable digits String)
(declare-variable n Int)
(assert (= ret (ite (RegexIn digits (RegexPlus (RegexCharRange "0" "9"))) (ite (StartsWith value "-") (- n) n) 0)))
(assert (= n (str.to.int digits)))
(assert (= digits (ite (or (StartsWith value "-") (StartsWith value "+")) (Substring value 1 (- (Length value) 1)) value)))
(check-sat)
