module regress/gojq-repeat

go 1.22

require github.com/itchyny/gojq v0.12.8

require github.com/itchyny/timefmt-go v0.1.3 // indirect
