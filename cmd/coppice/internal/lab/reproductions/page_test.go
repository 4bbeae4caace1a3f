package reproductions

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// Document is the page of one reproduction: its text in Markdown, and its pictures by file name.
type Document struct {
	Text     string
	Pictures map[string]string
}

// pageHead begins docs/lab.md.
const pageHead = `# The lab

Numbers and pictures that textbooks, papers and lectures print of trees and their ensembles,
computed again. ` + "`coppice lab`" + ` lists them, and runs one by its name:

    coppice lab voters            # our numbers beside the source's, and what else fits one screen
    coppice lab voters -v         # all text, tables and charts in characters, too
    coppice lab voters -o DIR     # the picture as SVG, too
    coppice lab voters --json
    coppice lab all --quick       # all that take some seconds; without --quick all, in some minutes

Four labs run on a table of your own, with its label:

    coppice lab overfit DATA --label COL          # errors of trees against their depth
    coppice lab instability DATA --label COL      # two trees of two halves, and where they differ
    coppice lab mtry DATA --label COL             # errors of forests against the columns of a node
    coppice lab bias-variance DATA --label COL    # bias² plus noise, and variance, of five learners

The tables are in the program. ` + "`--data DIR`" + ` names a folder with others, such as ` + "`iris/iris.csv`" + `.

A claim is our number beside what it should be:

- *published*: the source prints the number, which stands here digit for digit;
- *by formula*: the number follows by a formula, whether or not a source prints it.

The verdicts:

- "same": equal up to rounding;
- "better": a smaller error, or a larger margin;
- "within two s.e.": within two standard errors;
- "rounded early": the published number follows from numbers that were rounded before, as shown;
- "misprint": the formula contradicts the published number, and the reason follows;
- "differs", "worse": the number was not found again, and the text explains why;
- "cannot be compared": a setting, or numbers whose digits are not known here;
- a dash: ours alone. A statement below about a difference within two standard errors of 0 is
  undecided.

The head of a run counts published numbers, numbers by formula, published statements and other
statements separately. Other statements follow by a formula or are ours, and are marked so. ` + "`go test\n" +
	"./cmd/coppice/internal/lab/reproductions -run TestPages`" + ` runs the quick reproductions again and
compares. With ` + "`COPPICE_UPDATE=NAME`" + ` it writes the page of one, and with 1 those of all quick ones.

`

// Index returns docs/lab.md, which lists the pages of the reproductions.
func Index() string {
	var b strings.Builder
	b.WriteString(pageHead)
	b.WriteString("| name | shows | takes about |\n|---|---|---|\n")
	entries := Table()
	for i := range entries {
		entry := &entries[i]
		fmt.Fprintf(&b, "| [`%s`](lab/%s) | %s | %s |\n", entry.Name, entry.PageFile(), entry.Title,
			entry.Takes())
	}
	return b.String()
}

// PageFile is the name of the reproduction's page in docs/lab.
func (r *Reproduction) PageFile() string { return r.Name + ".md" }

// Pages returns the pages of a folder docs/lab, by the names of their reproductions. One that is
// missing is an error.
func Pages(folder string) (map[string]string, error) {
	found := map[string]string{}
	entries := Table()
	for i := range entries {
		text, err := os.ReadFile(filepath.Join(folder, entries[i].PageFile()))
		if err != nil {
			return nil, fmt.Errorf("%w: %s", err, writtenBy(entries[i].Name))
		}
		found[entries[i].Name] = string(text)
	}
	return found, nil
}

// NewDocument writes what a run of a reproduction gave, for the folder docs/lab. Its pictures are
// for docs/img.
func NewDocument(entry *Reproduction, r *Result) (*Document, error) {
	s := &Document{Pictures: map[string]string{}}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\n", entry.Name,
		wrap(fmt.Sprintf("%s. Source: %s.", entry.Title, entry.Source), ""))
	for _, p := range r.Text {
		fmt.Fprintf(&b, "\n%s\n", wrap(p, ""))
	}
	if len(r.Claims) > 0 {
		rows := make([][]string, len(r.Claims))
		for i := range r.Claims {
			rows[i] = r.Claims[i].Cells()
		}
		markdown(&b, Heads(), rows)
		if note := MemoryNote(r.Claims); note != "" {
			fmt.Fprintf(&b, "\n\\%s\n", note)
		}
	}
	if len(r.Findings) > 0 {
		b.WriteString("\n")
	}
	for _, f := range r.Findings {
		fmt.Fprintln(&b, wrap("- "+f.Sentence("**"+f.Verdict()+"**"), "  "))
	}
	for i := range r.Pictures {
		p := &r.Pictures[i]
		file := p.File(entry.Name)
		var picture strings.Builder
		if err := p.SVG(&picture); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		s.Pictures[file] = picture.String()
		fmt.Fprintf(&b, "\n![%s](%s)\n", entry.Title, "../img/"+file)
	}
	for _, t := range r.Tables {
		fmt.Fprintf(&b, "\n%s:\n", t.Title)
		markdown(&b, t.Columns, t.Rows)
	}
	s.Text = b.String()
	return s, nil
}

// pageWidth is the number of columns of the page's text. Tables are wider.
const pageWidth = 100

// marks matches words that would make a list, a quotation or a heading of a line that begins with
// them.
var marks = regexp.MustCompile(`^([-+*]|[>#].*|[0-9]+[.)])$`)

// wrap breaks a paragraph into lines; those after the first begin with the indent.
func wrap(text, indent string) string {
	var b strings.Builder
	column := 0
	for i, word := range strings.Fields(text) {
		width := utf8.RuneCountInString(word)
		switch {
		case i == 0:
		case column+1+width > pageWidth && !marks.MatchString(word):
			b.WriteString("\n" + indent)
			column = len(indent)
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(word)
		column += width
	}
	return b.String()
}

// markdown writes a table.
func markdown(w io.Writer, heads []string, rows [][]string) {
	line := func(cells []string) {
		escaped := make([]string, len(cells))
		for i, c := range cells {
			escaped[i] = strings.ReplaceAll(c, "|", "\\|")
		}
		fmt.Fprintf(w, "| %s |\n", strings.Join(escaped, " | "))
	}
	fmt.Fprintln(w)
	line(heads)
	fmt.Fprintf(w, "|%s\n", strings.Repeat("---|", len(heads)))
	for _, row := range rows {
		line(row)
	}
}

// writtenBy says what writes the page of a reproduction.
func writtenBy(name string) string {
	return "COPPICE_UPDATE=" + name + " go test ./cmd/coppice/internal/lab/reproductions -run " +
		"TestPages writes it"
}

// writePages writes the pages and pictures of the reproductions named, 1 = all that are not slow,
// and the lists of all.
func writePages(t *testing.T, docs, names string) {
	t.Helper()
	write := func(file, text string) {
		if err := os.WriteFile(filepath.Join(docs, file), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range Table() {
		if names == "1" && row.Slow != "" ||
			names != "1" && !slices.Contains(strings.Split(names, ","), row.Name) {
			continue
		}
		found, err := row.Run(t.Context(), &Env{})
		if err != nil {
			t.Fatalf("%s: %v", row.Name, err)
		}
		page := whole(t, &row, found)
		for file, picture := range page.Pictures {
			write("img/"+file, picture)
		}
		write("lab/"+row.PageFile(), page.Text)
	}
	pages, err := Pages(filepath.Join(docs, "lab"))
	if err != nil {
		t.Fatal(err)
	}
	write("printed.md", Printed(pages))
	write("lab.md", Index())
}
