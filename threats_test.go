package coppice_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// held matches a test in the table of threats: `FOLDER.NAME`, without a folder for the root.
var held = regexp.MustCompile("`([a-z0-9/]*)\\.((?:Test|Fuzz)[A-Za-z0-9]+)`")

// Each row of the table of threats has an attacker, a promise, and tests that there are.
func TestThreats(t *testing.T) {
	text, err := os.ReadFile("docs/untrusted.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n| input | attacker |")
	rows := strings.Split(table, "\n")[2:]
	for n, row := range rows {
		if !strings.HasPrefix(row, "| ") {
			rows = rows[:n]
			break
		}
		cells := strings.Split(strings.Trim(row, "| "), " | ")
		if len(cells) != 4 {
			t.Errorf("%d cells in %s", len(cells), row)
			continue
		}
		tests := held.FindAllStringSubmatch(cells[3], -1)
		if len(tests) == 0 || len(tests) != len(strings.Fields(cells[3])) {
			t.Errorf("%s: what holds it is no list of tests: %s", cells[0], cells[3])
		}
		for _, of := range tests {
			if !declares(t, of[1], of[2]) {
				t.Errorf("%s: there is no test %s in %q", cells[0], of[2], of[1])
			}
		}
	}
	if len(rows) < 15 {
		t.Errorf("the table of threats has %d rows", len(rows))
	}
}

// declares reports whether a test of a folder has a name.
func declares(t *testing.T, folder, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(filepath.FromSlash(folder), "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
