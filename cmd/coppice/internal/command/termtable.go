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

// showReadable shows a model without trees or rules.
func (o *showCommand) showReadable(path string, m model.Readable) error {
	name, _ := m.Size()
	for _, flag := range []string{"path", "tree", "depth"} {
		if o.flags.Changed(flag) {
			return misusef("--%s is for trees: %s consists of %s", flag, path, name)
		}
	}
	if o.flags.Changed("format") && o.format != "text" && o.format != "json" {
		return misusef("--format %s draws trees: %s consists of %s, use text or json", o.format, path, name)
	}
	return o.fileFlag.write(o.console, func(w io.Writer) error {
		out := *o.console
		out.out = w
		if o.jsonFlag.json || o.format == "json" {
			s := summaryOfModel(m)
			s.Content = m.Content()
			return out.json(s)
		}
		o.heading(&out, path, m)
		if _, rows := m.Table(); len(rows) > 0 {
			out.printf("\n")
			printTerms(&out, m, len(rows))
		}
		printHoldOut(&out, m.Spec())
		return nil
	})
}

// printReadable prints the first rows of a model that was just trained.
func (r *trainReport) printReadable(c *console, m model.Readable) {
	_, rows := m.Table()
	if len(rows) == 0 {
		return
	}
	c.printf("\n")
	printTerms(c, m, printedTerms)
	if len(rows) > printedTerms {
		c.printf("and %d more: coppice show %s lists all.\n", len(rows)-printedTerms, humanize.Name(r.Model))
	}
}

// printTerms prints the first rows of a model's table.
func printTerms(c *console, m model.Readable, limit int) {
	heading, rows := m.Table()
	g := grid{columns: numbers(heading...)}
	for i := range g.columns {
		g.columns[i].name = humanize.Name(g.columns[i].name)
	}
	g.columns[0].right = false
	for _, row := range rows[:min(limit, len(rows))] {
		row[0] = humanize.Name(row[0])
		g.add(row...)
	}
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
