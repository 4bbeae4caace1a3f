package lab

import (
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

// mostVerdict is the characters to which verdicts are wrapped.
const mostVerdict = 28

// print prints a run.
func (o *command) print(report *report, r *reproductions.Result) error {
	o.Printf("%s\n%s\n", cli.Wrap(report.Title), cli.Wrap("Source: "+report.Source))
	for _, p := range r.Text {
		o.Printf("\n%s\n", cli.Wrap(p))
	}
	if len(r.Claims) > 0 {
		o.Printf("\n")
		heads := reproductions.Heads()
		g := cli.Grid{Columns: append(append([]cli.Column{{Name: heads[0]}},
			cli.Numbers(heads[1:4]...)...), cli.Column{Name: heads[4], Wrap: mostVerdict})}
		room := [5]int{}
		for i := range r.Claims {
			cells := r.Claims[i].Cells()
			for k := range room {
				room[k] = max(room[k], len(heads[k]), utf8.RuneCountInString(cells[k]))
			}
			g.Add(cells...)
		}
		g.Columns[0].Wrap = cli.Width - 8 - room[1] - room[2] - room[3] -
			min(room[4], mostVerdict)
		g.Print(o.Out)
	}
	if len(r.Findings) > 0 {
		o.Printf("\n")
		for i := range r.Findings {
			f := &r.Findings[i]
			o.Printf("%s\n",
				cli.Wrap(f.Sentence(strings.ToUpper(f.Verdict()))))
		}
	}
	for _, t := range r.Tables {
		o.Printf("\n%s\n\n", cli.Wrap(t.Title))
		g := cli.Grid{Columns: append([]cli.Column{{Name: t.Columns[0]}},
			cli.Numbers(t.Columns[1:]...)...)}
		for _, row := range t.Rows {
			g.Add(row...)
		}
		g.Print(o.Out)
	}
	for i := range r.Pictures {
		o.Printf("\n")
		if err := r.Pictures[i].Text(o.Out); err != nil {
			return err
		}
	}
	for _, file := range report.Pictures {
		o.Printf("\nThe picture is %s\n", file)
	}
	o.Printf("\n%s\n", cli.Wrap(sentence(r.Count())))
	return nil
}

// sentence begins a count with a capital letter.
func sentence(n reproductions.Count) string {
	text := n.String()
	return strings.ToUpper(text[:1]) + text[1:]
}
