#!/bin/sh
# `sh scripts/run.sh ARGS` sets up whatever is missing and then becomes `node ARGS` under Node 24. Every script of
# package.json starts here, so each works on a machine that has only Node 20 and npm.
root=$(dirname -- "$(dirname -- "$(readlink -f -- "$0")")")
. "$root/scripts/node24.sh"
become_node24 node "$@"
