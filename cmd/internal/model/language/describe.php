<?php
// What PHP says of functions, as JSON: php describe.php FUNCTION...
$told = [];
foreach (array_slice($argv, 1) as $name) {
    if (!function_exists($name)) {
        $told[] = null;
        continue;
    }
    $f = new ReflectionFunction($name);
    $told[] = [
        'required' => $f->getNumberOfRequiredParameters(),
        'total' => $f->isVariadic() ? -1 : $f->getNumberOfParameters(),
        'references' => array_values(array_map(fn($p) => $p->getPosition(), array_filter($f->getParameters(), fn($p) => $p->isPassedByReference()))),
    ];
}
echo json_encode(['version' => PHP_VERSION, 'functions' => $told]);
