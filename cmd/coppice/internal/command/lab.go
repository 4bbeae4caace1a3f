package command

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/internal/lab"
	"github.com/coppice-ml/coppice/internal/replace"
)

// labCommand is the command lab with its flags.
type labCommand struct {
	*console
	jsonFlag
	threadFlag
	folder string // for pictures, "" = none
	data   string
}

func newLab(c *console) *cobra.Command {
	o := &labCommand{console: c}
	cmd := &cobra.Command{
		Use:   "lab [NAME...]",
		Short: "Reproduce results of textbooks and papers",
		Long: `List the reproductions of numbers and pictures of textbooks and papers, or run those named. A run prints
the published values, the values of formulas, our results and verdicts, and the picture in characters; -o writes the
picture as SVG. Some require tables of the project: run them inside a checkout, or name a folder like its
testdata. The last line counts how many published numbers, numbers by formula and statements were reproduced. A result
that is not reproduced is a result like any other, and the exit status is 0.`,
		Example: `  coppice lab
  coppice lab voters
  coppice lab voters impurity -o pictures --json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	return withFlags(c, cmd, newSection("Flags", o.define, o.threadFlag.define, o.jsonFlag.define))
}

func (o *labCommand) define(f *pflag.FlagSet) {
	f.StringVarP(&o.folder, "out", "o", "", "write the pictures as SVG to the folder `DIR`, which is created if absent")
	f.StringVar(&o.data, "data", "", "read tables from `DIR` (default: testdata of the checkout around the working directory)")
}

func (o *labCommand) run(ctx context.Context, names []string) error {
	if err := o.threadFlag.check(); err != nil {
		return err
	}
	if len(names) == 0 {
		if o.folder != "" || o.data != "" {
			return misusef("-o and --data go with a reproduction: name one (coppice lab lists them)")
		}
		return o.list()
	}
	var rows []*lab.Reproduction
	for _, name := range names {
		row, err := lab.ByName(name)
		if err != nil {
			return misuseError{err}
		}
		rows = append(rows, row)
	}
	if o.folder != "" {
		if err := os.MkdirAll(o.folder, 0o777); err != nil {
			return fmt.Errorf("cannot write pictures: %w", err)
		}
	}
	var reports []*labReport
	var all lab.Count
	for i, row := range rows {
		o.progress.begin(row.Name)
		r, err := row.Run(ctx, &lab.Env{Data: o.data, Workers: o.threads})
		if err != nil {
			return fmt.Errorf("%s: %w", row.Name, err)
		}
		report, err := o.report(row, r)
		if err != nil {
			return err
		}
		reports = append(reports, report)
		if o.jsonFlag.json {
			continue
		}
		if i > 0 {
			o.printf("\n\n")
		}
		if err := o.print(report, r); err != nil {
			return err
		}
		all = all.Plus(r.Count())
	}
	if o.jsonFlag.json {
		return o.console.json(map[string]any{"reproductions": reports})
	}
	if len(reports) > 1 {
		o.printf("\n\n%s\n", wrap(fmt.Sprintf("All %d reproductions: %v", len(reports), all)))
	}
	return nil
}

// report makes the report of a reproduction, and writes its pictures.
func (o *labCommand) report(row *lab.Reproduction, r *lab.Result) (*labReport, error) {
	report := &labReport{labRow: newLabRow(row), Kept: r.Kept(), Count: r.Count(),
		Claims: append([]lab.Claim{}, r.Claims...), Findings: []labFinding{}, Tables: append([]lab.Numbers{}, r.Tables...)}
	for _, f := range r.Findings {
		report.Findings = append(report.Findings, labFinding(f))
	}
	var err error
	report.Pictures, err = o.draw(row, r)
	return report, err
}

// sentence begins a count with a capital letter.
func sentence(n lab.Count) string {
	text := n.String()
	return strings.ToUpper(text[:1]) + text[1:]
}

// labRow is the object that --json prints of a row of the table.
type labRow struct {
	Name   string `json:"name"`
	Title  string `json:"title"`
	Source string `json:"source"`
	Takes  string `json:"takes"`
}

func newLabRow(row *lab.Reproduction) labRow {
	return labRow{row.Name, row.Title, row.Source, row.Takes()}
}

// labReport is the object that --json prints of a run.
type labReport struct {
	labRow
	Kept     bool          `json:"kept"` // whether nothing that was published is contradicted
	Count    lab.Count     `json:"count"`
	Claims   []lab.Claim   `json:"claims"`
	Findings []labFinding  `json:"findings"`
	Tables   []lab.Numbers `json:"tables"`
	Pictures []string      `json:"pictures"` // files that were written
}

type labFinding struct {
	What  string `json:"what"`
	Found string `json:"found"`
	Holds bool   `json:"holds"`
	Open  bool   `json:"undecided"` // neither holds nor is contradicted
}

func (o *labCommand) list() error {
	var all []labRow
	rows := lab.Table()
	for i := range rows {
		all = append(all, newLabRow(&rows[i]))
	}
	if o.jsonFlag.json {
		return o.console.json(map[string]any{"reproductions": all})
	}
	g := grid{columns: []column{{name: "name"}, {name: "shows", wrap: 72}, {name: "takes about"}}}
	for _, row := range all {
		g.add(row.Name, row.Title, row.Takes)
	}
	g.print(o.out)
	o.printf("\nRun one with coppice lab NAME.\n")
	return nil
}

// draw writes the pictures of a result to the folder and returns their files.
func (o *labCommand) draw(row *lab.Reproduction, r *lab.Result) ([]string, error) {
	written := []string{}
	if o.folder == "" {
		return written, nil
	}
	for i := range r.Pictures {
		p := &r.Pictures[i]
		file := filepath.Join(o.folder, p.File(row.Name))
		if err := replace.File(file, p.SVG); err != nil {
			return nil, fmt.Errorf("cannot write %s: %w", file, err)
		}
		written = append(written, file)
	}
	return written, nil
}

// print prints a run.
func (o *labCommand) print(report *labReport, r *lab.Result) error {
	o.printf("%s\n%s\n", wrap(report.Title), wrap("Source: "+report.Source))
	for _, p := range r.Text {
		o.printf("\n%s\n", wrap(p))
	}
	if len(r.Claims) > 0 {
		o.printf("\n")
		heads := lab.Heads()
		g := grid{columns: []column{{name: heads[0], wrap: 60}, {name: heads[1], right: true}, {name: heads[2], right: true}, {name: heads[3], right: true}, {name: heads[4], wrap: 40}}}
		for i := range r.Claims {
			g.add(r.Claims[i].Cells()...)
		}
		g.print(o.out)
	}
	if len(r.Findings) > 0 {
		o.printf("\n")
		for i := range r.Findings {
			f := &r.Findings[i]
			o.printf("%s\n", wrap(fmt.Sprintf("%s: %s (%s)", f.What, strings.ToUpper(f.Verdict()), f.Found)))
		}
	}
	for _, t := range r.Tables {
		o.printf("\n%s\n\n", wrap(t.Title))
		g := grid{columns: append([]column{{name: t.Columns[0]}}, numbers(t.Columns[1:]...)...)}
		for _, row := range t.Rows {
			g.add(row...)
		}
		g.print(o.out)
	}
	for i := range r.Pictures {
		o.printf("\n")
		if err := r.Pictures[i].Text(o.out); err != nil {
			return err
		}
	}
	for _, file := range report.Pictures {
		o.printf("\nThe picture is %s\n", file)
	}
	o.printf("\n%s\n", wrap(sentence(r.Count())))
	return nil
}
