package main

import (
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data/datatest"
)

// TestTablesWithoutRows: every sub-command that reads a table refuses a header without rows, as a
// whole and in parts, and a file of JSON lines without a line.
func TestTablesWithoutRows(t *testing.T) {
	trainMixed(t, "yes", "tree")
	header, _, _ := strings.Cut(datatest.Mixed(), "\n")
	write(t, "none.csv", header+"\n")
	write(t, "none.jsonl", "\n")
	for _, name := range commandNames() {
		for i, line := range mixedLines[name] {
			line, _, _ = strings.Cut(strings.TrimPrefix(line, "+"), ": ")
			line = name + " " + strings.NewReplacer("MODEL", "yes", "forest", "yes", "knn", "tree").Replace(line)
			for _, table := range []string{"none.csv", "none.csv --memory 20MiB", "none.jsonl"} {
				if i > 0 && table != "none.csv" || !strings.Contains(line, "mixed.csv") || strings.Contains(line, "--want") {
					continue
				}
				args := strings.Fields(strings.Replace(line, "mixed.csv", table, 1))
				out, errs, status := run(t, args...)
				if status != 1 || !strings.Contains(errs, "no rows") {
					t.Errorf("%q: status %d, printed %q: %s", args, status, out, errs)
				}
			}
		}
	}
}
