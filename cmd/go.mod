module parallax/cmd

go 1.26

require parallax v0.0.0

replace parallax => ../
