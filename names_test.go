package coppice_test

import (
	"io/fs"
	"path"
	"path/filepath"
	"strings"
	"testing"
)

// riddles are names of files from which nobody can guess what a file has: fragments of a sentence,
// pictures, and words that fit any file. A name says what the file owns: the type, the stage, or
// the rule that is written there.
const riddles = `affordable agree ahead alone apart around aside beside besides certain chance common
	crew decided early everything few finish fix found further goes grown held helper helpers
	hybridgoes kept lay lean leftout look lottery lottery made misc moved narrow needed noise none
	numbers once other others otherrows own part pour rare reach reached room seen serve several
	shadow share sidebyside sift sizes some spare stuff support tally tallier team things together
	towards try twin unit usual util utils valid watch weightless wide without words work worth`

// likeTheirPackage are files whose names are refused elsewhere, with the reason why they are not.
var likeTheirPackage = map[string]string{
	"internal/hugepage/other.go": "is for the systems that have no file of their own",
	"ranks/mpi/watch.go":         "owns Watch, which programs call",
	"ranks/mpi/watch_test.go":    "tests it",
}

// fileRoles are the ends of names that say for whom a file is, not what it has.
var fileRoles = []string{"_test", "_internal", "_bench", "_amd64", "_arm64", "_linux", "_unix"}

// riddle returns the word of a file's name that is refused, "" if none is: the name without its
// extension and its roles.
func riddle(file string) string {
	stem, _, _ := strings.Cut(path.Base(file), ".")
	for _, role := range fileRoles {
		stem = strings.TrimSuffix(stem, role)
	}
	for r := range strings.FieldsSeq(riddles) {
		if stem == r {
			return r
		}
	}
	return ""
}

func TestFilesAreNamedByTheirContent(t *testing.T) {
	found := map[string]bool{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		name = filepath.ToSlash(name)
		switch {
		case err != nil:
			return err
		case d.IsDir() && name != "." && strings.HasPrefix(d.Name(), "."), name == "tools":
			return filepath.SkipDir
		case d.IsDir() || path.Ext(name) != ".go" && path.Ext(name) != ".s":
			return nil
		}
		r := riddle(name)
		if found[name] = r != ""; found[name] && likeTheirPackage[name] == "" {
			t.Errorf("%s: nobody guesses from %q what the file has: name it by the type or the rule that it owns", name, r)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for name := range likeTheirPackage {
		if !found[name] {
			t.Errorf("%s is excused, but no such name is left", name)
		}
	}
}

func TestRiddles(t *testing.T) {
	for file, want := range map[string]string{
		"learn/gbm/internal/hist/few.go": "few", "hist/look_test.go": "look",
		"kernel/fix_amd64.s": "fix", "csvdata/together_internal_test.go": "together",
		"sorting/fewvalues.go": "", "hist/splitmessage.go": "",
	} {
		if got := riddle(file); got != want {
			t.Errorf("%s: %q, want %q", file, got, want)
		}
	}
}
