module example.com/releases

go 1.24
