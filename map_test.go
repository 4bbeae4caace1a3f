package coppice_test

import (
	"fmt"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const registerPage = `# Packages

A test makes this page of the first sentences of package comments.

<!-- not run: these make this page -->
` + "```sh" + `
go test . -run TestRegister                    # compares
COPPICE_UPDATE=1 go test . -run TestRegister   # writes the page again
` + "```" + `

Each table goes from the top of a room to its ground, since packages import lower layers only.
` + "`layers_test.go`" + ` holds the layers. [Architecture](../ARCHITECTURE.md) says how data passes through.
`

// TestRegister fails where docs/packages.md does not list the packages as their comments describe
// them. With COPPICE_UPDATE it writes the page again.
func TestRegister(t *testing.T) {
	const file = "docs/packages.md"
	want := register(t)
	if os.Getenv("COPPICE_UPDATE") != "" {
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the packages say: run COPPICE_UPDATE=1 go test . -run TestRegister", file)
	}
}

// register returns the page: a table for each folder at the top, the highest first.
func register(t *testing.T) string {
	t.Helper()
	rooms := map[string][]string{}
	for folder := range imports(t) {
		rooms[top(folder)] = append(rooms[top(folder)], folder)
	}
	higher := func(a, b string) int {
		if d := layerOf(b) - layerOf(a); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	}
	var names []string
	for name, folders := range rooms {
		slices.SortFunc(folders, higher)
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return higher(rooms[a][0], rooms[b][0]) })
	var page strings.Builder
	page.WriteString(registerPage)
	for _, name := range names {
		title := name
		if name == "" {
			title = "The root"
		}
		fmt.Fprintf(&page, "\n## %s\n\n| package | owns |\n|---|---|\n", title)
		for _, folder := range rooms[name] {
			shown := folder
			if folder == "" {
				shown = "coppice"
			}
			fmt.Fprintf(&page, "| `%s` | %s |\n", shown, owns(t, folder))
		}
	}
	return page.String()
}

// owns returns how a package's comment begins, without what all begin with: a sentence, or two
// where the first says little.
func owns(t *testing.T, folder string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.PackageClauseOnly|parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if f.Doc == nil {
			continue
		}
		text := beginning(f.Doc.Text())
		for _, usual := range []string{"Package ", "Command ", path.Base(folder) + " ", f.Name.Name + " ", "owns ", "is "} {
			text = strings.TrimPrefix(text, usual)
		}
		return text
	}
	t.Errorf("package %q has no comment that says what it owns", folder)
	return ""
}

// beginning returns the first sentence of a comment, or two where the first has under 80 letters.
func beginning(comment string) string {
	const space = "\u00a0" // ends no sentence
	paragraph, _, _ := strings.Cut(comment, "\n\n")
	paragraph = strings.Join(strings.Fields(paragraph), " ")
	paragraph = strings.ReplaceAll(paragraph, "et al. ", "et al."+space)
	text := (&doc.Package{}).Synopsis(paragraph)
	if rest := strings.TrimSpace(strings.TrimPrefix(paragraph, text)); len(text) < 80 && rest != "" {
		text += " " + (&doc.Package{}).Synopsis(rest)
	}
	return strings.ReplaceAll(text, space, " ")
}
