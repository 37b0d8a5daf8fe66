# shellcheck shell=bash
# What the other commands need, installed when missing. Tools that cargo builds are kept outside the
# tree, by version, so that a second run finds them at once.

CACHE=${BALANCESCOPE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/balancescope}
TRUNK_VERSION=0.21.14
WASM_PACK_VERSION=0.15.1
# wasm-bindgen's library and its command line must be the very same version.
WASM_BINDGEN_VERSION=$(sed -n 's/^wasm-bindgen = .*"=\([0-9.]*\)".*/\1/p' Cargo.toml)

tool_dir() { printf '%s/tools/%s-%s/bin' "$CACHE" "$1" "$2"; }

PATH=$(tool_dir wasm-bindgen-cli "$WASM_BINDGEN_VERSION"):$PATH
PATH=$(tool_dir trunk "$TRUNK_VERSION"):$(tool_dir wasm-pack "$WASM_PACK_VERSION"):$PATH
PATH=$PWD/node_modules/.bin:$PATH
export PATH

# --- Debian packages ---------------------------------------------------------------------------

as_root() {
  if [ "$(id -u)" -eq 0 ]; then "$@"; elif have sudo; then sudo "$@"; else return 1; fi
}

# apt WHY PACKAGE...
apt() {
  local why=$1
  shift
  have apt-get || die "$why needs $*, and there is no apt-get here to install it with"
  say "installing $* with apt: $why"
  export DEBIAN_FRONTEND=noninteractive
  quietly "apt-get update" as_root apt-get update -q || say "the package lists stay as they are"
  quietly "apt-get install" as_root apt-get install -y -q --no-install-recommends "$@" ||
    die "$why needs the Debian packages $*, and they cannot be had (root and a package mirror are needed)"
}

# --- Rust, Node, browser -------------------------------------------------------------------------

need_rust() {
  if ! { have cargo && have rustc; }; then
    die "Rust is missing: install it from https://rustup.rs (stable, 1.95 or newer) and try again"
  fi
  local minor
  minor=$(rustc --version | sed -n 's/^rustc 1\.\([0-9]*\)\..*/\1/p')
  [ "${minor:-0}" -ge 95 ] || die "Rust 1.95 or newer is needed, this is $(rustc --version): try 'rustup update stable'"
  have cc || apt "Rust links with a C compiler" gcc libc6-dev
}

need_crates() {
  cargo fetch --locked --offline >/dev/null 2>&1 && return
  say "fetching the crates that Cargo.lock names"
  quietly "cargo fetch" cargo fetch --locked || die "the crates that Cargo.lock names cannot be fetched"
}

need_lints() {
  cargo fmt --version >/dev/null 2>&1 && cargo clippy --version >/dev/null 2>&1 && return
  say "installing rustfmt and clippy with rustup: format and lints are checked"
  quietly "rustup" rustup component add rustfmt clippy || die "rustfmt and clippy are missing and rustup cannot install them"
}

need_node() {
  if ! { have node && have npm; }; then
    apt "the web server, wasm-opt and the browser tests run on Node" nodejs npm
  fi
  local major
  major=$(node --version | sed 's/^v\([0-9]*\).*/\1/')
  [ "$major" -ge 18 ] || die "Node 18 or newer is needed, this is $(node --version)"
}

# node_modules is as package-lock.json says, or is made so.
need_npm_packages() {
  need_node
  local stamp=node_modules/.as-locked
  if ! cmp -s package-lock.json "$stamp"; then
    say "installing the npm packages that package-lock.json names: wasm-opt and the browser driver"
    quietly "npm ci" npm ci --ignore-scripts --no-audit --no-fund || die "the npm packages cannot be installed"
    cp package-lock.json "$stamp"
  fi
}

find_chromium() {
  local name
  for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if have "$name"; then
      command -v "$name"
      return
    fi
  done
  return 1
}

need_chromium() {
  CHROMIUM=${CHROMIUM:-$(find_chromium || true)}
  CHROMEDRIVER=${CHROMEDRIVER:-$(command -v chromedriver || true)}
  if [ -z "$CHROMIUM" ] || [ -z "$CHROMEDRIVER" ]; then
    apt "the page is tested in a real browser" chromium chromium-driver fonts-dejavu-core
    CHROMIUM=$(find_chromium) || die "chromium was installed but is not on the path"
    CHROMEDRIVER=$(command -v chromedriver) || die "chromedriver was installed but is not on the path"
  fi
  export CHROMIUM CHROMEDRIVER
}

# --- tools built by cargo --------------------------------------------------------------------------

# cargo_tool OPT_LEVEL CRATE VERSION BINARY WHY [CARGO OPTION...]
# Their release profiles are made for distribution and take many minutes; these settings build the
# same tools several times faster. wasm-bindgen has work to do and is optimised a little; trunk and
# wasm-pack mostly wait for others.
cargo_tool() {
  local opt_level=$1 crate=$2 version=$3 binary=$4 why=$5 dir
  shift 5
  dir=$(tool_dir "$crate" "$version")
  [ -x "$dir/$binary" ] && return
  say "building $crate $version into $CACHE (once, a few minutes): $why"
  CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 CARGO_PROFILE_RELEASE_OPT_LEVEL=$opt_level \
    CARGO_PROFILE_RELEASE_DEBUG=0 CARGO_TARGET_DIR="$CACHE/tools-target" \
    quietly "cargo install" cargo install --locked "$crate@$version" --root "${dir%/bin}" "$@" ||
    die "$crate $version cannot be built here"
}

need_wasm_bindgen() {
  cargo_tool 1 wasm-bindgen-cli "$WASM_BINDGEN_VERSION" wasm-bindgen "makes JavaScript glue for wasm"
}

need_trunk() {
  cargo_tool 0 trunk "$TRUNK_VERSION" trunk "builds the page" --no-default-features --features rustls
}

need_wasm_pack() {
  cargo_tool 0 wasm-pack "$WASM_PACK_VERSION" wasm-pack "builds the npm package"
}

# The build folder that the tools share is of no use once all are there.
drop_tools_target() { rm -rf "$CACHE/tools-target"; }

setup_build() {
  need_rust
  need_crates
  need_npm_packages
  need_wasm_target
  need_wasm_bindgen
  need_trunk
}

setup_all() {
  setup_build
  need_lints
  need_wasm_pack
  need_chromium
  drop_tools_target
  say "everything is there"
}
