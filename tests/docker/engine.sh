#!/usr/bin/env bash
# Starts a container engine for tests on a Debian machine (12 or 13, as root) that has none and reaches no image registry.
#
#   engine.sh up     installs what is missing, starts the daemon, makes a stand-in for the base image
#   engine.sh down   ends the daemon that `up` started, by its process id
#
# The stand-in is made from Debian's own packages, under the tag of the official image that the Dockerfiles name, with the
# certificates of this machine in it. So the Dockerfiles build unchanged. Never use such an image for anything but tests.
set -euo pipefail

state=${SITEGYM_ENGINE_STATE:-/var/tmp/sitegym-engine}
base=debian:bookworm-slim

say() { printf 'engine: %s\n' "$*" >&2; }

runs() { docker info >/dev/null 2>&1; }

packages() {
    DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -qq -y --no-install-recommends install "$@" >/dev/null
}

install() {
    local wanted=()
    command -v dockerd >/dev/null || wanted+=(docker.io iptables)
    command -v mmdebstrap >/dev/null || wanted+=(mmdebstrap)
    ((${#wanted[@]} == 0)) && return
    apt-get -qq update
    packages "${wanted[@]}"
}

# Debian 13 has the plugins `compose` and `buildx` as packages; Debian 12 has not, and takes the very same binaries.
plugins() {
    docker compose version >/dev/null 2>&1 && docker buildx version >/dev/null 2>&1 && return
    . /etc/os-release
    if [ "$VERSION_CODENAME" != bookworm ]; then
        packages docker-compose docker-buildx
        return
    fi
    local next=$state/next
    mkdir -p "$next"/{lists/partial,cache/archives/partial,debs,sources,files}
    sed -e '/security/d' /etc/apt/sources.list.d/debian.sources |
        awk -v RS= '/URIs/ { gsub(/Suites:[^\n]*/, "Suites: trixie"); print $0 "\n"; exit }' >"$next/sources/next.sources"
    cat >"$next/apt.conf" <<CONF
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$next/sources";
Dir::State::Lists "$next/lists";
Dir::Cache "$next/cache";
APT::Sandbox::User "root";
CONF
    (cd "$next/debs" && APT_CONFIG=$next/apt.conf apt-get -qq update &&
        APT_CONFIG=$next/apt.conf apt-get -qq download docker-compose docker-buildx)
    local deb
    for deb in "$next"/debs/*.deb; do dpkg-deb -x "$deb" "$next/files"; done
    mkdir -p ~/.docker/cli-plugins
    cp "$next"/files/usr/libexec/docker/cli-plugins/docker-{compose,buildx} ~/.docker/cli-plugins/
}

daemon() {
    runs && return
    mkdir -p "$state"
    rm -f "$state/dockerd.pid"
    setsid nohup dockerd --pidfile "$state/dockerd.pid" >"$state/dockerd.log" 2>&1 </dev/null &
    local try
    for try in $(seq 300); do
        runs && return
        sleep 0.1
    done
    tail -5 "$state/dockerd.log" >&2
    say "the daemon does not start (its last words are above)"
    return 1
}

stand_in() {
    local authorities=/etc/ssl/certs/ca-certificates.crt
    if ! docker image inspect $base >/dev/null 2>&1; then
        say "making a stand-in for $base"
        mmdebstrap --quiet --variant=minbase --include=ca-certificates \
            --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/man/*' \
            --dpkgopt='path-exclude=/usr/share/locale/*' \
            --customize-hook="cp $authorities \"\$1$authorities\"" \
            --customize-hook='rm -rf "$1"/var/cache/apt/* "$1"/var/lib/apt/lists/*' bookworm - |
            docker import -c 'CMD ["bash"]' -c "ENV SSL_CERT_FILE=$authorities PIP_CERT=$authorities" \
                -c 'LABEL org.sitegym.stand-in=true' - $base >/dev/null
    fi
}

case ${1-} in
    up)
        [ "$(id -u)" = 0 ] || { say "needs root"; exit 1; }
        [ -e /etc/debian_version ] || { say "can do this on Debian only"; exit 1; }
        mkdir -p "$state"
        install
        plugins
        daemon
        stand_in
        ;;
    down)
        [ -s "$state/dockerd.pid" ] || exit 0
        pid=$(cat "$state/dockerd.pid")
        kill "$pid" 2>/dev/null || true
        for try in $(seq 150); do
            kill -0 "$pid" 2>/dev/null || break
            sleep 0.1
        done
        rm -f "$state/dockerd.pid"
        ;;
    *)
        say "say up or down"
        exit 2
        ;;
esac
