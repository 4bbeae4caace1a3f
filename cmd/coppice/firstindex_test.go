package main

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// modelViews are the command lines that read a table for a model, by command. OUT is a file that
// one writes in place of standard output.
func modelViews(m, table string) map[string][][]string {
	return map[string][][]string{
		"predict":   {{"predict", m, table, "--output", "proba"}},
		"evaluate":  {{"evaluate", m, table}},
		"explain":   {{"explain", m, table}, {"explain", m, table, "--top", "2"}},
		"why":       {{"why", m, table, "--row", "1"}},
		"effects":   {{"effects", m, table, "--columns", "f1"}},
		"surrogate": {{"surrogate", m, table, "-o", "OUT.coppice"}},
		"proximity": {{"proximity", m, table}},
		"diff":      {{"diff", m, m, table}},
		"report":    {{"report", m, table, "-o", "OUT.html"}},
		"show":      {{"show", m, table, "--importances", "shap,permutation"}, {"show", m, table, "--candidates"}},
		"draw":      {{"draw", m, table, "--what", "partition", "--columns", "f1", "-o", "OUT.svg"}},
		"check":     {{"check", m, table}},
		"profile":   {{"profile", m, table, "-o", "OUT.coppice"}},
		"retrain":   {{"retrain", m, table, "-o", "OUT.coppice"}},
		"bench":     {{"bench", m, table, "--batches", "1"}},
	}
}

// timed are commands that measure for seconds: they are only refused here.
var timed = []string{"bench"}

// Every command refuses a LibSVM file that counts features from another number than the model, and
// takes it where --first-index states that it does.
func TestFirstIndexOfEveryCommand(t *testing.T) {
	m := filepath.Join(t.TempDir(), "m")
	const one, zero = "testdata/roles/fromone.svm", "testdata/roles/fromzero.svm"
	mustOutput(t, "train", one, "--label", "label", "--learner", "forest", "--set", "trees=3", "-o", m)
	others := modelViews(m, zero)
	for name, lines := range modelViews(m, one) {
		for i, line := range lines {
			other := others[name][i]
			if _, err := output(t, other); err == nil || !strings.Contains(err.Error(), "--first-index 0") {
				t.Errorf("%v: error %v, want one that names --first-index 0", other, err)
			}
			if slices.Contains(timed, name) {
				continue
			}
			want := mustOutput(t, line...)
			got := mustOutput(t, append(other, "--first-index", "0")...)
			if got = strings.ReplaceAll(got, "fromzero", "fromone"); !slices.Equal(strings.Fields(got),
				strings.Fields(want)) { // lines break by the length of the name
				t.Errorf("%v --first-index 0 prints\n%s\nwant\n%s", other, got, want)
			}
		}
	}
	for _, cmd := range rootCommands() {
		flags := cmd.Flags()
		if reads := flags.Lookup("absent") != nil; reads != (flags.Lookup("first-index") != nil) {
			t.Errorf("%s reads LibSVM, %v, and has --first-index, %v", cmd.Name(), reads, !reads)
		}
		takes := strings.Contains(cmd.Use, " MODEL") || strings.Contains(cmd.Use, " A B")
		if takes && flags.Lookup("absent") != nil && others[cmd.Name()] == nil {
			t.Errorf("no test reads LibSVM for a model with %s", cmd.Name())
		}
	}
}
