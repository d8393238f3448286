#!/bin/sh
# Makes a PostgreSQL in memory, with the role `sitegym` and the password in the file named, and serves it on a socket.
set -eu
password=$(cat "$1")
case $password in '' | *[!0-9a-f]*) echo "the password is to be of hexadecimal digits" >&2; exit 2 ;; esac
data=/data/rows
if [ ! -s "$data/PG_VERSION" ]; then
    # nobody can sign in as the superuser: it has no password, and every connection needs one
    initdb --pgdata "$data" --username keeper --auth scram-sha-256 --pwfile /dev/stdin --no-sync --no-locale --encoding UTF8 \
        >/dev/null <<TEXT
$(head -c 32 /dev/urandom | od -An -tx1 | tr -d ' \n')
TEXT
    postgres --single -D "$data" -c fsync=off template1 >/dev/null <<TEXT
CREATE ROLE sitegym LOGIN CREATEDB CREATEROLE PASSWORD '$password'
CREATE DATABASE worlds OWNER sitegym
TEXT
fi
exec postgres -D "$data" -c listen_addresses= -c unix_socket_directories=/run/database \
    -c max_connections=200 -c shared_buffers=128MB -c fsync=off -c full_page_writes=off -c synchronous_commit=off -c jit=off
