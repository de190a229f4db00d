module regress/goldmark-list

go 1.22

require github.com/yuin/goldmark v1.4.2
