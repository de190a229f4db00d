module regress/go-toml-same

go 1.22

require github.com/pelletier/go-toml/v2 v2.2.3
