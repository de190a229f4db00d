<?php
// Calls of one function of PHP, as a driver of parallax (docs/reference/driver-protocol.md): php call.php FUNCTION
// An input is the JSON list of the arguments. The answer is JSON too: how the call ends, the type, and the value as shown.php writes it.

require __DIR__ . '/shown.php';
error_reporting(0);

function argument(array $v): mixed
{
    return match (array_key_first($v)) {
        'hex' => hex2bin($v['hex']),
        'int' => (int) $v['int'],
        'float' => match ($v['float']) { '+Inf' => INF, '-Inf' => -INF, 'NaN' => NAN, default => (float) $v['float'] },
        'bool' => $v['bool'],
        'none' => null,
    };
}

function answer(string $function, string $input): array
{
    $list = json_decode($input, true);
    if (!is_array($list)) {
        return ['D', 'the input is no list of arguments'];
    }
    $arguments = array_map(argument(...), $list);
    try {
        $result = $function(...$arguments);
        $said = ['how' => 'returns', 'kind' => get_debug_type($result), 'value' => shown($result)];
    } catch (Throwable $e) {
        $said = ['how' => 'raises', 'kind' => get_class($e), 'value' => get_class($e)];
    }
    return ['A', json_encode($said, JSON_THROW_ON_ERROR)];
}

// fill reads n bytes; null where the requests have ended.
function fill($requests, int $n): ?string
{
    for ($bytes = ''; strlen($bytes) < $n; $bytes .= $part) {
        $part = fread($requests, $n - strlen($bytes));
        if ($part === false || $part === '') {
            return null;
        }
    }
    return $bytes;
}

// What the function prints does not get among the answers.
ob_start(fn() => '', 1 << 16);
[$requests, $answers] = [fopen('php://stdin', 'rb'), fopen('php://stdout', 'wb')];
fwrite($answers, "parallax-driver 1 numbers\n");
for ($number = 0; ($header = fill($requests, 4)) !== null; $number++) {
    $size = unpack('V', $header)[1];
    if (($input = $size > 0 ? fill($requests, $size) : '') === null) {
        break;
    }
    [$verdict, $text] = answer($argv[1], $input);
    fwrite($answers, pack('VV', 9 + strlen($text), $number) . $verdict . pack('V', strlen($text)) . $text);
}
