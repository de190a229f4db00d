; PHP's manual, reference/filesystem/functions/basename.xml: "Given a string containing the path to a file or directory, this function will return the trailing name component."
(declare-variable path String)
(declare-variable ret String)
(declare-variable folder String)
(assert (or
  (and (not (Contains path "/")) (= ret path))
  (and (= path (Concat folder (Concat "/" ret))) (not (Contains ret "/")))))
(check-sat)
