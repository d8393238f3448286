#!/usr/bin/env bash
# The tests of containers: run.sh PYTHON [arguments of pytest]. Uses the engine that runs, else starts one for so long.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
python=$1
shift
if ! docker info >/dev/null 2>&1; then
    [ "$(id -u)" = 0 ] && [ -e /etc/debian_version ] || {
        echo "test-docker: no container engine runs, and one can be started here only as root on Debian" >&2
        exit 1
    }
    trap '"$here/engine.sh" down' EXIT
fi
if [ "$(id -u)" = 0 ] && [ -e /etc/debian_version ]; then
    "$here/engine.sh" up # also where an engine runs: plugins and base images may be missing
fi
"$python" -P -m pytest -m docker -n 0 "$@" "$here"
