package Accept;
sub accept { return "" }
1;
