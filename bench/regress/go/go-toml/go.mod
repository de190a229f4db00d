module regress/go-toml

go 1.22

require github.com/pelletier/go-toml/v2 v2.4.0
