#!/bin/sh
# Creates the secrets of compose.yaml in deploy/secrets, unless they exist. The files are readable by all users, because
# the service reads them as its own user; only you can open their folder.
set -eu
cd "$(dirname "$0")"
mkdir -p secrets
chmod 0700 secrets
random() { head -c 33 /dev/urandom | base64 | tr '+/' '-_'; }
make() {
  [ -e "secrets/$1" ] || printf '%s\n' "$2" > "secrets/$1"
  chmod 0444 "secrets/$1"
}
make database_password "$(random)"
make database_url "postgresql://millrace:$(cat secrets/database_password)@database/millrace"
store_secret=$(random)
make store_credentials "[default]
aws_access_key_id = millrace
aws_secret_access_key = $store_secret"
# The same key for the store itself, which may create the bucket and does everything in it.
make store_config "$(printf '{"identities":[{"name":"millrace","credentials":[{"accessKey":"millrace","secretKey":"%s"}],
"actions":["Admin","Read","Write","List","Tagging"]}]}' \
  "$(sed -n 's/^aws_secret_access_key = //p' secrets/store_credentials)")"
make signing_secrets "$(random)"
make admin_token "$(random)"
make grafana_password "$(random)"
