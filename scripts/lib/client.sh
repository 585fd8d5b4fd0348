# The VS Code client: its modules from the lock file, the bundle, the VSIX that carries the server.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
client=$root/client-vscode
vsix=$client/dist/plimsoll.vsix

# Not `npm ci`: it refuses the lock file where a registry carries only some of the optional packages for
# other platforms. What the lock file names is installed in its version, checked against its hash.
install_client_modules() {
  (cd "$client" && npm install --no-save --ignore-scripts --no-audit --no-fund --loglevel=error)
}

client_modules() {
  local want
  want=$(fingerprint client-vscode/package.json client-vscode/package-lock.json)
  stamped "$client/node_modules/.stamp" "$want" && return
  step 'client modules (npm)' install_client_modules
  printf '%s\n' "$want" >"$client/node_modules/.stamp"
}

build_vsix() {
  (cd "$client" && npm run --silent build && npm run --silent package)
}

vsix_sources() {
  (cd "$root" && find client-vscode server pyproject.toml LICENSE README.md CHANGELOG.md scripts/lib/runtime.lock scripts/lib/extras \
    \( -name node_modules -o -name dist -o -name bundled -o -name __pycache__ -o -name test \) -prune -o -type f -print | sort)
}

client_vsix() {
  local want sources
  client_modules
  mapfile -t sources < <(vsix_sources)
  want=$(fingerprint "${sources[@]}")
  [[ -f $vsix ]] && stamped "$client/dist/.stamp" "$want" && return
  step 'VS Code extension (build, package)' build_vsix
  printf '%s\n' "$want" >"$client/dist/.stamp"
}
