package main

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
)

// kept is a model whose table has a column with a role beside the label.
type kept struct {
	table, label, flag, column string
	train                      []string // further flags
	none                       bool     // the flag takes none, which changes metrics
}

func keptModels() []kept {
	return []kept{
		{"censored.csv", "t", "--event", "e", []string{"--task", "survival", "--set", "trees=5"}, true},
		{"weighted.csv", "y", "--weight", "w", []string{"--set", "trees=1"}, true},
		{"queries.csv", "rel", "--group", "q", []string{"--task", "ranking", "--set", "trees=3"}, false},
	}
}

// labeledViews are the command lines that read a table with labels for a model, by command. OUT is
// a file that one writes in place of standard output.
func labeledViews(m, other, table string) map[string][][]string {
	return map[string][][]string{
		"evaluate": {{"evaluate", m, table}, {"evaluate", m, table, "--json"}},
		"diff":     {{"diff", m, other, table}},
		"report":   {{"report", m, table, "-o", "OUT.html"}, {"report", m, table, "--against", other, "-o", "OUT.html"}},
		"show": {{"show", m, table, "--importances", "permutation", "--json"},
			{"show", m, table, "--candidates"}},
		"draw":    {{"draw", m, table, "--what", "candidates", "-o", "OUT.svg"}},
		"check":   {{"check", m, table}, {"check", m, table, "--json"}},
		"profile": {{"profile", m, table, "-o", "OUT.coppice"}},
	}
}

// output runs a command line, and returns what it prints or writes.
func output(t *testing.T, line []string) (string, error) {
	t.Helper()
	file := ""
	line = slices.Clone(line)
	for i, word := range line {
		if strings.HasPrefix(word, "OUT") {
			file = filepath.Join(t.TempDir(), word)
			line[i] = file
		}
	}
	var out, errs bytes.Buffer
	err := cli.Run(context.Background(), &cli.Console{In: strings.NewReader(""), Out: &out, Err: &errs,
		Progress: &cli.Progress{}}, commands(), line)
	if err != nil || file == "" {
		return out.String(), err
	}
	b, err := os.ReadFile(file)
	return string(b), err
}

func mustOutput(t *testing.T, line ...string) string {
	t.Helper()
	got, err := output(t, line)
	if err != nil {
		t.Fatalf("%v: %v", line, err)
	}
	return got
}

// Every command that reads labels of a table for a model uses the events, weights and groups of its
// training, as if flags named them.
func TestRolesOfModels(t *testing.T) {
	for i, k := range keptModels() {
		t.Run(k.table, func(t *testing.T) {
			folder := t.TempDir()
			table := filepath.Join("testdata/roles", k.table)
			m, other := filepath.Join(folder, "m"), filepath.Join(folder, "other")
			train := append([]string{"train", table, "--label", k.label, k.flag, k.column}, k.train...)
			mustOutput(t, append(train, "-o", m)...)
			mustOutput(t, append(train, "--set", "learning_rate=0.5", "-o", other)...)
			for _, lines := range labeledViews(m, other, table) {
				for at, line := range lines {
					if testing.Short() && len(lines) > 1 && (i+at)%2 > 0 {
						continue // another table has it
					}
					explicit := mustOutput(t, append(line, k.flag, k.column)...)
					if got := mustOutput(t, line...); got != explicit {
						t.Errorf("%v prints\n%s\nand with %s %s\n%s", line, got, k.flag, k.column, explicit)
					}
					weightless := line[0] == "profile" && k.flag == "--weight" // each row counts once
					if k.none && !weightless && mustOutput(t, append(line, k.flag, "none")...) == explicit {
						t.Errorf("%v prints the same with %s none", line, k.flag)
					}
				}
			}
		})
	}
}

// labeledViews has every command that takes a model and names a label: a further one is added
// there, so that it is tested. proximity reads classes alone.
func TestRolesOfModelsCoverAllCommands(t *testing.T) {
	views := labeledViews("m", "other", "table")
	for _, cmd := range rootCommands() {
		takes := strings.Contains(cmd.Use, " MODEL") || strings.Contains(cmd.Use, " A B")
		if cmd.Flags().Lookup("label") == nil || !takes || cmd.Name() == "proximity" {
			continue
		}
		if views[cmd.Name()] == nil {
			t.Errorf("no test reads labels for a model with %s", cmd.Name())
		}
		for _, flag := range []string{"weight", "group", "event", "upper"} {
			if cmd.Flags().Lookup(flag) == nil {
				t.Errorf("%s has --label and no --%s", cmd.Name(), flag)
			}
		}
	}
}

// The metrics are those of the roles of training.
func TestMetricsByStoredRoles(t *testing.T) {
	for _, c := range []struct {
		kept
		metric string
		want   float64
	}{
		{keptModels()[0], "concordance", 0.4688},
		{keptModels()[1], "rmse", 1.6037},
	} {
		m := filepath.Join(t.TempDir(), "m")
		table := filepath.Join("testdata/roles", c.table)
		settings := c.train[:len(c.train)-2]
		if c.metric == "rmse" {
			settings = c.train
		}
		mustOutput(t, append([]string{"train", table, "--label", c.label, c.flag, c.column, "-o", m},
			settings...)...)
		var report struct{ Metrics map[string]float64 }
		if err := json.Unmarshal([]byte(mustOutput(t, "evaluate", m, table, "--json")), &report); err != nil {
			t.Fatal(err)
		}
		if got := report.Metrics[c.metric]; math.Abs(got-c.want) > 5e-5 {
			t.Errorf("%s: %s %v, want %v", c.table, c.metric, got, c.want)
		}
	}
}

// Queries and weights that a file states are roles, and no features.
func TestRolesThatFilesState(t *testing.T) {
	for _, c := range []struct{ table, label, role, column, task string }{
		{"queries.svm", "label", "group", "query", "ranking"},
		{"weighted.arff", "y", "weight", "weight", "binary"},
	} {
		m := filepath.Join(t.TempDir(), "m")
		table := filepath.Join("testdata/roles", c.table)
		mustOutput(t, "train", table, "--label", c.label, "--set", "trees=3", "-o", m)
		var shown struct {
			Task   string
			Roles  map[string]string
			Schema struct{ Fields []struct{ Name string } }
		}
		if err := json.Unmarshal([]byte(mustOutput(t, "show", m, "--json")), &shown); err != nil {
			t.Fatal(err)
		}
		if shown.Task != c.task || shown.Roles[c.role] != c.column || len(shown.Schema.Fields) != 1 {
			t.Errorf("%s: task %s, roles %v, columns %v", c.table, shown.Task, shown.Roles,
				shown.Schema.Fields)
		}
	}
}
