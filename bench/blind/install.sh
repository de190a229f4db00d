#!/bin/sh
# Installs both versions of each package, at the versions that package.json, old.txt and new.txt name, into this folder.
set -e
cd "$(dirname "$0")"
npm install --no-audit --no-fund --ignore-scripts --no-package-lock
python3 -m pip install --quiet --target python/old -r old.txt
python3 -m pip install --quiet --target python/new -r new.txt
