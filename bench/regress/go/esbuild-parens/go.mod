module regress/esbuild-parens

go 1.22

require github.com/evanw/esbuild v0.16.14

require golang.org/x/sys v0.0.0-20220715151400-c0bba94af5f8 // indirect
