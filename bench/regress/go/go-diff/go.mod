module regress/go-diff

go 1.22

require github.com/sergi/go-diff v1.2.0
