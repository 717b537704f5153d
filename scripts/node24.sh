# Read by the scripts beside it and by bin/trawl, which set `root`.

# become_node24 WHAT ARGS: becomes WHAT of launch.mjs, with these arguments. The shell replaces itself, which Node can only
# do since 22.15: there is one process, and signals, kill -9 and exit codes are its own.
become_node24() {
  what=$1
  shift
  # npm puts node_modules/.bin first on the PATH, and with it our own Node. It says itself which Node the machine has.
  words=$("${npm_node_execpath:-node}" "$root/scripts/launch.mjs" "$what") || exit
  set -f
  IFS='
'
  exec env $words "$@"
}
