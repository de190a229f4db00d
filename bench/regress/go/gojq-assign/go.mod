module regress/gojq-assign

go 1.22

require github.com/itchyny/gojq v0.12.10

require github.com/itchyny/timefmt-go v0.1.5 // indirect
