module regress/gojq-both

go 1.22

require github.com/itchyny/gojq v0.12.9

require github.com/itchyny/timefmt-go v0.1.4 // indirect
