module parallax

go 1.22
