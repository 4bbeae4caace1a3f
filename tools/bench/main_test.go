//go:build linux

package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// TestMain is the command where a test runs a case, or a case does a job.
func TestMain(m *testing.M) {
	if os.Getenv("BENCH_CASE") != "" { // its processes inherit it

		os.Exit(bench(os.Args[1:], os.Stderr))
	}
	os.Exit(m.Run())
}

// Each case has a name of its own, says what it compares, and parses the flags of its example.
func TestCases(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range cases {
		if c.Name == "" || seen[c.Name] {
			t.Errorf("case %q has no name of its own", c.Name)
		}
		seen[c.Name] = true
		if c.About == "" || strings.Contains(c.About, "\n") || strings.HasSuffix(c.About, ".") {
			t.Errorf("%s: want one line without a full stop, got %q", c.Name, c.About)
		}
		r, run := c.New()
		r.SetOutput(io.Discard)
		if run == nil {
			t.Errorf("%s does nothing", c.Name)
		}
		if err := r.Parse(strings.Fields(c.Example)); err != nil || c.Example == "" {
			t.Errorf("%s: example %q: %v", c.Name, c.Example, err)
		}
		if err := r.Parse([]string{"-no-such-flag"}); err == nil {
			t.Errorf("%s takes an unknown flag", c.Name)
		}
		var help bytes.Buffer
		if status := bench([]string{c.Name, "-h"}, &help); status != 0 {
			t.Errorf("%s -h: status %d", c.Name, status)
		}
		for _, want := range []string{c.About, "Example: go run -C tools ./bench " + c.Name + " "} {
			if !strings.Contains(help.String(), want) {
				t.Errorf("%s -h does not say %q: %s", c.Name, want, help.String())
			}
		}
	}
	if status := bench([]string{"nothing"}, io.Discard); status != 2 {
		t.Errorf("status %d of an unknown case", status)
	}
}

// The cases whose own sides are quick run without the peers, and print a table. Where a part is
// named, the others take longer.
func TestQuick(t *testing.T) {
	without := []string{"-quick", "-python="}
	runs := []struct {
		arguments []string
		rows      int // of tables that are printed, at least
	}{
		{[]string{"accuracy", "-sides", "gbm trees=5; gbm trees=10; forest trees=60 oob", "smooth"}, 2},
		{[]string{"adaboost", "-threads", "1", "stumps"}, 1},
		{[]string{"boosting", "-threads", "2", "small", "airline"}, 3},
		{[]string{"boosting", "-threads", "1", "-samples", "2", "small"}, 1},
		{[]string{"csv", "-threads", "1", "-r="}, 1},
		{[]string{"forests", "-threads", "1", "-r=", "higgs", "predict", "store"}, 3},
		{[]string{"predict", "-threads", "1", "-spend", "1ms", "100x31"}, 4},
		{[]string{"shapley", "-threads", "1", "forest"}, 3},
		{[]string{"tables", "small"}, 0},
		{[]string{"trees", "-r=", "full", "scale"}, 4},
	}
	for _, run := range runs {
		name := run.arguments[0]
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			flags := without
			if r, _ := caseOf(name).New(); r.Lookup("python") == nil {
				flags = without[:1]
			}
			command := exec.Command(os.Args[0],
				slices.Concat([]string{name}, flags, run.arguments[1:])...)
			command.Env = append(os.Environ(), "BENCH_CASE=1")
			var errs bytes.Buffer
			command.Stderr = &errs
			out, err := command.Output()
			if err != nil {
				t.Fatalf("%v: %s", err, errs.String())
			}
			rows := 0
			for line := range strings.Lines(string(out)) {
				if strings.HasPrefix(line, "| ") {
					rows++
				}
			}
			if tables := strings.Count(string(out), "\n|---"); rows-tables < run.rows {
				t.Errorf("%d rows in %d tables: %s", rows-tables, tables, out)
			}
		})
	}
}
