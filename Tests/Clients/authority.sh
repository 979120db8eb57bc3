#!/usr/bin/env bash
# Creates ca.pem, an authority that nothing trusts, and server.pem and server.key for localhost and 127.0.0.1:
# `authority.sh FOLDER`.
set -euo pipefail
cd "$1"

key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)
openssl req -x509 "${key[@]}" -keyout ca.key -out ca.pem -days 30 -subj "/CN=Authority of a test" \
    -addext basicConstraints=critical,CA:TRUE -addext keyUsage=critical,keyCertSign
openssl req "${key[@]}" -keyout server.key -out server.csr -subj /CN=localhost
openssl x509 -req -in server.csr -CA ca.pem -CAkey ca.key -CAcreateserial -days 30 -out server.pem -extfile <(
    printf '%s\n' subjectAltName=DNS:localhost,IP:127.0.0.1 basicConstraints=critical,CA:FALSE extendedKeyUsage=serverAuth)
