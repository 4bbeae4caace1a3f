package coppice_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

// TestDecisionsAreListed compares the index of docs/adr with the folder: each page is listed once,
// under its own title.
func TestDecisionsAreListed(t *testing.T) {
	index, err := os.ReadFile("docs/adr/README.md")
	if err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob("docs/adr/[0-9]*.md")
	if err != nil || len(found) == 0 {
		t.Fatal("no decisions: ", err)
	}
	for _, path := range found {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		line, _, _ := strings.Cut(string(text), "\n")
		number, title, _ := strings.Cut(strings.TrimPrefix(line, "# "), ". ")
		entry := "| " + number + " | [" + title + "](" + filepath.Base(path) + ") |"
		if strings.Count(string(index), entry) != 1 {
			t.Errorf("docs/adr/README.md does not hold once: %s", entry)
		}
		if !strings.HasPrefix(filepath.Base(path), strings.Repeat("0", 4-len(number))+number+"-") {
			t.Errorf("%s has the number %s", path, number)
		}
	}
	if listed := strings.Count(string(index), ".md) |"); listed != len(found) {
		t.Errorf("docs/adr/README.md lists %d decisions, the folder has %d", listed, len(found))
	}
}

// link matches the target of a link to a file of the repository, with the heading in it.
var link = regexp.MustCompile(`\]\(([^)#:]*)(?:#([^)]*))?\)`)

// TestPages checks that the links of all pages lead to files and headings that exist. It also
// checks that the pages for users have at most 100 columns outside of tables and blocks of code. A
// program writes the pages of the lab, with longer lines.
func TestPages(t *testing.T) {
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name := d.Name(); d.IsDir() && path != "." && (strings.HasPrefix(name, ".") || name == "node_modules") {
			return filepath.SkipDir
		}
		if filepath.Ext(path) == ".md" {
			checkPage(t, path)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func checkPage(t *testing.T, path string) {
	t.Helper()
	name := filepath.ToSlash(path)
	wrapped := name == "README.md" || name == "CONTRIBUTING.md" ||
		strings.HasPrefix(name, "tools/curves/") || strings.HasPrefix(name, "docs/") && !strings.HasPrefix(name, "docs/lab/")
	lines := prose(t, path)
	if name == "README.md" && len(lines) > 71 {
		t.Errorf("README.md has %d lines, of 70: details belong into a guide", len(lines)-1)
	}
	for i, line := range lines {
		columns := utf8.RuneCountInString(line)
		if wrapped && columns > 100 && !strings.HasPrefix(strings.TrimSpace(line), "|") && !strings.HasPrefix(line, "![") {
			t.Errorf("%s:%d has %d columns, of 100", path, i+1, columns)
		}
		for _, match := range link.FindAllStringSubmatch(line, -1) {
			target := path
			if match[1] != "" {
				target = filepath.Join(filepath.Dir(path), match[1])
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s:%d links to %s, which does not exist", path, i+1, match[1])
			} else if match[2] != "" && !slices.Contains(anchors(t, target), match[2]) {
				t.Errorf("%s:%d links to #%s, which is no heading of %s", path, i+1, match[2], target)
			}
		}
	}
}

// prose returns the lines of a page; those of blocks of code are empty.
func prose(t *testing.T, path string) []string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	code := false
	for i, line := range lines {
		fence := strings.HasPrefix(strings.TrimSpace(line), "```")
		if code || fence {
			lines[i] = ""
		}
		code = code != fence
	}
	return lines
}

// anchors returns the names of the headings of a page in links: lower case, without punctuation,
// with hyphens for spaces.
func anchors(t *testing.T, path string) []string {
	t.Helper()
	var names []string
	for _, line := range prose(t, path) {
		if title := strings.TrimLeft(line, "#"); title != line {
			names = append(names, strings.Map(func(r rune) rune {
				switch {
				case r == ' ':
					return '-'
				case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
					return unicode.ToLower(r)
				}
				return -1
			}, strings.TrimSpace(title)))
		}
	}
	return names
}
