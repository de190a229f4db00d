module regress/esbuild-import

go 1.22

require github.com/evanw/esbuild v0.13.10

require golang.org/x/sys v0.0.0-20210908233432-aa78b53d3365 // indirect
