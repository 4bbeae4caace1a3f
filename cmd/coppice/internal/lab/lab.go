// Package lab is the command lab: it runs reproductions of published results and prints them.
package lab

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/lab"
	"github.com/coppice-ml/coppice/internal/replace"
)

// command is the command lab with its flags.
type command struct {
	*cli.Console
	cli.JSONFlag
	cli.ThreadFlag
	folder string // for pictures, "" = none
	data   string
}

// New makes the command.
func New(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use:   "lab [NAME...]",
		Short: "Reproduce results of textbooks and papers",
		Long: `List the reproductions of numbers and pictures of textbooks and papers, or run
those named. A run prints the published values, the values of formulas, our results and verdicts,
and the picture in characters; -o writes the picture as SVG. Some require tables of the project:
run them inside a checkout, or name a folder like its testdata. The last line counts how many
published numbers, numbers by formula and statements were reproduced. A result that is not
reproduced is a result like any other, and the exit status is 0.`,
		Example: `  coppice lab
  coppice lab voters
  coppice lab voters impurity -o pictures --json`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	return cli.WithFlags(c, cmd, cli.NewSection("Flags", o.define, o.ThreadFlag.Define,
		o.JSONFlag.Define))
}

func (o *command) define(f *pflag.FlagSet) {
	f.StringVarP(&o.folder, "out", "o", "",
		"write the pictures as SVG to the folder `DIR`, which is created if absent")
	f.StringVar(&o.data, "data", "",
		"read tables from `DIR` (default: testdata of the checkout around the working directory)")
}

func (o *command) run(ctx context.Context, names []string) error {
	if err := o.ThreadFlag.Check(); err != nil {
		return err
	}
	if len(names) == 0 {
		if o.folder != "" || o.data != "" {
			return cli.Misusef(
				"-o and --data go with a reproduction: name one (coppice lab lists them)")
		}
		return o.list()
	}
	var rows []*lab.Reproduction
	for _, name := range names {
		row, err := lab.ByName(name)
		if err != nil {
			return cli.Misuse(err)
		}
		rows = append(rows, row)
	}
	if o.folder != "" {
		if err := os.MkdirAll(o.folder, 0o777); err != nil {
			return fmt.Errorf("cannot write pictures: %w", err)
		}
	}
	var reports []*report
	var all lab.Count
	for i, row := range rows {
		o.Progress.Begin(row.Name)
		r, err := row.Run(ctx, &lab.Env{Data: o.data, Workers: o.Threads})
		if err != nil {
			return fmt.Errorf("%s: %w", row.Name, err)
		}
		report, err := o.report(row, r)
		if err != nil {
			return err
		}
		reports = append(reports, report)
		if o.JSONFlag.JSON {
			continue
		}
		if i > 0 {
			o.Printf("\n\n")
		}
		if err := o.print(report, r); err != nil {
			return err
		}
		all = all.Plus(r.Count())
	}
	if o.JSONFlag.JSON {
		return o.Console.JSON(map[string]any{"reproductions": reports})
	}
	if len(reports) > 1 {
		o.Printf("\n\n%s\n", cli.Wrap(fmt.Sprintf("All %d reproductions: %v", len(reports), all)))
	}
	return nil
}

// report makes the report of a reproduction, and writes its pictures.
func (o *command) report(row *lab.Reproduction, r *lab.Result) (*report, error) {
	report := &report{row: newRow(row), Kept: r.Kept(), Count: r.Count(),
		Claims: append([]lab.Claim{}, r.Claims...), Findings: []finding{},
		Tables: append([]lab.Numbers{}, r.Tables...)}
	for _, f := range r.Findings {
		report.Findings = append(report.Findings, finding(f))
	}
	var err error
	report.Pictures, err = o.draw(row, r)
	return report, err
}

// draw writes the pictures of a result to the folder and returns their files.
func (o *command) draw(row *lab.Reproduction, r *lab.Result) ([]string, error) {
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
