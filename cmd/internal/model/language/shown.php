<?php
// What a call does, as text: "returns" and the value as PHP source, or "raises" and the class of what is thrown.

function shown(mixed $v): string
{
    return match (true) {
        is_string($v) => '"' . preg_replace_callback('/[^ !#%-\[\]-~]/', fn($m) => match ($m[0]) {
            '"', '\\', '$' => '\\' . $m[0],
            "\n" => '\n', "\r" => '\r', "\t" => '\t',
            default => sprintf('\x%02x', ord($m[0])),
        }, $v) . '"',
        is_float($v) => is_finite($v) ? var_export($v, true) : (is_nan($v) ? 'NAN' : ($v < 0 ? '-INF' : 'INF')),
        $v === PHP_INT_MIN => 'PHP_INT_MIN',
        is_int($v) => (string) $v,
        is_bool($v) => $v ? 'true' : 'false',
        $v === null => 'null',
        default => get_debug_type($v),
    };
}
