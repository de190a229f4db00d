; PHP's manual, reference/strings/functions/stripslashes.xml: "Returns a string with backslashes stripped off. (\' becomes ' and so on.) Double backslashes (\\) are made into a single backslash (\)."
(declare-variable string String)
(declare-variable ret String)
(assert (or
  (and (not (Contains string "\\")) (= ret string))
  (and (Contains string "\\\\") (= ret (Replace string "\\\\" "\\")))
  (and (Contains string "\\") (not (Contains string "\\\\")) (= ret (Replace string "\\" "")))))
(check-sat)
