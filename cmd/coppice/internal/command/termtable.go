package command

import (
	"encoding/json"
	"io"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/dense"
)

// printedTerms is the most rows that train prints of a model without trees or rules.
const printedTerms = 20

// showOther shows a model without trees or rules.
func (o *showCommand) showOther(path string, m model.Model) error {
	d := m.Describe()
	for _, flag := range []string{"path", "tree", "depth"} {
		if o.flags.Changed(flag) {
			return misusef("--%s is for trees: %s consists of %s", flag, path, d.Title)
		}
	}
	if o.flags.Changed("format") && o.format != "text" && o.format != "json" {
		return misusef("--format %s draws trees: %s consists of %s, use text or json", o.format, path, d.Title)
	}
	return o.fileFlag.write(o.console, func(w io.Writer) error {
		out := *o.console
		out.out = w
		if o.jsonFlag.json || o.format == "json" {
			s := summaryOfModel(m)
			s.Content = d.Content
			return out.json(s)
		}
		o.heading(&out, path, m)
		if t := d.Table; t != nil && len(t.Rows) > 0 {
			out.printf("\n")
			printTable(&out, t, len(t.Rows))
		}
		printHoldOut(&out, m.Spec())
		return nil
	})
}

// printTable prints the first rows of what a model that was just trained lists.
func (r *trainReport) printTable(c *console, m model.Model) {
	d := m.Describe()
	if d.Table == nil || len(d.Table.Rows) == 0 {
		return
	}
	c.printf("\n")
	printTable(c, d.Table, printedTerms)
	if more := len(d.Table.Rows) - printedTerms; more > 0 {
		c.printf("and %d more: coppice show %s lists all.\n", more, humanize.Name(r.Model))
	}
}

// printTable prints the first rows of a table.
func printTable(c *console, t *model.Table, limit int) {
	var g grid
	for _, h := range t.Columns {
		g.columns = append(g.columns, column{name: h.Name, right: !h.Text})
	}
	g.rows = t.Rows[:min(limit, len(t.Rows))]
	g.print(c.out)
}

// encodingFacts describes how a model encodes rows as vectors, and how its training went. For other
// models it returns nothing.
func encodingFacts(s *model.Spec) []fact {
	var found struct {
		Encoding *dense.Report `json:"encoding"`
		Solution string        `json:"solution"`
	}
	if json.Unmarshal(s.Summary, &found) != nil || found.Encoding == nil {
		return nil
	}
	facts := make([]fact, 0, 2)
	for i, line := range found.Encoding.Words(humanize.Name) {
		facts = append(facts, fact{[]string{"encoding", ""}[min(i, 1)], line})
	}
	if found.Solution != "" {
		facts = append(facts, fact{"solution", humanize.Name(found.Solution)})
	}
	return facts
}
