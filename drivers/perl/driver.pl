#!/usr/bin/env perl
# A driver of parallax for Perl: runs a function on each input, and answers with what it returned or died of.
#
#     perl driver.pl MODULE FUNCTION [--reject REGEXP]    MODULE is a file (./Mine.pm) or a module's name: JSON::PP decode_json
#
# The function gets the bytes of the input. What it returns is compared as it is, if it is a string, and as JSON with sorted
# keys otherwise. To die is to reject; with --reject, only messages that match are rejections, and all others crashes. A message
# that begins with "declined" declines. Or, in a copy of this file, give serve a function of your own.
use strict;
use warnings;
use File::Spec;
use IO::Handle;

# text is what values are compared by. true and false of JSON modules are blessed, and so is what a module makes of numbers.
sub text {
    my ($value) = @_;
    if (ref $value || !defined $value) {
        require JSON::PP;
        $value = JSON::PP->new->canonical->allow_nonref->allow_blessed->convert_blessed->utf8->encode($value);
    }
    utf8::encode($value) if utf8::is_utf8($value);
    return $value;
}

sub judge {
    my ($function, $input, $reject) = @_;
    my $value = eval { text($function->($input)) };
    return ('A', $value) if defined $value;
    my $said = "$@";
    utf8::encode($said) if utf8::is_utf8($said);
    $said =~ s/ at \S+ line \d+\.?\n\z//;    # moves with every edit of the program
    return ('D', $said) if $said =~ /^declined/;
    return ('R', $said) if !defined $reject || $said =~ $reject;
    return ('C', $said =~ s/\n/ /gr . "\n$@");
}

# take_pipes returns those of requests and answers. What is printed goes to standard error from now on.
sub take_pipes {
    open(my $requests, '<&', \*STDIN)  or die "standard input: $!";
    open(my $answers,  '>&', \*STDOUT) or die "standard output: $!";
    binmode $_ for $requests, $answers;
    open(STDIN,  '<', '/dev/null') or die "/dev/null: $!";
    open(STDOUT, '>&', \*STDERR)   or die "standard error: $!";
    $answers->autoflush(1);
    return ($requests, $answers);
}

# fill reads n bytes; undef if there are fewer.
sub fill {
    my ($file, $n) = @_;
    my $bytes = '';
    while (length $bytes < $n) {
        read($file, $bytes, $n - length $bytes, length $bytes) or return undef;
    }
    return $bytes;
}

sub serve {
    my ($function, $reject, $requests, $answers) = @_;
    print $answers "parallax-driver 1 numbers\n";
    for (my $number = 0; defined(my $header = fill($requests, 4)); $number++) {
        my $input = fill($requests, unpack('V', $header));
        last if !defined $input;
        my ($verdict, $text) = judge($function, $input, $reject);
        print $answers pack('VVaV/a*', 9 + length $text, $number & 0xffffffff, $verdict, $text);
    }
}

my ($module, $name, $option, $reject) = @ARGV;
die "usage: perl driver.pl MODULE FUNCTION [--reject REGEXP]\n"
    if !defined $name || @ARGV == 3 || @ARGV > 4 || defined $option && $option ne '--reject';
my ($requests, $answers) = take_pipes();
require($module =~ m{[/.]} ? File::Spec->rel2abs($module) : $module =~ s{::}{/}gr . '.pm');
my $package = $module =~ m{[/.]} ? 'main' : $module;
my $function = $name =~ /::/ ? \&$name : $package->can($name);
die "$module has no function $name\n" if !$function || !defined &$function;
serve($function, $reject, $requests, $answers);
