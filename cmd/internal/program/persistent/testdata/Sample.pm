# What the tests run by the driver for Perl.
package Sample;
use strict;
use warnings;
use JSON::PP ();

print "stray print while loading\n";

sub parse {
    my ($data) = @_;
    print "stray print\n";
    system('echo stray write') if $data eq '37';
    die "never here\n" if $data eq 'crash';
    die "declined: not here\n" if $data eq 'decline';
    CORE::exit(3) if $data eq 'exit';
    return $data if substr($data, 0, 1) eq "\xff" || length $data > 1000;
    return JSON::PP->new->utf8->allow_nonref->decode($data);
}
1;
