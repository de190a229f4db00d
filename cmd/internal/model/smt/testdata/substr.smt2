; a model of a PHP function in the words of Z3-str
(declare-variable arg0 String)
(declare-variable ret String)
(declare-fun v1 () String)
(assert (= ret v1))
(assert (or (and (> (Length arg0) 2) (= v1 (Substring arg0 1 2))) (and (not (> (Length arg0) 2)) (= v1 "\x41\"\n"))))
(assert (RegexIn arg0 (RegexStar (Str2Reg "ab"))))
(check-sat)
(get-model)
