module regress/goldmark-both

go 1.22

require github.com/yuin/goldmark v1.7.12
