// Package convert is the commands between model formats. Convert reads a model of any tool,
// compares it with its file, and writes it in another format. Generate writes it as Go source.
// Verify repeats the comparison of an imported model with the file that it came from.
package convert

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/replace"
	"github.com/coppice-ml/coppice/model"
)

// command is the command convert with its flags.
type command struct {
	*cli.Console
	models.LimitFlag
	limits codec.Limits
	dumpFlags
	dump *codec.Format // as the flags have it; nil: there are none
	cli.JSONFlag
	to        string // name of the format; "" = by the name of the output
	rows      int
	probes    string // file to write; "" = none
	written   bool   // whether it is
	expect    string // file to read; "" = none
	output    string // what the expected values are
	tolerance float64
	missingAs string // "" = what is refused stays refused
	rule      formats.MissingRule
}

// New makes the command.
func New(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use:         "convert IN [OUT]",
		Annotations: cli.Often("to missing-as probe-rows probes expect expect-output tolerance json"),
		Short:       "Convert a model of another tool, or into one",
		Long: `Read a model of any format, check that it predicts as its file states, and write it
to OUT. The format of IN is recognised by its content, that of OUT by its name or --to. ` + "Formats are\n" +
			formatList() + `

A model of another tool is compared with a second, plain evaluation of the nodes in its file. The
rows lie on the model's own split points, just below and just above them, and have missing and unseen
values. A model that differs is not written. coppice verify repeats the comparison.

Most formats cannot hold that a model refuses missing values, unseen categories or rows without a
prediction, and such a model is not written. With --missing-as the file predicts these rows, too:
left or right sends missing values to that child of each split, heavier to the child of more
training rows, and a number stands for them.

To compare with the tool itself, write the rows with --probes, let the tool predict them, and hand
its predictions to --expect: a CSV file with a header and a line for each row.`,
		Example: `  coppice convert xgboost.json imported.coppice
  coppice convert lightgbm.txt --probes rows.csv
  coppice convert lightgbm.txt imported.coppice --expect by-tool.csv
  coppice convert trees.coppice model.onnx
  coppice convert trees.coppice model.bst --to xgboost-ubjson
  coppice convert dump.json churn.coppice --objective binary:logistic --base-score 0.5
  coppice convert strict.pmml model.lightgbm --missing-as left`,
		Args: cli.Operands(1, 2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := ignored(cmd.Flags()); err != nil {
				return err
			}
			err := o.run(cmd.Context(), args)
			if o.written {
				err = cli.InterruptedAfter(err, humanize.Name(o.probes)+" was written")
			}
			return err
		},
	}
	return cli.WithFlags(c, cmd, cli.NewSection("Flags", o.define, o.dumpFlags.define, o.LimitFlag.Define, o.JSONFlag.Define))
}

// formatList names the formats, and which of them can be written.
func formatList() string {
	var read, written []string
	for _, f := range formats.Table() {
		if f.Decode != nil || f.DecodeFS != nil {
			read = append(read, f.Name)
		}
		if f.Encode != nil {
			written = append(written, f.Name)
		}
	}
	return cli.Wrap(strings.Join(read, ", ") + ". Written are " + strings.Join(written, ", ") + ".")
}

func (o *command) define(f *pflag.FlagSet) {
	f.StringVar(&o.to, "to", "", "write the format `NAME` (default: by the ending of OUT)")
	f.StringVar(&o.missingAs, "missing-as", "", "write a model that refuses values as one that predicts "+
		"them: missing values `GO` left, right, heavier, or count as a number")
	f.IntVar(&o.rows, "probe-rows", parity.DefaultRows, "compare on about `N` rows")
	f.StringVar(&o.probes, "probes", "", "write the rows of the comparison to `FILE`, as CSV")
	f.StringVar(&o.expect, "expect", "", "compare with the tool's predictions of these rows, "+
		"in `FILE`: CSV")
	f.StringVar(&o.output, "expect-output", "proba", "the predictions of --expect are `WHAT`: "+
		"proba (the response: probabilities or numbers) or raw (before the link)")
	f.Float64Var(&o.tolerance, "tolerance", 1e-5, "allow predictions of --expect to differ by `X`, "+
		"relative to numbers above 1")
}

// ignored is an error for a flag that is given and would have no effect.
func ignored(f *pflag.FlagSet) error {
	for _, name := range []string{"expect-output", "tolerance"} {
		if f.Changed(name) && !f.Changed("expect") {
			return cli.Misusef("--%s goes with --expect", name)
		}
	}
	for _, name := range []string{"missing-as", "to", "expect", "probes"} {
		if f.Changed(name) && f.Lookup(name).Value.String() == "" {
			return cli.Misusef("--%s is empty: give it a value, or leave it out", name)
		}
	}
	return nil
}

