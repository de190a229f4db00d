; PHP's manual, reference/strings/functions/nl2br.xml: "Returns string with <br /> or <br> inserted before all newlines (\r\n, \n\r, \n and \r)."
; The first one is replaced: Z3-str has no function that replaces all.
(declare-variable string String)
(declare-variable ret String)
(assert (= ret
  (ite (Contains string "\r\n") (Replace string "\r\n" "<br />\r\n")
  (ite (Contains string "\n\r") (Replace string "\n\r" "<br />\n\r")
  (ite (Contains string "\n") (Replace string "\n" "<br />\n")
  (ite (Contains string "\r") (Replace string "\r" "<br />\r") string))))))
(check-sat)
