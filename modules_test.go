package coppice_test

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// small are the packages of a program that reads CSV, trains by boosting, and predicts.
var small = []string{"", "learn/gbm", "data/csvdata"}

// A small program compiles two foreign modules: instructions of processors, and encodings of texts.
func TestSmallProgramsCompileLittle(t *testing.T) {
	checkModules(t, foreignOf(t, small, false), "golang.org/x/sys", "golang.org/x/text")
}

// `go mod tidy` of a small program downloads what the tests of its packages import, too: about 15
// MB. A module here is one that all users download, so a test that needs a larger one, such as a
// compressor, belongs to the package that compiles it anyway.
func TestSmallProgramsDownloadLittle(t *testing.T) {
	checkModules(t, foreignOf(t, small, true), "github.com/google/go-cmp", "golang.org/x/sync",
		"golang.org/x/sys", "golang.org/x/text", "gonum.org/v1/gonum", "pgregory.net/rapid")
}

// checkModules fails unless the paths of foreign packages are of these modules, each of which has
// one.
func checkModules(t *testing.T, foreign map[string]string, want ...string) {
	t.Helper()
	used := map[string]bool{}
	for p, through := range foreign {
		at := slices.IndexFunc(want, func(m string) bool { return p == m || strings.HasPrefix(p, m+"/") })
		if at < 0 {
			t.Errorf("%s is imported through %s", p, through)
			continue
		}
		used[want[at]] = true
	}
	for _, m := range want {
		if !used[m] {
			t.Errorf("nothing imports %s any more: take it out of the list", m)
		}
	}
}

// foreignOf returns the packages of other modules that some packages of this one compile with, each
// with the chain of imports to it. With tests, these are those of the tests of all of them, too, as
// go mod tidy has them.
func foreignOf(t *testing.T, from []string, tests bool) map[string]string {
	t.Helper()
	all, err := allImports()
	if err != nil {
		t.Fatal(err)
	}
	of := map[string][]importing{}
	for _, f := range all {
		folder := strings.TrimPrefix(path.Dir(filepath.ToSlash(f.name)), ".")
		of[folder] = append(of[folder], f)
	}
	foreign, seen := map[string]string{}, map[string]bool{}
	var visit func(folder, through string, test bool)
	visit = func(folder, through string, test bool) {
		if !test && seen[folder] {
			return
		}
		seen[folder] = true
		for _, f := range of[folder] {
			if strings.HasSuffix(f.name, "_test.go") != test {
				continue
			}
			for _, p := range f.imported {
				to, own := strings.CutPrefix(p, module)
				switch {
				case own:
					to = strings.TrimPrefix(to, "/")
					visit(to, through+" -> "+to, false)
				case strings.Contains(strings.Split(p, "/")[0], "."):
					foreign[p] = through + " (" + f.name + ")"
				}
			}
		}
	}
	for _, folder := range from {
		visit(folder, folder, false)
	}
	if tests {
		for _, folder := range slices.Sorted(maps.Keys(seen)) {
			visit(folder, folder+" (tests)", true)
		}
	}
	return foreign
}
