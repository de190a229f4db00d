module regress/gjson

go 1.22

require github.com/tidwall/gjson v1.3.0

require (
	github.com/stretchr/testify v1.12.1 // indirect
	github.com/tidwall/match v1.0.1 // indirect
	github.com/tidwall/pretty v1.0.0 // indirect
)
