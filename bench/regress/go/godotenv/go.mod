module regress/godotenv

go 1.22

require github.com/joho/godotenv v1.5.0