// check finds misuse that can be found without the model.
func (o *command) check(args []string) error {
	switch {
	case o.rows < 1:
		return cli.Misusef("--probe-rows %d: want 1 or more", o.rows)
	case !(o.tolerance >= 0):
		return cli.Misusef("--tolerance %v: want 0 or more", o.tolerance)
	case o.output != "proba" && o.output != "raw":
		return cli.Misusef("--expect-output %q: %s", o.output,
			cli.Instead(o.output, []string{"proba", "raw"}))
	case len(args) == 1 && o.missingAs != "":
		return cli.Misusef("--missing-as needs the name of the file to write: convert IN OUT")
	case len(args) == 1 && o.to != "":
		return cli.Misusef("--to needs the name of the file to write: convert IN OUT")
	case o.to != "" && (formats.ByName(o.to) == nil || formats.ByName(o.to).Encode == nil):
		return cli.Misusef("--to %q: %s", o.to, cli.Instead(o.to, written()))
	}
	if o.missingAs != "" {
		var err error
		if o.rule, err = formats.ParseMissingRule(o.missingAs); err != nil {
			return cli.Misusef("--missing-as %w", err)
		}
	}
	if o.probes != "" {
		if err := cli.Writable(o.probes, args...); err != nil {
			return err
		}
	}
	if len(args) == 2 {
		return cli.Writable(args[1], args[0])
	}
	return nil
}

// written names the formats that can be written.
func written() []string {
	var names []string
	for _, f := range formats.Table() {
		if f.Encode != nil {
			names = append(names, f.Name)
		}
	}
	return names
}

// target returns the format to write.
func (o *command) target(path string) (*codec.Format, error) {
	if o.to != "" {
		return formats.ByName(o.to), nil
	}
	f := formats.BySuffix(path)
	if f == nil || f.Encode == nil {
		return nil, cli.Misusef("%s: its ending is that of no format that can be written: use --to "+
			"%s", path, humanize.Or(written()))
	}
	return f, nil
}

// report is the output of --json.
type report struct {
	Format      string             `json:"format"`
	Model       describe.Summary   `json:"model"`
	Certificate *model.Certificate `json:"certificate,omitempty"`
	// why the certificate is not stored with the model, or why there is none; "" = it is stored
	NotStored string          `json:"not_stored,omitempty"`
	Written   string          `json:"written,omitempty"`
	To        string          `json:"to,omitempty"`
	Largest   *float64        `json:"written_difference,omitempty"`  // nil: not compared
	Merged    []parity.Merged `json:"merged_split_points,omitempty"` // by a format of single precision
	Single    bool            `json:"single_precision,omitempty"`
	// what the model states and the written file does not, a phrase each
	LeftOut []string `json:"left_out,omitempty"`
	// what --missing-as changed, a sentence each
	Changes []string `json:"changes,omitempty"`
}

func (o *command) run(ctx context.Context, args []string) error {
	if err := o.check(args); err != nil {
		return err
	}
	limits, err := o.LimitFlag.Limits()
	if err != nil {
		return err
	}
	o.limits = limits
	if o.dump, err = o.dumpFlags.format(); err != nil {
		return err
	}
	m, format, err := formats.OpenAs(args[0], o.dump, limits)
	if err != nil {
		return models.Raisable(args[0], err)
	}
	if err := o.dumpFlags.check(args[0], format, o.dump); err != nil {
		return err
	}
	var to *codec.Format
	if len(args) == 2 {
		if to, err = o.target(args[1]); err != nil {
			return err
		}
	}
	r := &report{Format: format.Name}
	if m, err = o.compared(ctx, args[0], format, m, r); err != nil {
		return err
	}
	r.Model = describe.Of(m).Summarize()
	if e := m.Describe().Ensemble; e != nil && e.Origin != nil {
		r.Certificate = e.Origin.Certificate
	}
	if to != nil {
		if m, err = o.relax(args[0], m, to, r); err != nil {
			return err
		}
		if !to.Foreign {
			storeGolden(m, format.Foreign)
		}
		r.Written, r.To = args[1], to.Name
		if err = o.write(ctx, args[1], to, m, r); err != nil {
			return err
		}
		o.warnOfPrecision(to, m, r)
	}
	return o.JSONFlag.Show(o.Console, r, func() { o.print(m, r) })
}

// storeGolden stores golden rows in an imported model. Those of another one are predicted by the
// model as it is written, which --missing-as may have changed.
func storeGolden(m model.Model, imported bool) {
	s := m.Spec()
	switch {
	case imported:
		s.Golden = parity.Golden(m)
	case s.Golden != nil:
		s.Golden = s.Golden.Predicted(m)
	}
}

