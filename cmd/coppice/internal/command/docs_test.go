package command

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestDocs runs the commands of the guides: the lines of "console" blocks that begin with "$
// coppice". The lines behind a command must be among those that it prints, on standard output or
// standard error. Without any behind it, the command must print no warning.
func TestDocs(t *testing.T) {
	root, err := filepath.Abs("../../../..")
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(t.TempDir()) // models are written here
	if err := os.CopyFS("testdata", os.DirFS(filepath.Join(root, "testdata"))); err != nil {
		t.Fatal(err)
	}
	pages, err := filepath.Glob(filepath.Join(root, "docs/*.md"))
	if err != nil || len(pages) == 0 {
		t.Fatal("no guides: ", err)
	}
	ran := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, block := range strings.Split(string(text), "```console\n")[1:] {
			block, _, _ = strings.Cut(block, "```")
			for _, part := range strings.Split("\n"+block, "\n$ ")[1:] {
				line, shown, _ := strings.Cut(part, "\n")
				shownBy(t, page, line, strings.TrimSpace(shown))
				ran++
			}
		}
	}
	if ran == 0 {
		t.Error("no guide has a command")
	}
}

// shownBy runs a command and looks for the lines that a page shows of its output.
func shownBy(t *testing.T, page, line, shown string) {
	t.Helper()
	var printed bytes.Buffer
	c := &console{in: strings.NewReader(""), out: &printed, err: &printed, progress: &progress{}}
	if err := run(t.Context(), c, exampleArgs(line)[1:]); err != nil {
		t.Errorf("%s: %s: %v", page, line, err)
	}
	lines := strings.Split(printed.String(), "\n")
	if shown == "" && strings.Contains(printed.String(), "warning: ") {
		t.Errorf("%s: %s prints a warning:\n%s", page, line, printed.String())
	}
	for _, want := range strings.Split(shown, "\n") {
		found := shown == ""
		for _, got := range lines {
			found = found || strings.TrimSpace(got) == strings.TrimSpace(want)
		}
		if !found {
			t.Errorf("%s: %s does not print\n%s\nbut\n%s", page, line, want, printed.String())
		}
	}
}
