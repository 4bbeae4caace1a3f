// Package verify is the command verify: it repeats the comparison of an imported model with the
// file that it came from.
package verify

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/codec/parity"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
)

// command is the command verify with its flags.
type command struct {
	*cli.Console
	models.LimitFlag
	cli.JSONFlag
}

// New makes the command.
func New(c *cli.Console) *cobra.Command {
	o := &command{Console: c}
	cmd := &cobra.Command{
		Use:   "verify MODEL",
		Short: "Verify that an imported model predicts as its certificate states",
		Long: `Predict the rows that the certificate of an imported model stores, and compare the
predictions with the expected ones. coppice convert makes the certificate. The exit status is 1 if a
prediction differs by more than the certificate allows.`,
		Example: `  coppice verify imported.coppice`,
		Args:    cli.Operands(1, 1),
		RunE: func(cmd *cobra.Command, args []string) error {
			return o.run(cmd.Context(), args[0])
		},
	}
	return cli.WithFlags(c, cmd, cli.NewSection("Flags", o.LimitFlag.Define, o.JSONFlag.Define))
}

// report is the output of --json.
type report struct {
	Rows        int                `json:"rows"` // that were predicted again
	Largest     float64            `json:"largest"`
	Certificate *model.Certificate `json:"certificate"`
}

func (o *command) run(ctx context.Context, path string) error {
	m, err := o.LimitFlag.Open(path, false)
	if err != nil {
		return err
	}
	e := m.Describe().Ensemble
	if e == nil {
		return fmt.Errorf("%s: the model has no certificate: only models of trees hold one", path)
	}
	largest, err := parity.Verify(ctx, e)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	cert := e.Origin.Certificate
	rows := len(cert.Probes) / max(1, len(e.Meta.Schema.Fields))
	if o.JSONFlag.JSON {
		return o.Console.JSON(report{rows, largest, cert})
	}
	o.Facts(append(models.CertificateFacts(cert), cli.Fact{Name: "verified", Text: fmt.Sprintf(
		"%s predicted again, the largest difference is %.3g", humanize.Count(rows, "row", "rows"),
		largest)})...)
	return nil
}
