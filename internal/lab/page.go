package lab

import (
	"fmt"
	"io"
	"strings"
)

// Section is what docs/lab.md holds of one reproduction: its text in Markdown, and its pictures by
// file name.
type Section struct {
	Text     string
	Pictures map[string]string
}

// pageHead begins docs/lab.md.
const pageHead = `# The lab

Numbers and pictures that textbooks, papers and lectures print of trees and their ensembles, computed again. ` + "`coppice lab`" + ` lists what there
is, and runs one by its name:

    coppice lab voters            # the numbers, ours beside those of the source, and the picture in characters
    coppice lab voters -o DIR     # the picture as SVG, too
    coppice lab voters --json

A claim puts our number beside what it should be. *published* is a number that the source prints. *by formula* is one that we computed
from a formula: nobody printed it. "same" is equal up to what was rounded, "better" is a smaller error, "within two s.e." is within two
standard errors. "misprint" is a published number that the formula contradicts; the reason follows. "differs" and "worse" mean that the
number was not found again, and the text tells why. Where a dash stands the generator or the split was not published. Statements below the
claims tell what can be compared then; one about a difference within two standard errors of 0 is undecided. The last line of a run counts
published numbers, numbers by formula and statements apart. This page is made by ` + "`go run ./internal/lab/page`" + `; a test
runs the quick reproductions again and compares.

`

// Page returns docs/lab.md. sections holds the text of every reproduction by name; what it lacks is
// an error.
func Page(sections map[string]string) (string, error) {
	var b strings.Builder
	b.WriteString(pageHead)
	b.WriteString("| name | shows | takes about |\n|---|---|---|\n")
	rows := Table()
	for i := range rows {
		row := &rows[i]
		fmt.Fprintf(&b, "| [`%s`](#%s) | %s | %s |\n", row.Name, row.Name, row.Title, row.Takes())
	}
	for i := range rows {
		text, ok := sections[rows[i].Name]
		if !ok {
			return "", fmt.Errorf("the page has no section of %s: run it by its name (go run ./internal/lab/page %s)", rows[i].Name, rows[i].Name)
		}
		fmt.Fprintf(&b, "\n%s%s", sectionMark(rows[i].Name), text)
	}
	return b.String(), nil
}

// Takes is how long the reproduction takes on one core.
func (r *Reproduction) Takes() string {
	if r.Slow == "" {
		return "some seconds"
	}
	return r.Slow
}

// sectionMark is the line that a section begins with.
func sectionMark(name string) string { return "<!-- lab: " + name + " -->\n" }

// Sections takes a page apart: the texts of its sections, by name.
func Sections(page string) map[string]string {
	found := map[string]string{}
	parts := strings.Split(page, "\n<!-- lab: ")
	for _, part := range parts[1:] {
		name, text, _ := strings.Cut(part, " -->\n")
		found[name] = strings.TrimSuffix(text, "\n") + "\n"
	}
	return found
}

// NewSection writes what a run of a reproduction gave for the page, whose pictures lie in its
// folder img.
func NewSection(row *Reproduction, r *Result) (*Section, error) {
	s := &Section{Pictures: map[string]string{}}
	var b strings.Builder
	fmt.Fprintf(&b, "## %s\n\n%s. Source: %s.\n", row.Name, row.Title, row.Source)
	for _, p := range r.Text {
		fmt.Fprintf(&b, "\n%s\n", p)
	}
	if len(r.Claims) > 0 {
		rows := make([][]string, len(r.Claims))
		for i := range r.Claims {
			rows[i] = r.Claims[i].Cells()
		}
		markdown(&b, Heads(), rows)
	}
	if len(r.Findings) > 0 {
		b.WriteString("\n")
	}
	for _, f := range r.Findings {
		fmt.Fprintf(&b, "- %s: **%s** (%s)\n", f.What, f.Verdict(), f.Found)
	}
	for i := range r.Pictures {
		p := &r.Pictures[i]
		file := p.File(row.Name)
		var picture strings.Builder
		if err := p.SVG(&picture); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		s.Pictures[file] = picture.String()
		fmt.Fprintf(&b, "\n![%s](%s)\n", row.Title, "img/"+file)
	}
	for _, t := range r.Tables {
		fmt.Fprintf(&b, "\n%s:\n", t.Title)
		markdown(&b, t.Columns, t.Rows)
	}
	s.Text = b.String()
	return s, nil
}

// Verdict returns what came of the finding.
func (f *Finding) Verdict() string {
	switch {
	case f.Holds:
		return "holds"
	case f.Open:
		return "undecided"
	}
	return "does not hold"
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
