package main

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/testing/tier"
)

// A fence is a fenced block of a page.
type fence struct {
	page     string // relative to the root of the repository
	line     int    // of the opening fence, from 1
	language string // "sh", "text", "go", ...
	mark     string // the comment directly above, without brackets
	text     string
	section  int    // headings above; a block of output stands in the section of its command
	pictures string // shown before the next commands, such as img/line.svg
}

func (f fence) String() string { return fmt.Sprintf("%s:%d", f.page, f.line) }

// pages returns the pages whose blocks are tested: README, CONTRIBUTING, the textbook curves and
// the guides. The pages of docs/adr record what was run once. A program that has a test of its own
// writes docs/lab.md.
func pages(t *testing.T) (root string, names []string) {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	names = []string{"README.md", "CONTRIBUTING.md", "tools/curves/README.md"}
	for _, pattern := range []string{"docs/*.md", "docs/measurements/*.md"} {
		found, err := filepath.Glob(filepath.Join(root, filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range found {
			name, err := filepath.Rel(root, path)
			if err != nil {
				t.Fatal(err)
			}
			if name = filepath.ToSlash(name); name != "docs/lab.md" {
				names = append(names, name)
			}
		}
	}
	if len(names) < 10 {
		t.Fatal("too few pages: ", names)
	}
	return root, names
}

// textOf returns the lines of a page; those of blocks are empty.
func textOf(t *testing.T, root, page string) []string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(page)))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	inside := false
	for i, line := range lines {
		edge := strings.HasPrefix(strings.TrimSpace(line), "```")
		if inside || edge {
			lines[i] = ""
		}
		inside = inside != edge
	}
	return lines
}

// shown matches a line that shows a picture of docs/img, and drawn a command's file.
var (
	shown = regexp.MustCompile(`^!\[.*\]\((img/.*\.svg)\)$`)
	drawn = regexp.MustCompile(`-o (\S+\.svg)`)
)

// fences returns the blocks of a page in their order.
func fences(t *testing.T, root, page string) []fence {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(page)))
	if err != nil {
		t.Fatal(err)
	}
	var found []fence
	var open *fence
	indent, above, section := "", "", 0
	for i, line := range strings.Split(string(text), "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case open != nil && trimmed == "```":
			found = append(found, *open)
			open = nil
		case open != nil:
			open.text += strings.TrimPrefix(line, indent) + "\n"
		case strings.HasPrefix(trimmed, "```"):
			indent, _, _ = strings.Cut(line, "`")
			open = &fence{page: page, line: i + 1, language: trimmed[3:], section: section}
			if comment, ok := strings.CutPrefix(above, "<!-- "); ok {
				open.mark = strings.TrimSuffix(comment, " -->")
			}
		case strings.HasPrefix(line, "#"):
			section++
		default:
			if m := shown.FindStringSubmatch(line); m != nil {
				for at := len(found) - 1; at >= 0; at-- {
					if found[at].language == "sh" {
						found[at].pictures += m[1] + " "
						break
					}
				}
			}
		}
		above = trimmed
	}
	if open != nil {
		t.Fatalf("%s: the block is not closed", open)
	}
	return found
}

