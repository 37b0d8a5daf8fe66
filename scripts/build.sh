# shellcheck shell=bash
# Building and serving the page, and building the npm package.

build_site() {
  setup_build
  say "building the page into dist/"
  with_wasm trunk build --release --offline --locked --skip-version-check 1>&2
}

# What dist/ is built from.
site_sources() {
  printf '%s\n' src page www scripts Cargo.toml Cargo.lock Trunk.toml index.html package-lock.json
}

site_is_current() {
  [ -f dist/index.html ] &&
    [ -z "$(site_sources | xargs -I{} find {} -type f -newer dist/index.html -print -quit)" ]
}

serve_site() {
  need_rust
  site_is_current || build_site
  need_node
  exec node scripts/serve.mjs dist "$@"
}

build_npm() {
  need_rust
  need_crates
  need_npm_packages
  need_wasm_target
  need_wasm_bindgen
  need_wasm_pack
  say "building the npm package into pkg/"
  with_wasm wasm-pack --quiet build --mode no-install --target web --out-dir pkg --out-name balancescope \
    --profile page -- --locked --offline --no-default-features --features npm 1>&2
  node scripts/npm-package.mjs pkg
}
