package convert

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// verification is the command verify with its flags.
type verification struct {
	*cli.Console
	models.LimitFlag
	cli.JSONFlag
}

// NewVerify makes the command.
func NewVerify(c *cli.Console) *cobra.Command {
	o := &verification{Console: c}
	cmd := &cobra.Command{
		Use:   "verify MODEL",
		Short: "Verify that a model predicts what it did when it was made",
		Long: `Predict the golden rows that a model stores again, and compare the predictions with
those that the model made when it was trained. So a copy, a new version of the program and another
processor are verified. An imported model of trees has more rows in its certificate, which coppice
convert makes, and they are used instead. MODEL may also be a file of another tool, which is compared with a plain evaluation of its
nodes, as coppice convert does. The exit status is 1 if a prediction differs by more than 1e-9, or
than the certificate allows.`,
		Example: `  coppice verify model.coppice
  coppice verify imported.coppice
  coppice verify xgboost.json`,
		Args: cli.Operands(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), args[0])
		},
	}
	return cli.WithFlags(c, cmd, cli.NewSection("Flags", o.LimitFlag.Define, o.JSONFlag.Define))
}

// verifyReport is the output of --json.
type verifyReport struct {
	Rows        int                `json:"rows"` // that were predicted again
	Largest     float64            `json:"largest"`
	Certificate *model.Certificate `json:"certificate"`
}

func (o *verification) run(ctx context.Context, path string) error {
	m, err := o.LimitFlag.Open(path, false)
	if err != nil {
		return err
	}
	if format := models.Foreign(path); format != nil {
		return o.compare(ctx, path, format, m)
	}
	e := m.Describe().Ensemble
	certified := e != nil && e.Origin != nil && e.Origin.Certificate != nil // it has more rows
	if g := m.Spec().Golden; g != nil && !certified {
		return o.golden(path, m, g)
	}
	if m.Spec().TrainedOn != nil {
		return fmt.Errorf("%s: %w", path, model.ErrNoGolden)
	}
	if e == nil {
		return fmt.Errorf("%s: the model has no certificate, which Coppice's files hold of models of "+
			"trees alone: verify the file of another tool that it comes from", path)
	}
	if o := e.Origin; o != nil && o.Certificate == nil {
		return fmt.Errorf("%s: the model has no certificate: convert changed it by --missing-as, or "+
			"did not compare it: verify the file of %s that it comes from", path, o.Tool)
	}
	largest, err := parity.Verify(ctx, e)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	cert := e.Origin.Certificate
	return o.print(len(cert.Probes)/max(1, len(e.Meta.Schema.Fields)), largest, cert)
}

// golden predicts the golden rows again.
func (o *verification) golden(path string, m model.Model, g *model.Golden) error {
	if err := model.Verify(m); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	id, err := coppice.ID(m)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if o.JSONFlag.JSON {
		return o.Console.JSON(goldenReport{g.Rows, g.Drawn, id})
	}
	kind := "synthetic"
	if g.Drawn {
		kind = "of the training table"
	}
	o.Facts(cli.Fact{Name: "verified", Text: fmt.Sprintf("%s (%s) predicted as when the model "+
		"was made", humanize.Count(g.Rows, "golden row", "golden rows"), kind)},
		cli.Fact{Name: "id", Text: id})
	return nil
}

// goldenReport is the output of --json for golden rows.
type goldenReport struct {
	Rows  int    `json:"golden_rows"` // that were predicted again
	Drawn bool   `json:"drawn"`       // they are of the training table
	ID    string `json:"id"`          // of what predicts: coppice.ID
}

// compare compares a file of another tool with a plain evaluation of it.
func (o *verification) compare(
	ctx context.Context, path string, format *codec.Format, m model.Model,
) error {
	ref, err := formats.OpenReference(path, nil, codec.Limits{})
	if err != nil {
		return err
	}
	var cert *model.Certificate
	switch e := m.Describe().Ensemble; {
	case ref == nil:
	case e != nil:
		cert, err = parity.Compare(ctx, e, ref, format.Single, parity.Make(e, parity.DefaultRows))
	default:
		cert, err = parity.CompareOther(ctx, m, ref, format.Single, parity.DefaultRows)
	}
	switch {
	case err != nil:
		return fmt.Errorf("%s: %w", path, err)
	case cert == nil:
		return fmt.Errorf("%s: there is nothing to compare a model with that consists of %s", path,
			m.Describe().Title)
	}
	return o.print(cert.Rows, cert.Largest, cert)
}

// print prints the comparison of some rows.
func (o *verification) print(rows int, largest float64, cert *model.Certificate) error {
	if o.JSONFlag.JSON {
		return o.Console.JSON(verifyReport{rows, largest, cert})
	}
	o.Facts(append(models.CertificateFacts(cert), cli.Fact{Name: "verified", Text: fmt.Sprintf(
		"%s predicted again, the largest difference is %s", humanize.Count(rows, "row", "rows"),
		humanize.Number(largest, 3))})...)
	return nil
}
