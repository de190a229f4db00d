; PHP's manual, reference/exec/functions/escapeshellarg.xml: "escapeshellarg adds single quotes around a string and quotes/escapes any existing single quotes"
(declare-variable arg String)
(declare-variable ret String)
(declare-variable quoted String)
(assert (= ret (Concat "'" (Concat quoted "'"))))
(assert (= quoted (Replace arg "'" "'\\''")))
(check-sat)
