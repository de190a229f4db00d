module parallax/tools/publish

go 1.26.0
