package coppice_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"testing"
)

var walkRow = regexp.MustCompile("(?m)^\\| `([a-z0-9_/]+\\.go)` \\| `(\\w+)` \\|")

// TestWalk checks that the functions that ARCHITECTURE.md takes a row through stand in the files
// that it names.
func TestWalk(t *testing.T) {
	page, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	rows := walkRow.FindAllSubmatch(page, -1)
	if len(rows) < 10 {
		t.Fatalf("ARCHITECTURE.md lists %d functions, and a row passes more", len(rows))
	}
	for _, row := range rows {
		file, err := parser.ParseFile(token.NewFileSet(), string(row[1]), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			continue
		}
		found := false
		for _, d := range file.Decls {
			f, ok := d.(*ast.FuncDecl)
			found = found || ok && f.Name.Name == string(row[2])
		}
		if !found {
			t.Errorf("%s has no function %s, which ARCHITECTURE.md names", row[1], row[2])
		}
	}
}
