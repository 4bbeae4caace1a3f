package convert

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/codec/gosource"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/replace"
	"github.com/coppice-ml/coppice/model"
)

// generation is the command generate with its flags.
type generation struct {
	*cli.Console
	models.LimitFlag
	output string
	name   string
	form   string
	rows   int // of the test; 0 = no test
}

// NewGenerate makes the command.
func NewGenerate(c *cli.Console) *cobra.Command {
	o := &generation{Console: c}
	cmd := &cobra.Command{
		Use:   "generate MODEL",
		Short: "Translate a model of trees into Go source",
		Long: `Write a Go package that predicts as the model does, bit for bit. It imports nothing
but math, and its predictions do not allocate memory. Row is a struct with a field for each column
that the trees use, and categories have constants. A test file beside it checks the predictions of
rows at the model's split points.

Small models become nested ifs, which are fastest and can be read. Large ones become a table of
nodes, because a compiler takes long for many ifs. coppice bench measures the model file itself.`,
		Example: `  coppice generate trees.coppice -o fraud/model.go
  coppice generate xgboost.json --package price -o internal/price/model.go --form table`,
		Args: cli.Operands(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args[0]) },
	}
	return cli.WithFlags(c, cmd, cli.NewSection("Flags", o.define, o.LimitFlag.Define))
}

func (o *generation) define(f *pflag.FlagSet) {
	f.StringVarP(&o.output, "out", "o", "model.go", "write the package to `FILE`, and its test beside it")
	f.StringVar(&o.name, "package", "", "call the package `NAME` (default: the folder of the file)")
	f.StringVar(&o.form, "form", "auto", "write trees as `FORM`: ifs, table or auto (ifs up to "+
		fmt.Sprint(gosource.DefaultNodes)+" nodes)")
	f.IntVar(&o.rows, "probe-rows", 500, "test on about `N` rows; 0 = write no test")
}

// options are those of package gosource.
func (o *generation) options() (gosource.Options, error) {
	made := gosource.Options{Package: o.name}
	switch o.form {
	case "auto":
	case "ifs":
		made.Nodes = math.MaxInt
	case "table":
		made.Nodes = -1
	default:
		return made, cli.Misusef("--form %q: %s", o.form,
			cli.Instead(o.form, []string{"auto", "ifs", "table"}))
	}
	if made.Package == "" {
		path, err := filepath.Abs(o.output)
		if err != nil {
			return made, err
		}
		made.Package = packageName(filepath.Base(filepath.Dir(path)))
	}
	return made, nil
}

// packageName returns the letters and digits of a folder's name.
func packageName(folder string) string {
	name := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(folder))
	if name == "" || name[0] <= '9' {
		return "model" + name
	}
	return name
}

func (o *generation) run(_ context.Context, path string) (err error) {
	if o.rows < 0 {
		return cli.Misusef("--probe-rows %d: want 0 or more", o.rows)
	}
	if !strings.HasSuffix(o.output, ".go") || strings.HasSuffix(o.output, "_test.go") {
		return cli.Misusef("-o %s: want the name of a Go file, such as fraud/model.go", o.output)
	}
	options, err := o.options()
	if err != nil {
		return err
	}
	test := strings.TrimSuffix(o.output, ".go") + "_test.go"
	discard, err := replace.Folder(filepath.Dir(o.output))
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			discard()
		}
	}()
	for _, out := range []string{o.output, test} {
		if err := cli.Writable(out, path); err != nil {
			return err
		}
	}
	m, err := o.LimitFlag.Open(path, false)
	if err != nil {
		return err
	}
	d := m.Describe()
	if d.Ensemble == nil {
		return fmt.Errorf("%s: only models of trees become Go source: this one %s", path,
			d.Obstructs())
	}
	e := d.Ensemble.First(0) // the rounds that predictions use
	if err := writeFile(o.output, func(w io.Writer) error {
		return gosource.Write(w, e, options)
	}); err != nil {
		return err
	}
	o.Facts(cli.Fact{Name: "package", Text: options.Package},
		cli.Fact{Name: "trees", Text: e.Describe().Words},
		cli.Fact{Name: "source", Text: humanize.Name(o.output)})
	if o.rows == 0 {
		return nil
	}
	rows := probes(e, o.rows)
	if err := writeFile(test, func(w io.Writer) error {
		return gosource.WriteTest(w, e, options, rows)
	}); err != nil {
		return err
	}
	o.Facts(cli.Fact{Name: "test", Text: fmt.Sprintf("%s, with %s", humanize.Name(test),
		humanize.Count(len(rows), "row", "rows"))})
	return nil
}

// probes are rows at the split points of a model.
func probes(e *model.Ensemble, most int) [][]float64 {
	p := parity.Make(e, most)
	rows := make([][]float64, p.Rows())
	for i := range rows {
		rows[i] = p.Row(i)
	}
	return rows
}

// writeFile writes a file whole, or returns the error of writing.
func writeFile(path string, write func(io.Writer) error) error {
	var work error
	err := replace.File(path, func(w io.Writer) error {
		work = write(w)
		return work
	})
	switch {
	case work != nil && errors.Is(err, work):
		return work
	case err != nil:
		return fmt.Errorf("cannot write %s: %w", path, err)
	}
	return nil
}