// TestDocs runs the commands of the pages as they are printed: each page in a folder that holds
// testdata, as a checkout does. A "text" block behind a command in the same section is its output,
// standard output and standard error together; a line "..." stands for any number of lines.
// Comments above a block mark commands that cannot run here, and text that is no output:
//
//	<!-- not run: needs the network -->
//	<!-- not output -->
//
// Pictures of docs/img behind commands are those that the commands draw, in their order, except for
// those of the lab, which has a test. COPPICE_UPDATE=1 writes them.
func TestDocs(t *testing.T) {
	tier.NotShort(t, "runs all commands of the pages")
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("the pages show commands for sh, which this system does not have")
	}
	root, names := pages(t)
	ran, marked := 0, 0
	t.Run("pages", func(t *testing.T) {
		for _, page := range names {
			blocks := fences(t, root, page)
			for i, f := range blocks {
				reason, notRun := strings.CutPrefix(f.mark, "not run: ")
				switch {
				case f.language == "":
					t.Errorf("%s: the block names no language: sh, text, go, ...", f)
				case f.language == "sh" && notRun && strings.TrimSpace(reason) == "":
					t.Errorf("%s: the mark gives no reason", f)
				case f.language == "sh" && notRun:
					marked++
				case f.language == "sh":
					ran++
				case notRun:
					t.Errorf("%s: only commands are run, and this is %s", f, f.language)
				}
				if i > 0 && f.language == "console" {
					t.Errorf("%s: commands are sh, their output is text", f)
				}
			}
			t.Run(page, func(t *testing.T) {
				t.Parallel()
				runPage(t, root, blocks)
			})
		}
	})
	t.Logf("%d blocks of commands ran, %d are marked as not run", ran, marked)
	if ran < 2*marked {
		t.Errorf("%d blocks of commands ran, %d are marked as not run: too many", ran, marked)
	}
}

// runPage runs the commands of a page in one folder, one block after the other.
func runPage(t *testing.T, root string, blocks []fence) {
	folder := t.TempDir()
	if err := os.Symlink(filepath.Join(root, "testdata"),
		filepath.Join(folder, "testdata")); err != nil {
		t.Fatal(err)
	}
	for i, f := range blocks {
		if f.language != "sh" || strings.HasPrefix(f.mark, "not run: ") {
			continue
		}
		cmd := exec.CommandContext(t.Context(), "sh", "-eu")
		cmd.Stdin = strings.NewReader(strings.ReplaceAll(f.text, "go run ./cmd/coppice ",
			"coppice "))
		cmd.Dir = folder
		var printed bytes.Buffer
		cmd.Stdout, cmd.Stderr = &printed, &printed
		if err := cmd.Run(); err != nil {
			t.Errorf("%s: %v\n%s", f, err, printed.String())
			continue
		}
		comparePictures(t, root, folder, f)
		if i+1 == len(blocks) {
			continue
		}
		if next := blocks[i+1]; next.language == "text" && next.section == f.section &&
			next.mark != "not output" {
			if missing, ok := shows(next.text, printed.String()); !ok {
				t.Errorf("%s: not printed:\n%s\nbut\n%s", next, missing, printed.String())
			}
		}
	}
}

// comparePictures compares the pictures behind a block with the files that it wrote.
func comparePictures(t *testing.T, root, folder string, f fence) {
	files := drawn.FindAllStringSubmatch(f.text, -1)
	for i, picture := range strings.Fields(f.pictures) {
		if strings.HasPrefix(picture, "img/lab-") {
			continue
		}
		if i >= len(files) {
			t.Errorf("%s: no command draws %s", f, picture)
			continue
		}
		got, err := os.ReadFile(filepath.Join(folder, files[i][1]))
		if err != nil {
			t.Error(err)
			continue
		}
		path := filepath.Join(root, "docs", picture)
		if os.Getenv("COPPICE_UPDATE") != "" {
			if err := os.WriteFile(path, got, 0o666); err != nil {
				t.Error(err)
			}
		}
		if want, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: docs/%s is not what the command draws, error %v: COPPICE_UPDATE=1 writes it",
				f, picture, err)
		}
	}
}

// shows reports whether an output has all lines of a block in their order, where "..." stands for
// any lines. It returns the part of the block that the output does not have.
func shows(block, output string) (missing string, ok bool) {
	lines := func(text string) []string {
		split := strings.Split(strings.Trim(text, "\n"), "\n")
		for i, line := range split {
			split[i] = untimed(strings.TrimRight(line, " \t"))
		}
		return split
	}
	rest := lines(output)
	parts := [][]string{{}} // the lines between those of "..."
	for _, line := range lines(block) {
		if strings.TrimSpace(line) == "..." {
			parts = append(parts, []string{})
		} else {
			parts[len(parts)-1] = append(parts[len(parts)-1], line)
		}
	}
	for i, part := range parts {
		at := 0
		for ; at+len(part) <= len(rest) && !slices.Equal(part, rest[at:at+len(part)]); at++ {
		}
		last := i == len(parts)-1
		if last && len(part) <= len(rest) && slices.Equal(part, rest[len(rest)-len(part):]) {
			at = len(rest) - len(part) // a last part of few lines may occur before the end, too
		}
		if at+len(part) > len(rest) || i == 0 && at > 0 || last && at+len(part) < len(rest) {
			return strings.Join(part, "\n"), false
		}
		rest = rest[at+len(part):]
	}
	return "", true
}

