// The measurements, apart from the library and the tool: nobody who installs parallax downloads their data.
module parallax/bench

go 1.26.0
