module regress/toml-same

go 1.22

require github.com/BurntSushi/toml v1.3.2
