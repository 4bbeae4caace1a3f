// Package lab is the command lab: it runs reproductions of published results and prints them.
package lab

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/lab/reproductions"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/replace"
)

// command is the command lab with its flags.
type command struct {
	*cli.Console
	cli.JSONFlag
	cli.ThreadFlag
	cli.SeedFlag
	tables.TrainingFlags        // of a table of one's own
	folder               string // for pictures, "" = none
	data                 string
	quick                bool
	play                 playgroundFlags
}

// New makes the command.
func New(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use:         "lab [NAME... | all | NAME DATA... --label COL]",
		Annotations: cli.Often("out data quick threads json serve export label task ignore missing seed memory"),
		Short:       "Reproduce results of textbooks and papers",
		Long: `List the reproductions of numbers and pictures of textbooks and papers, or run
those named. A run begins with how many published numbers, numbers by formula and statements were
reproduced. The values with their verdicts follow, and what else fits one screen. -v prints all
text, tables and pictures in characters, and -o writes the pictures as SVG. A result that is not
reproduced is a result like any other, and the exit status is 0.

The name all runs all of them, in some minutes; --quick leaves out those that take longer than some
seconds. The tables are in the program; --data names a folder with others.

With --label, NAME is one of bias-variance, instability, mtry and overfit, and runs on a table of
one's own. There is no truth in it: bias and noise stand together. Columns that name or number the
rows are left out.

coppice lab --serve :8080 shows the playground in a browser: draw points, and watch trees, forests
and boosting learn them. --export writes it as static files.`,
		Example: `  coppice lab
  coppice lab voters impurity -o pictures --json
  coppice lab overfit flowers.csv --label species
  coppice lab all --quick`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	sections := []cli.Section{cli.NewSection("Flags", o.define, o.ThreadFlag.Define,
		o.SeedFlag.Define, o.JSONFlag.Define), cli.NewSection("Playground", o.play.define)}
	return cli.WithFlags(c, cmd, append(sections, o.TrainingFlags.Sections()...)...)
}

func (o *command) define(f *pflag.FlagSet) {
	f.StringVarP(&o.folder, "out", "o", "",
		"write the pictures as SVG to the folder `DIR`, which is created if absent")
	f.StringVar(&o.data, "data", "",
		"read tables from `DIR` where it has them (default: the copies in the program)")
	f.BoolVar(&o.quick, "quick", false, "all: leave out what takes longer than some seconds")
}

func (o *command) run(ctx context.Context, names []string) (err error) {
	if err := o.ThreadFlag.Check(o.Console); err != nil {
		return err
	}
	if o.play.requested() {
		return o.playground(ctx, names)
	}
	if o.Label != "" {
		return o.experiment(ctx, names)
	}
	if len(names) == 0 {
		if o.folder != "" || o.data != "" || o.quick {
			return cli.Misusef("-o, --data and --quick go with a reproduction: name one " +
				"(coppice lab lists them), or all")
		}
		return o.list()
	}
	rows, err := o.find(names)
	if err != nil {
		return err
	}
	discard, err := o.pictures()
	if err != nil {
		return err
	}
	defer func() { discard(err) }()
	return o.reproduce(ctx, rows)
}

// pictures makes the folder for pictures, if one is wanted. The function that it returns removes a
// folder that was made, where the command ends with an error.
func (o *command) pictures() (end func(error), err error) {
	if o.folder == "" {
		return func(error) {}, nil
	}
	discard, err := replace.Folder(o.folder)
	if err != nil {
		return nil, fmt.Errorf("cannot write pictures: %w", err)
	}
	return func(err error) {
		if err != nil {
			discard()
		}
	}, nil
}

// reproduce runs reproductions and prints them.
func (o *command) reproduce(ctx context.Context, rows []*reproductions.Reproduction) error {
	reports := []*report{}
	var all reproductions.Count
	for _, row := range rows {
		o.Progress.Begin(row.Name)
		r, err := row.Run(ctx, &reproductions.Env{Data: o.data, Workers: o.Threads})
		if err != nil {
			err = fmt.Errorf("%s: %w", row.Name, err)
			if o.folder != "" && len(reports) > 0 {
				err = cli.InterruptedAfter(err, "pictures were written to "+humanize.Name(o.folder))
			}
			return err
		}
		report, err := o.report(row, r)
		if err != nil {
			return err
		}
		reports = append(reports, report)
		all = all.Plus(r.Count())
		if o.JSONFlag.JSON {
			continue
		}
		if len(reports) > 1 {
			o.Printf("\n\n")
		}
		if err := o.print(report, r); err != nil {
			return err
		}
	}
	if o.JSONFlag.JSON {
		return o.Console.JSON(map[string]any{"reproductions": reports, "count": all})
	}
	if len(reports) > 1 {
		o.Printf("\n\n%s\n", cli.Wrap(fmt.Sprintf("All %d reproductions: %v", len(reports), all)))
	}
	return nil
}

// everything is the name that stands for all reproductions.
const everything = "all"

// find returns the reproductions of the names.
func (o *command) find(names []string) ([]*reproductions.Reproduction, error) {
	if o.quick && (len(names) != 1 || names[0] != everything) {
		return nil, cli.Misusef("--quick goes with coppice lab all: leave it out")
	}
	var rows []*reproductions.Reproduction
	if len(names) == 1 && names[0] == everything {
		table := reproductions.Table()
		for i := range table {
			if !o.quick || table[i].Slow == "" {
				rows = append(rows, &table[i])
			}
		}
		return rows, nil
	}
	for _, name := range names {
		row, err := reproductions.ByName(name)
		if err != nil {
			return nil, cli.Misuse(err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// report makes the report of a reproduction, and writes its pictures.
func (o *command) report(row *reproductions.Reproduction, r *reproductions.Result) (*report, error) {
	report := &report{row: newRow(row), Kept: r.Kept(), Count: r.Count(),
		Claims: append([]reproductions.Claim{}, r.Claims...), Findings: []finding{},
		Tables: append([]reproductions.Numbers{}, r.Tables...)}
	for _, f := range r.Findings {
		report.Findings = append(report.Findings, finding{f.What, f.Found, f.Holds, f.Unpublished,
			f.Open})
	}
	var err error
	report.Pictures, err = o.draw(row, r)
	return report, err
}

// draw writes the pictures of a result to the folder and returns their files.
func (o *command) draw(row *reproductions.Reproduction, r *reproductions.Result) ([]string, error) {
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