// warnOfPrecision warns of columns whose numbers a format of single precision does not tell apart.
// The comparison cannot find them: its rows are numbers of that precision.
func (o *command) warnOfPrecision(to *codec.Format, m model.Model, r *report) {
	e := m.Describe().Ensemble
	if e == nil || !to.Single {
		return
	}
	r.Single, r.Merged = true, parity.MergedSplits(e)
	if len(r.Merged) == 0 {
		return
	}
	first := r.Merged[0]
	others := ""
	if n := len(r.Merged) - 1; n > 0 {
		others = fmt.Sprintf(" (and %s)", humanize.Plural(n, "another column", fmt.Sprint(n, " other columns")))
	}
	advice := "train on smaller numbers, such as differences to the least one"
	if p := first.Pair; p[1]-p[0] < 1e-14*math.Abs(p[1]) { // midpoints of decimals
		advice = "rows that have this number may be among them"
	}
	o.Warn("column %q%s has split points that are one number in single precision, such as %s and %s: "+
		"%s predicts rows between them otherwise; %s", first.Column, others, digits(first.Pair[0]),
		digits(first.Pair[1]), to.Name, advice)
}

// digits writes a number without an exponent: two large ones are seen to differ.
func digits(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// relax returns what is written of a model: by --missing-as one that refuses no row. It keeps the
// tool it comes from, without the certificate, which is that of the model as it was.
func (o *command) relax(path string, m model.Model, to *codec.Format, r *report) (
	model.Model, error,
) {
	if o.missingAs == "" {
		return m, nil
	}
	e, ok := model.AsTrees(m)
	if !ok {
		return nil, cli.Misusef("%s: --missing-as is for models of trees", path)
	}
	if !formats.Refuses(e) {
		r.Changes = []string{"nothing: the model refuses no row"}
		return m, nil
	}
	own, changes, err := formats.Relax(e, o.rule)
	if err != nil {
		return nil, fmt.Errorf("%s: --missing-as %s: %w", path, o.missingAs, err)
	}
	r.Changes = changes
	if e.Origin != nil {
		own.Origin = &model.Origin{Tool: e.Origin.Tool, Version: e.Origin.Version}
	}
	if r.Certificate != nil && !to.Foreign {
		r.NotStored = "not stored: --missing-as changed the model that was compared"
	}
	return own, nil
}

// advised is an error of writing a model, with the flag that writes it where that is all it needs.
func (o *command) advised(to *codec.Format, m model.Model, err error) error {
	e, ok := model.AsTrees(m)
	if feature := (*codec.UnsupportedError)(nil); !ok || !errors.As(err, &feature) || !formats.Refuses(e) {
		return err
	}
	rule, _ := formats.ParseMissingRule("left")
	own, _, other := formats.Relax(e, rule)
	if other != nil || to.Encode(io.Discard, own) != nil || to.Encode(io.Discard, e.First(0)) == nil {
		return err
	}
	return fmt.Errorf("%w; --missing-as left writes a file that predicts such rows", err)
}

// write writes a model whole. A file for another tool is compared with the model first: the report
// gets the largest difference of a response, and what the file leaves out.
func (o *command) write(
	ctx context.Context, path string, to *codec.Format, m model.Model, r *report,
) error {
	write := func(w io.Writer) error { return to.Encode(w, m) }
	if e := m.Describe().Ensemble; e != nil && to.Foreign && to.Reference != nil {
		var file bytes.Buffer
		if err := to.Encode(&file, m); err != nil {
			return o.advised(to, m, fmt.Errorf("cannot write %s: %w", path, err))
		}
		largest, err := parity.File(ctx, file.Bytes(), *to, e, o.rows)
		if err != nil {
			return err
		}
		r.Largest = &largest
		if r.LeftOut, err = parity.Lost(file.Bytes(), *to, m.Spec()); err != nil {
			return err
		}
		write = func(w io.Writer) error {
			_, err := w.Write(file.Bytes())
			return err
		}
	}
	if err := replace.File(path, write); err != nil {
		err = fmt.Errorf("cannot write %s: %w", path, err)
		d := m.Describe()
		if why := d.Obstructs(); why != "" && errors.As(err, new(*codec.UnsupportedError)) {
			err = fmt.Errorf("%w: this one %s", err, why)
		}
		return o.advised(to, m, err)
	}
	return nil
}

// compareOther compares a model of another tool that is no ensemble of trees. Its certificate is
// reported, and not stored.
func (o *command) compareOther(
	ctx context.Context, path string, format *codec.Format, m model.Model, r *report,
) error {
	ref, err := formats.OpenReference(path, o.dump, o.limits)
	if err != nil {
		return models.Raisable(path, err)
	}
	o.Progress.Begin("comparing")
	defer o.Progress.End()
	if ref != nil {
		r.Certificate, err = parity.CompareOther(ctx, m, ref, format.Single, o.rows)
	}
	switch {
	case err != nil:
		return o.explain(path, err)
	case r.Certificate == nil:
		r.NotStored = "there is none: only models of trees, and linear ones, are compared"
	default:
		r.NotStored = "not stored: files hold certificates of models of trees"
	}
	return nil
}

// compared compares a model of another tool, and returns it with its certificate.
func (o *command) compared(
	ctx context.Context, path string, format *codec.Format, m model.Model, r *report,
) (model.Model, error) {
	e := m.Describe().Ensemble
	if (e == nil || !format.Foreign) && (o.probes != "" || o.expect != "") {
		return nil, cli.Misusef("%s: --probes and --expect are for tree models of other tools",
			path)
	}
	if !format.Foreign {
		return m, nil
	}
	if e == nil {
		return m, o.compareOther(ctx, path, format, m, r)
	}
	o.Progress.Begin("comparing")
	defer o.Progress.End()
	p := parity.Make(e, o.rows)
	if o.probes != "" {
		if err := texts(path, e); err != nil {
			return nil, err
		}
		if err := o.writeProbes(ctx, e, p); err != nil {
			return nil, err
		}
		o.written = true
	}
	cert, err := o.certificate(ctx, path, format, e, p)
	if err != nil || cert == nil {
		return m, err
	}
	own := *e
	origin := model.Origin{Tool: format.Name}
	if e.Origin != nil {
		origin = *e.Origin
	}
	origin.Certificate = cert
	own.Origin = &origin
	return &own, nil
}

// certificate compares a model with its file, and with the outputs of the tool if there are any.
func (o *command) certificate(
	ctx context.Context, path string, format *codec.Format, e *model.Ensemble, p *parity.Probes,
) (*model.Certificate, error) {
	ref, err := formats.OpenReference(path, o.dump, o.limits)
	if err != nil {
		return nil, models.Raisable(path, err)
	}
	var cert *model.Certificate
	if ref != nil {
		if cert, err = parity.Compare(ctx, e, ref, format.Single, p); err != nil {
			return nil, o.explain(path, err)
		}
	}
	if o.expect == "" {
		return cert, nil
	}
	values, err := readExpected(o.expect, p.Rows())
	if err != nil {
		return nil, err
	}
	output := model.Response
	if o.output == "raw" {
		output = model.Raw
	}
	cert, err = parity.Expect(ctx, e, p, output, values, o.tolerance)
	if err != nil {
		return nil, o.explain(o.expect, err)
	}
	return cert, nil
}

// explain names the values of a row that differs.
func (o *command) explain(path string, err error) error {
	var d *parity.DifferenceError
	if errors.Is(err, context.Canceled) {
		return err
	}
	if !errors.As(err, &d) {
		return fmt.Errorf("%s: %w", path, err)
	}
	return fmt.Errorf("%s: %w; the model is not written (--probes FILE writes the rows)", path, err)
}

// print prints what was read, compared and written.
func (o *command) print(m model.Model, r *report) {
	v := describe.Of(m)
	facts := []cli.Fact{{Name: "format", Text: r.Format}, v.SizeFact()}
	for _, f := range v.Facts {
		facts = append(facts, cli.Fact(f))
	}
	facts = append(facts, cli.Fact{Name: "columns",
		Text: humanize.Plural(len(m.Spec().Schema.Fields), "1", fmt.Sprint(len(m.Spec().Schema.Fields)))})
	if r.Certificate != nil {
		facts = append(facts, models.CertificateFacts(r.Certificate)...)
	}
	if r.NotStored != "" {
		facts = append(facts, cli.Fact{Name: "certificate", Text: r.NotStored})
	}
	o.Facts(slices.Clip(facts)...)
	var written []cli.Fact
	if r.Largest != nil {
		rows := ""
		if r.Single {
			rows = " for rows of single precision"
		}
		written = append(written, cli.Fact{Name: "written",
			Text: fmt.Sprintf("responses differ by %s at most%s",
				humanize.Number(*r.Largest, 3), rows)})
	}
	for _, change := range r.Changes {
		written = append(written, cli.Fact{Name: "changed", Text: change})
	}
	for _, lost := range r.LeftOut {
		written = append(written, cli.Fact{Name: "left out", Text: lost})
	}
	o.Facts(written...)
	if r.Written != "" {
		o.Printf("\nThe model is in %s, in the format %s.\n", humanize.Name(r.Written), r.To)
	}
}
