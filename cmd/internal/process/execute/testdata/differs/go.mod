module example.com/differs

go 1.24

require parallax v0.0.0

replace parallax => LIBRARY