// took matches how long a training took.
var took = regexp.MustCompile(`, trained in [0-9. mins]+$`)

// untimed leaves out of a line how long a training took.
func untimed(line string) string { return took.ReplaceAllString(line, ", trained in some time") }

func TestShows(t *testing.T) {
	output := "a\nb\nc\nd\nb\n"
	for block, want := range map[string]bool{
		"a\nb\nc\nd\nb": true, "a\n...": true, "...\nd\nb": true, "a\n...\nd\n...": true,
		"...\nb\n...\nb": true, "...": true,
		"a\nb": false, "b\n...": false, "...\nc": false, "a\n...\nc\nb": false,
		"...\nd\n...\nc\n...": false, "x": false,
	} {
		if _, got := shows(block, output); got != want {
			t.Errorf("%q: %v, want %v", block, got, want)
		}
	}
}

// TestSnippets checks the types of the Go blocks of the pages. A block begins with its imports.
// Behind them stand declarations, or the body of a function.
func TestSnippets(t *testing.T) {
	root, names := pages(t)
	files := token.NewFileSet()
	parsed := map[fence]*ast.File{}
	imported := map[string]bool{}
	for _, page := range names {
		for _, f := range fences(t, root, page) {
			if f.language != "go" {
				continue
			}
			file, err := parseSnippet(files, f)
			if err != nil {
				t.Errorf("%s: %v", f, err)
				continue
			}
			parsed[f] = file
			for _, spec := range file.Imports {
				imported[strings.Trim(spec.Path.Value, `"`)] = true
			}
		}
	}
	if len(parsed) == 0 {
		t.Fatal("no page has a snippet of Go")
	}
	exports := exportFiles(t, root, imported)
	check := importer.ForCompiler(files, "gc",
		func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) })
	for _, file := range parsed {
		config := types.Config{Importer: check, Sizes: types.SizesFor("gc", runtime.GOARCH),
			Error: func(err error) {
				if fault := err.(types.Error); !fault.Soft ||
					strings.Contains(fault.Msg, "imported and not used") {
					// A variable that a snippet only sets is no error.
					t.Errorf("%s: %s", files.Position(fault.Pos), fault.Msg)
				}
			}}
		config.Check("snippet", files, []*ast.File{file}, nil) // Error has reported it
	}
}

// parseSnippet parses a block as a file: its imports, then declarations or statements.
func parseSnippet(files *token.FileSet, f fence) (*ast.File, error) {
	if strings.Contains(f.text, "package ") {
		return parser.ParseFile(files, f.String(), f.text, 0)
	}
	header := "package snippet; "
	if file, err := parser.ParseFile(files, f.String(), header+f.text, 0); err == nil {
		return file, nil
	}
	head, err := parser.ParseFile(token.NewFileSet(), "", header+f.text, parser.ImportsOnly)
	if err != nil {
		return nil, err
	}
	split := 0
	if n := len(head.Decls); n > 0 {
		split = int(head.Decls[n-1].End()) - 1 - len(header)
	}
	return parser.ParseFile(files, f.String(), header+f.text[:split]+"; func _() {"+f.text[split:]+
		"}", 0)
}

// exportFiles lists, by the go command, the compiled forms of packages and of all that they import.
func exportFiles(t *testing.T, root string, imported map[string]bool) map[string]string {
	t.Helper()
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}"}
	for path := range imported {
		args = append(args, path)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	var faults bytes.Buffer
	cmd.Stderr = &faults
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, faults.String())
	}
	exports := map[string]string{}
	for line := range strings.Lines(string(out)) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		exports[path] = file
	}
	return exports
}
