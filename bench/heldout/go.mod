module heldout

go 1.26.0

require (
	github.com/google/shlex v0.0.0-20191202100458-e7afc7fbc510
	github.com/kballard/go-shellquote v0.0.0-20180428030007-95032a82bc51
	github.com/mattn/go-shellwords v1.0.12
	github.com/pelletier/go-toml/v2 v2.4.3
	github.com/prometheus/common v0.67.5
	github.com/rickb777/date v1.21.1
	github.com/senseyeio/duration v0.0.0-20180430131211-7c2a214ada46
	github.com/sosodev/duration v1.4.0
	github.com/xhit/go-str2duration/v2 v2.1.0
)

require (
	github.com/kr/pretty v0.3.1 // indirect
	github.com/prometheus/client_model v0.6.2 // indirect
	github.com/rickb777/plural v1.4.2 // indirect
	go.yaml.in/yaml/v2 v2.4.3 // indirect
	google.golang.org/protobuf v1.36.11 // indirect
)
