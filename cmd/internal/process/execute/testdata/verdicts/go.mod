module example.com/verdicts

go 1.24
