#!/bin/sh
# Runs a TypeScript file on the Node that npm installed with the project.
here=$(cd "$(dirname "$0")/.." && pwd)
for node in "$here"/node_modules/node-linux-*/bin/node; do
  [ -x "$node" ] && exec "$node" --disable-warning=ExperimentalWarning "$@"
done
exec node "$@"
