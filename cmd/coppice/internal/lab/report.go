package lab

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/lab/reproductions"
)

// row is the object that --json prints of a reproduction in the list.
type row struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Source string `json:"source"`
	Takes  string `json:"takes"`
}

func newRow(r *reproductions.Reproduction) row {
	return row{r.Name, r.Title, r.Source, r.Takes()}
}

// report is the object that --json prints of a run.
type report struct {
	row
	Kept     bool                    `json:"kept"` // no published result is contradicted
	Count    reproductions.Count     `json:"count"`
	Claims   []reproductions.Claim   `json:"claims"`
	Findings []finding               `json:"findings"`
	Tables   []reproductions.Numbers `json:"tables"`
	Pictures []string                `json:"pictures"` // files that were written
}

type finding struct {
	What        string `json:"what"`
	Found       string `json:"found"`
	Holds       bool   `json:"holds"`
	Unpublished bool   `json:"unpublished"` // by a formula or ours
	Open        bool   `json:"undecided"`   // neither holds nor is contradicted
}

func (o *command) list() error {
	var all []row
	rows := reproductions.Table()
	for i := range rows {
		all = append(all, newRow(&rows[i]))
	}
	if o.JSONFlag.JSON {
		return o.Console.JSON(map[string]any{"reproductions": all})
	}
	g := cli.Grid{Columns: []cli.Column{{Name: "name"}, {Name: "shows", Wrap: 72},
		{Name: "takes about"}}}
	for _, row := range all {
		g.Add(row.Name, row.Title, row.Takes)
	}
	g.Print(o.Out)
	o.Printf("\nRun one with coppice lab NAME, or all of them with coppice lab all.\n")
	return nil
}

// screen is how many lines a run may print without -v.
const screen = 44

// mostVerdict is the characters to which verdicts are wrapped.
const mostVerdict = 28

// print prints a run: the verdicts in numbers, the claims, the statements, and what else fits one
// screen. With -v it prints everything. On a table of one's own, numbers stand before pictures.
func (o *command) print(report *report, r *reproductions.Result) error {
	head := cli.Wrap(report.Title) + "\n"
	if o.Label == "" {
		head += cli.Wrap(sentence(r.Count())) + "\n"
	}
	var pictures, texts, tables []func(w io.Writer) error
	for i := range r.Pictures {
		pictures = append(pictures, r.Pictures[i].Text)
	}
	for _, p := range append(slices.Clone(r.Text), "Source: "+report.Source+".") {
		texts = append(texts, func(w io.Writer) error {
			_, err := fmt.Fprintln(w, cli.Wrap(p))
			return err
		})
	}
	for _, t := range r.Tables {
		tables = append(tables, numbers(t))
	}
	lines, whole := strings.Count(head, "\n")+2, true
	o.Printf("%s", head)
	kinds := [][]func(w io.Writer) error{{claims(r.Claims), o.findings(r.Findings)}, pictures, texts,
		tables}
	if o.Label != "" {
		kinds = [][]func(w io.Writer) error{kinds[0], tables, pictures, texts}
	}
	for kind, parts := range kinds {
		for _, part := range parts {
			var b strings.Builder
			if err := part(&b); err != nil {
				return err
			}
			n := strings.Count(b.String(), "\n") + 1
			if kind > 0 && !o.Verbose && lines+n > screen {
				whole = false
				break
			}
			if n > 1 {
				o.Printf("\n%s", b.String())
				lines += n
			}
		}
	}
	for _, file := range report.Pictures {
		o.Printf("\nThe picture is %s\n", file)
	}
	if !whole {
		o.Printf("\n-v prints the source, pictures, tables and text that have no room here.\n")
	}
	return nil
}

// claims returns what prints claims as a table, if there are any.
func claims(all []reproductions.Claim) func(w io.Writer) error {
	return func(w io.Writer) error {
		if len(all) == 0 {
			return nil
		}
		heads := reproductions.Heads()
		g := cli.Grid{Columns: append(append([]cli.Column{{Name: heads[0]}},
			cli.Numbers(heads[1:4]...)...), cli.Column{Name: heads[4], Wrap: mostVerdict})}
		room := [5]int{}
		for i := range all {
			cells := all[i].Cells()
			for k := range room {
				room[k] = max(room[k], len(heads[k]), utf8.RuneCountInString(cells[k]))
			}
			g.Add(cells...)
		}
		g.Columns[0].Wrap = cli.Width - 8 - room[1] - room[2] - room[3] -
			min(room[4], mostVerdict)
		g.Print(w)
		if note := reproductions.MemoryNote(all); note != "" {
			fmt.Fprintln(w, note)
		}
		return nil
	}
}

// findings returns what prints statements with their verdicts, and whose they are if that is not
// plain.
func (o *command) findings(all []reproductions.Finding) func(w io.Writer) error {
	return func(w io.Writer) error {
		for _, f := range all {
			f.Unpublished = f.Unpublished && o.Label == ""
			fmt.Fprintln(w, cli.Wrap(f.Sentence(strings.ToUpper(f.Verdict()))))
		}
		return nil
	}
}

// numbers returns what prints a table of a result.
func numbers(t reproductions.Numbers) func(w io.Writer) error {
	return func(w io.Writer) error {
		fmt.Fprintf(w, "%s\n\n", cli.Wrap(t.Title))
		g := cli.Grid{Columns: append([]cli.Column{{Name: t.Columns[0]}},
			cli.Numbers(t.Columns[1:]...)...)}
		for _, row := range t.Rows {
			g.Add(row...)
		}
		g.Print(w)
		return nil
	}
}

// sentence begins a count with a capital letter.
func sentence(n reproductions.Count) string {
	text := n.String()
	return strings.ToUpper(text[:1]) + text[1:]
}
