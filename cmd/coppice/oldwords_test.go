package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/cmd/coppice/command"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
)

// oldWords are what help and output said before, each with the words in its place. Most were words
// of the code that readers could not know, or a second word for one thing.
var oldWords = []struct {
	old *regexp.Regexp
	now string
}{
	{regexp.MustCompile(`(?i:the rehearsal\b)|^rehearsal |of the rehearsal`), "tried N other settings"},
	{regexp.MustCompile(`^in effect `), "settings NAME=VALUE ..."},
	{regexp.MustCompile(`\d x [0-9.]+ = \d+ for all rows`), "chosen by cross-validation"},
	{regexp.MustCompile(`it is the positive one by name`), "positive class 1 (--positive changes it)"},
	{regexp.MustCompile(`" is none\b`), `"n/b" is no number`},
	{regexp.MustCompile(`is hardly known of new rows`), "new rows have no such order"},
	{regexp.MustCompile(`\braw score of (no|yes)\b`), "towards yes"},
	{regexp.MustCompile(`\bcut short\b`), "stopped: too slow"},
	{regexp.MustCompile(`hold-out set`), "validation set"},
	{regexp.MustCompile(`^ *(balanced_accuracy|average_precision|logloss|rmse|brier|auc) +-?[0-9]`),
		"balanced accuracy, log loss, RMSE, ..."},
	{regexp.MustCompile(`\b[1-9]\.[0-9]+e\+0[0-9]\b`), "a number without an exponent"},
	{regexp.MustCompile(`shares? of (the )?classes|mean share\b`), "class probabilities"},
}

// TestOldWordsAreGone looks for them in the help of each command, in all pages, and in the output
// that scripts expect: the patterns of standard output and error, and the files that they are
// compared with.
func TestOldWordsAreGone(t *testing.T) {
	check := func(where, line string) {
		for _, w := range oldWords {
			if w.old.MatchString(line) {
				t.Errorf("%s: %q: want %s", where, strings.TrimSpace(line), w.now)
			}
		}
	}
	root := cli.NewRoot(&cli.Console{}, command.Table())
	for _, c := range root.Commands() {
		if !c.Hidden {
			for line := range strings.Lines(works(t, c.Name(), "--help", "all")) {
				check(c.Name()+" --help all", line)
			}
		}
	}
	folder, names := pages(t)
	for _, page := range append(names, "docs/lab.md") {
		text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(page)))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			check(page, line)
		}
	}
	scripts, err := filepath.Glob("testdata/script/*.txtar")
	if err != nil || len(scripts) < 100 {
		t.Fatal(len(scripts), err)
	}
	expected := regexp.MustCompile(`^(\[[^]]*\] )?(stdout|stderr|grep) (-count=\d+ )?['"]?\^?`)
	for _, path := range scripts {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files := false
		for line := range strings.Lines(string(text)) {
			files = files || strings.HasPrefix(line, "-- ")
			if mark := expected.FindString(line); mark != "" && !files {
				check(path, strings.NewReplacer(" +", " ", `\s+`, " ", `\.`, ".").Replace(line[len(mark):]))
			} else if files {
				check(path, line)
			}
		}
	}
}

// TestOldWordsAreFound: each pattern matches a line as it was printed.
func TestOldWordsAreFound(t *testing.T) {
	lines := []string{"rehearsal 5 candidates in 3-fold cross-validation", "in effect trees=215, leaves=8",
		"86 x 2.501 = 215 for all rows", "positive  1: of 0 and 1 it is the positive one by name",
		`"n/b" is none`, "the order of the rows is hardly known of new rows", "raw score of no -0.15",
		"colsample=1  cut short", "best on a hold-out set", "logloss             0.4051", "1.176e+04",
		"mean share"}
	for i, w := range oldWords {
		if !w.old.MatchString(lines[i]) {
			t.Errorf("%s does not match %q", w.old, lines[i])
		}
	}
}
