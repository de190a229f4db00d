// Fuzz tests that are measured. Not part of the workspace: the programs of bench copy the module elsewhere.
module subjects

go 1.22

require (
	github.com/BurntSushi/toml v1.6.0
	github.com/goccy/go-yaml v1.19.2
)
