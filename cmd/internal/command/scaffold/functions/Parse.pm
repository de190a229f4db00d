# The function that parallax runs. It rejects the input by die; driver.pl has the rules. Replace it by a call of yours.
package Parse;
use strict;
use warnings;
use Scalar::Util 'looks_like_number';

sub parse {
    my ($data) = @_;
    looks_like_number($data) or die "not a number\n";
    return $data + 0;
}

1;
