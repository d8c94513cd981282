#!/bin/sh
# Every check there is, in order: formatting and types, the Python environment, the kernel's tests, the rest.
set -eu
cd "$(dirname "$0")/.."
npm run --silent check
npm run --silent build
node bin/glovebox.js setup
exec sh scripts/node.sh scripts/test.ts "$@"
