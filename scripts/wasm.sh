# shellcheck shell=bash
# A compiler that can build for wasm32. Either the ordinary one, once rustup has added the target, or,
# where rustup can fetch nothing, Debian's rustc-web with a standard library built from rust-web-src.

DEBIAN_RUSTC=/usr/bin/rustc
DEBIAN_RUSTLIB=/usr/lib/rustlib

# rustc_has_wasm RUSTC
rustc_has_wasm() {
  local dir
  dir=$("$1" --print target-libdir --target wasm32-unknown-unknown 2>/dev/null) || return 1
  compgen -G "$dir/libcore-*.rlib" >/dev/null
}

rustc_version() { "$1" --version | cut -d' ' -f2; }

debian_std_dir() { printf '%s/wasm32-std-%s' "$CACHE" "$(rustc_version "$DEBIAN_RUSTC")"; }

# The standard library found there was built by this very compiler.
debian_is_ready() {
  [ -x "$DEBIAN_RUSTC" ] && rustc_has_wasm "$DEBIAN_RUSTC" &&
    { [ ! -L "$DEBIAN_RUSTLIB/wasm32-unknown-unknown" ] ||
      [ "$(readlink "$DEBIAN_RUSTLIB/wasm32-unknown-unknown")" = "$(debian_std_dir)" ]; }
}

# Leaves the choice in WASM_RUSTC: a path, or empty for the ordinary compiler.
need_wasm_target() {
  WASM_RUSTC=
  if [ "${BALANCESCOPE_WASM:-}" != debian ]; then
    rustc_has_wasm rustc && return
    if ! debian_is_ready && have rustup; then
      say "adding the target wasm32-unknown-unknown with rustup: the page is WebAssembly"
      timeout 120 rustup target add wasm32-unknown-unknown >/dev/null 2>&1 && rustc_has_wasm rustc && return
      say "rustup cannot fetch it here; taking Debian's compiler and the source of its library instead"
    fi
  fi
  debian_is_ready || install_debian_wasm
  WASM_RUSTC=$DEBIAN_RUSTC
}

install_debian_wasm() {
  if [ ! -x "$DEBIAN_RUSTC" ] || [ ! -d "$DEBIAN_RUSTLIB/src/rust/library" ]; then
    apt "WebAssembly needs a compiler with its library's source" rustc-web rust-web-src
  fi
  local dir
  dir=$(debian_std_dir)
  compgen -G "$dir/lib/libcore-*.rlib" >/dev/null || build_debian_std "$dir"
  as_root ln -sfn "$dir" "$DEBIAN_RUSTLIB/wasm32-unknown-unknown" ||
    die "the wasm32 library cannot be put into $DEBIAN_RUSTLIB (root is needed)"
}

# build_debian_std DIR
# The library's own dependencies are vendored in the source package, so nothing is fetched. Bitcode is
# embedded because link-time optimisation of the page needs it.
build_debian_std() {
  local dir=$1 crate
  crate=$(mktemp -d)
  say "building the wasm32 standard library into $dir (once, a minute or two)"
  mkdir "$crate/src"
  printf '#![no_std]\n' >"$crate/src/lib.rs"
  printf '[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2021"\n' >"$crate/Cargo.toml"
  (
    cd "$crate" || exit 1
    RUSTC=$DEBIAN_RUSTC RUSTC_BOOTSTRAP=1 CARGO_UNSTABLE_BUILD_STD=std,panic_abort,test \
      CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=-Cembed-bitcode=yes CARGO_TARGET_DIR="$crate/target" \
      quietly "the build" cargo build --release --target wasm32-unknown-unknown
  ) || die "the wasm32 standard library cannot be built from $DEBIAN_RUSTLIB/src"
  rm -f "$crate"/target/wasm32-unknown-unknown/release/deps/libempty-*
  # Complete or not there: a half-copied library would be taken for a whole one.
  mkdir -p "$dir.part/lib"
  cp "$crate"/target/wasm32-unknown-unknown/release/deps/*.rlib "$dir.part/lib/"
  rm -rf "$dir" "$crate"
  mv "$dir.part" "$dir"
}

# A linker for wasm: rustup's own, or LLVM's from Debian.
wasm_linker() {
  local lld
  for lld in "$(rustc --print sysroot)"/lib/rustlib/*/bin/rust-lld; do
    if [ -x "$lld" ]; then
      printf '%s' "$lld"
      return
    fi
  done
  have wasm-ld-19 || apt "WebAssembly needs a linker" lld-19
  command -v wasm-ld-19
}

# with_wasm COMMAND...: runs it so that cargo builds for wasm32 with the chosen compiler.
with_wasm() {
  if [ -z "$WASM_RUSTC" ]; then
    "$@"
    return
  fi
  # wasm-pack asks the rustc on the path, not $RUSTC, whether it has the target.
  mkdir -p "$CACHE/debian-rustc"
  ln -sfn "$WASM_RUSTC" "$CACHE/debian-rustc/rustc"
  RUSTC=$WASM_RUSTC CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=$(wasm_linker) \
    PATH=$CACHE/debian-rustc:$PATH "$@"
}
