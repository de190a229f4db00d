module adaptive

go 1.26.0

require (
	github.com/emersion/go-message v0.18.2
	github.com/pelletier/go-toml/v2 v2.4.3
	github.com/ulikunitz/xz v0.5.17
	github.com/valyala/fasthttp v1.78.0
	parallax v0.0.0
)

require (
	github.com/klauspost/compress v1.20.3 // indirect
	github.com/molecule-man/go-brrr v1.3.1 // indirect
	github.com/valyala/bytebufferpool v1.0.0 // indirect
)

// The library, for its package repair, as the examples have it.
replace parallax => ../..
