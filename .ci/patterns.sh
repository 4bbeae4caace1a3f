# Functions for the scripts beside this file, which source it: a pattern of test names that matches none must fail, because
# "go test -run" passes it without a test.

# each_matches FOLDER PATTERN... fails unless each pattern matches a test of the package. LISTER is the command that lists
# the names that match its last argument; without it the names are those of the sources, which nothing has to compile for.
each_matches() {
  local folder=$1 pattern names
  shift
  for pattern; do
    names=$(${LISTER:-declared "$folder"} "$pattern") || true
    if ! grep -qE '^(Test|Fuzz|Example)' <<<"$names"; then
      echo "./$folder has no test that matches $pattern" >&2
      return 1
    fi
  done
}

# declared FOLDER PATTERN lists the tests of a package that match a pattern; what follows a slash names a part of a test.
declared() {
  local names
  names=$(grep -hoE '^func (Test|Fuzz|Example)[A-Za-z0-9_]*' "./$1"/*_test.go) || return 1
  sed 's/^func //' <<<"$names" | grep -E -- "${2%%/*}"
}

# either PATTERN... is the pattern that matches what one of several does.
either() {
  local IFS='|'
  echo "($*)"
}

# only FOLDER PATTERN... runs the tests of a package that match one of the patterns, each of which must match some.
only() {
  each_matches "$@" || return 1
  local folder=$1
  shift
  go test -count=1 -v -run "$(either "$@")" "./$folder"
}

# documented fails if a page shows a "go test" whose -run matches nothing.
# The pattern '^$' matches no test on purpose, beside -bench.
documented() {
  local place folder pattern
  git grep --untracked -noE 'go test [^`]*-run [^` ]+' -- '*.md' ':!docs/adr' ':!CHANGELOG.md' | while IFS= read -r place; do
    folder=$(grep -oE '\./[A-Za-z0-9_/-]+' <<<"$place" | head -n 1 || true) # none: the root
    pattern=$(sed -E "s/.*-run +'?([^' ]+)'?.*/\1/" <<<"$place")
    [ "$pattern" = '^$' ] || each_matches "${folder#./}" "$pattern" ||
      { echo "shown by ${place%%:go test*}" >&2; return 1; }
  done
}
