# shellcheck shell=bash
# The checks. Each step runs even if one before it failed, so that one run tells everything; the last
# line counts what passed and what failed, and the exit code says whether anything did.

PASSED=0
FAILED=0
FAILED_STEPS=()

# Adds up what the test runners in a log say about themselves: cargo test, wasm-bindgen-test, node --test.
count_tests() {
  awk '
    /^test result: / { for (i = 2; i <= NF; i++) { if ($i == "passed;") p += $(i-1); if ($i == "failed;") f += $(i-1) } }
    /^(ℹ|#) pass [0-9]+$/ { p += $3 }
    /^(ℹ|#) fail [0-9]+$/ { f += $3 }
    END { print p + 0, f + 0 }' "$1"
}

# step NAME COMMAND...: runs it, shows its output, and counts it.
step() {
  local name=$1 log status start=$SECONDS passed failed
  shift
  log=$(mktemp)
  printf '\n== %s\n' "$name"
  # A subshell, so that `die` ends the step and not the run. Not behind `||`, which would switch off
  # `set -e` in all that the step calls.
  set +e
  (
    set -e
    "$@"
  ) 2>&1 | tee "$log"
  status=$?
  set -e
  read -r passed failed < <(count_tests "$log")
  rm -f "$log"
  # A step without tests of its own counts as one; one that failed without saying so, as one failure.
  if [ "$status" -eq 0 ]; then
    [ $((passed + failed)) -gt 0 ] || passed=1
  else
    [ "$failed" -gt 0 ] || failed=1
    FAILED_STEPS+=("$name")
  fi
  PASSED=$((PASSED + passed))
  FAILED=$((FAILED + failed))
  printf -- '-- %s: %s (%d s)\n' "$name" "$([ "$status" -eq 0 ] && echo passed || echo FAILED)" $((SECONDS - start))
}

sum_up() {
  printf '\n'
  if [ ${#FAILED_STEPS[@]} -gt 0 ]; then
    printf 'FAILED: %s\n' "${FAILED_STEPS[@]}"
  fi
  printf '%d passed, %d failed\n' "$PASSED" "$FAILED"
  [ ${#FAILED_STEPS[@]} -eq 0 ] && [ "$FAILED" -eq 0 ]
}

lint_native() { cargo clippy --locked --offline --all-targets -- -D warnings; }

# What the browser runs is linted for wasm32, or, where only Debian's compiler can build for that, as a
# native build: clippy belongs to its own compiler and cannot use another's library.
lint_web() {
  local target=()
  if rustc_has_wasm rustc; then target=(--target wasm32-unknown-unknown); fi
  cargo clippy --locked --offline "${target[@]}" --no-default-features --features reader,npm \
    --lib --bin reader -- -D warnings &&
    cargo clippy --locked --offline "${target[@]}" --package balancescope-page -- -D warnings
}

test_native() { cargo test --locked --offline; }

# The page's own logic (its state, its words, its figures) needs no browser.
test_page() { cargo test --locked --offline --package balancescope-page; }

lint_scripts() { shellcheck -x dev scripts/*.sh; }

# Where the native command line ends on the scenario of tests/wasm.rs.
native_state() {
  target/release/balancescope run "machine=1x4x2&load=0.8&seed=11" --for 50ms --json |
    sed -n 's/.*"state_hash": "\([0-9a-f]\{16\}\)".*/\1/p'
}

# Where the same tests end natively: a line a scenario.
native_states() {
  cargo test --locked --offline --test wasm a_matrix_of_scenarios >&2
  cat target/tmp/states.txt
}

test_wasm() {
  local states
  states=$(native_states)
  # The runner looks for a ChromeDriver and passes it the options in webdriver.json.
  BALANCESCOPE_NATIVE_STATE=$(native_state) BALANCESCOPE_NATIVE_STATES=$states \
    CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUNNER=wasm-bindgen-test-runner \
    with_wasm cargo test --locked --offline --target wasm32-unknown-unknown \
    --no-default-features --features npm --test wasm
}

build_cli() { cargo build --locked --offline --release --bin balancescope; }

test_browser() { node --test --test-reporter=spec tests/browser/*.test.mjs; }

test_npm() {
  build_npm
  node --test --test-reporter=spec tests/npm/*.test.mjs
}

check_steps() {
  step "format" cargo fmt --all --check
  step "lints" lint_native
  step "lints of the page, the worker and the npm package" lint_web
  step "native tests" test_native
  step "native tests of the page" test_page
}

check_quick() {
  need_rust
  need_lints
  need_crates
  check_steps
  sum_up
}

test_everything() {
  setup_all
  have shellcheck || apt "the shell scripts are linted" shellcheck
  check_steps
  step "lints of the shell scripts" lint_scripts
  step "the command line, built for release" build_cli
  step "tests in Chromium" test_wasm
  step "the page, built" build_site
  step "browser tests on the built page" test_browser
  step "npm package and its example" test_npm
  sum_up
}

take_screenshots() {
  site_is_current || build_site
  need_npm_packages
  need_chromium
  node scripts/screenshots.mjs "$@"
}

# Everything is built first, so that nothing else runs while it is measured.
bench_all() {
  setup_build
  need_chromium
  build_cli 1>&2
  build_npm
  site_is_current || build_site
  node scripts/bench.mjs "$@"
}
