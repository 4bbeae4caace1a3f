package tune_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/tune"
)

// smallStudy is a search that takes a millisecond.
func smallStudy(t *testing.T, o tune.Options) (*tune.Study, error) {
	return tune.Run(t.Context(), quadratics(), zeros(t), &split.Plan{K: 2}, o)
}

// mustBeSafe runs a search with a file for its study. It ends as it does without a file, or refuses
// the file in one line. It returns the study, nil if the file was refused.
func mustBeSafe(t *testing.T, o tune.Options, file, what string, want *tune.Study) *tune.Study {
	t.Helper()
	o.Study = filepath.Join(t.TempDir(), "study")
	if err := os.WriteFile(o.Study, []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := smallStudy(t, o)
	if wrong := (*tune.StudyError)(nil); errors.As(err, &wrong) {
		if strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", what, err)
		}
		return nil
	}
	if err != nil {
		t.Fatalf("%s: %v", what, err)
	}
	if diff := cmp.Diff(want, got, timeless, cmpopts.IgnoreFields(tune.Study{}, "Damaged")); diff != "" {
		t.Fatalf("%s: %s", what, diff)
	}
	return got
}

// Whichever bit of a study is flipped, the search ends as without damage, or refuses the file.
func TestFlippedBits(t *testing.T) {
	refused, again, quiet := 0, 0, 0
	for _, sampler := range samplers {
		o := tune.Options{Trials: 5, Sampler: sampler, Workers: 1}
		want, err := smallStudy(t, o)
		if err != nil {
			t.Fatal(err)
		}
		whole := o
		whole.Study = filepath.Join(t.TempDir(), "study")
		if _, err := smallStudy(t, whole); err != nil {
			t.Fatal(err)
		}
		text := fileOf(t, whole.Study)
		for bit := 0; bit < 8*len(text); bit += tier.Count(409, 101, 1) {
			damaged := []byte(text)
			damaged[bit/8] ^= 1 << (bit % 8)
			s := mustBeSafe(t, o, string(damaged), fmt.Sprintf("%s, bit %d", sampler, bit), want)
			switch {
			case s == nil:
				refused++
				if bit/8 > strings.Index(text, "\n") {
					t.Fatalf("%s: bit %d below the header is refused", sampler, bit)
				}
			case s.Damaged > 0:
				again++
			default:
				quiet++
				if end := len(text) - 1; bit/8 < end {
					t.Fatalf("%s: no word of bit %d", sampler, bit)
				}
			}
		}
	}
	if refused == 0 || again == 0 {
		t.Errorf("%d refused, %d tested again", refused, again)
	}
	t.Logf("of the flipped bits %d were refused, %d tested again, and %d ended the file", refused, again,
		quiet)
}

// A study that ends anywhere goes on as if it had not ended, once the header is there.
func TestCutStudies(t *testing.T) {
	o := tune.Options{Trials: 5, Workers: 1}
	want, err := smallStudy(t, o)
	if err != nil {
		t.Fatal(err)
	}
	whole := o
	whole.Study = filepath.Join(t.TempDir(), "study")
	if _, err := smallStudy(t, whole); err != nil {
		t.Fatal(err)
	}
	text := fileOf(t, whole.Study)
	header := strings.Index(text, "\n") + 1
	for n := 0; n <= len(text); n += tier.Count(211, 53, 1) {
		s := mustBeSafe(t, o, text[:n], fmt.Sprintf("the first %d bytes", n), want)
		if (s == nil) != (n < header) {
			t.Errorf("%d bytes, of them %d of the header: refused %v", n, header, s == nil)
		}
		if s != nil && s.Damaged > 0 {
			t.Errorf("%d bytes: %d damaged lines", n, s.Damaged)
		}
	}
}

// What cannot be a study of the search is refused with the line, and stays as it is.
func TestRefusedStudies(t *testing.T) {
	o := tune.Options{Trials: 3, Workers: 1, Study: filepath.Join(t.TempDir(), "study")}
	if _, err := smallStudy(t, o); err != nil {
		t.Fatal(err)
	}
	text := fileOf(t, o.Study)
	result := func(trial, fold int, learner string, settings ...string) string {
		return text + tune.Line(map[string]any{"trial": trial, "fold": fold, "learner": learner,
			"settings": settings, "test": 0.1, "seconds": 1})
	}
	for want, file := range map[string]string{
		"the file is no study: name another one": "",
		"the file is no study":                   "hello\n",
		"it is of version 1, this search of 2: name another file": `{"coppice_study":1,"table":"aa"}` +
			"\n",
		"line 1: the line is damaged, and says what the trials are of": strings.Replace(text,
			`"metric":"rmse"`, `"metric":"rmsd"`, 1),
		`line 16: the trial is of "tree", which is not searched`:  result(9, 0, "tree"),
		"line 16: a line before it has other settings of trial 0": result(0, 0, "quadratic", "a=0.5"),
		`line 16: unknown parameter "e"`:                          result(9, 0, "quadratic", "e=0.5"),
	} {
		path := filepath.Join(t.TempDir(), "study")
		if err := os.WriteFile(path, []byte(file), 0o600); err != nil {
			t.Fatal(err)
		}
		o.Study = path
		_, err := smallStudy(t, o)
		if wrong := (*tune.StudyError)(nil); !errors.As(err, &wrong) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
		if got := fileOf(t, path); !strings.HasPrefix(got, file) || strings.Contains(got[len(file):],
			`{"trial"`) {
			t.Errorf("%q: the file was changed", want)
		}
	}
}
