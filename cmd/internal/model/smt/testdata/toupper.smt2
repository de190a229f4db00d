; a byte in upper case, as engines for binaries write it: memory is bit vectors
(set-info :status sat)
(set-logic QF_ABV)
(declare-fun c () (_ BitVec 32))
(declare-fun ret () (_ BitVec 32))
(assert (let ((a!1 (and (bvsle #x00000061 c) (bvsle c #x0000007a)))
              (a!2 ((_ zero_extend 24) (bvadd ((_ extract 7 0) c) (bvneg #x20)))))
  (= ret (ite a!1 a!2 c))))
(check-sat)
