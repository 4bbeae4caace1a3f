package check

import (
	"context"
	"errors"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/check"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/profile"
)

// profiling is the command profile with its flags.
type profiling struct {
	*cli.Console
	models.TableFlags
	tables.LabelFlags
	output     string
	noExtremes bool
}

// NewProfile makes the command.
func NewProfile(c *cli.Console) *cobra.Command {
	o := &profiling{Console: c}
	cmd := &cobra.Command{
		Use:         "profile MODEL DATA...",
		Annotations: cli.Often("out label no-extremes weight group missing date memory threads"),
		Short:       "Store in a model what its training rows are like",
		Long: `Compute the profile of a table, and store it in a model: ranges, quantiles, levels and
missing values of each column, and the distribution of the label. train does so by itself. Models of
other tools, and those of train --no-profile, have none. The table is to be the one that the model
was trained on, as check compares further tables with it. A model file of Coppice is replaced, in one
step; -o writes another one, and is needed for the file of another tool.`,
		Example: `  coppice profile model.coppice train.csv
  coppice profile xgboost.json train.csv -o profiled.coppice
  coppice profile model.coppice train.csv --label none --no-extremes`,
		Args: cli.Operands(2, -1),
		RunE: cli.FirstAndRest(o.run),
	}
	return cli.WithFlags(c, cmd,
		cli.NewSection("Flags", func(f *pflag.FlagSet) {
			f.StringVarP(&o.output, "out", "o", "", "write the model to `FILE` (default: MODEL itself)")
			o.LabelFlags.DefineForModel(f, "column `COL` is the label (default: that of the model; none: the "+
				"table has no label)")
			f.BoolVar(&o.noExtremes, "no-extremes", false,
				"store no least and largest values, which are values of single rows")
		}),
		cli.NewSection("Reading", o.TableFlags.Define))
}

func (o *profiling) run(ctx context.Context, path string, files []string) error {
	if err := o.TableFlags.Check(o.Console, files); err != nil {
		return err
	}
	options, err := o.ReadFlags.Options(o.Console)
	if err != nil {
		return err
	}
	m, err := o.LimitFlag.Open(path, true)
	if err != nil {
		return err
	}
	to := o.output
	if to == "" {
		if models.Foreign(path) != nil {
			return cli.Misusef("%s is a model of another tool: -o FILE writes it as one of Coppice", path)
		}
		to = path
	}
	if err := cli.Writable(to, files...); err != nil {
		return err
	}
	var p *model.Profile
	if o.Label == "none" || !o.LabelGiven() && m.Spec().Label == "" {
		p, err = o.unlabeled(ctx, m, files)
	} else {
		p, err = o.labeled(ctx, m, options, files)
	}
	if err != nil {
		return err
	}
	s := m.Spec()
	if s.Profile = p; s.Golden == nil {
		seed := uint64(0)
		if s.TrainedOn != nil {
			seed = s.TrainedOn.Seed
		}
		s.Golden = profile.Golden(m, p, seed)
	}
	if on := s.TrainedOn; on != nil && on.Plan != nil { // retrain is to store one, too
		if on.Plan.NoProfile = false; on.Plan.IsZero() {
			on.Plan = nil
		}
	}
	if err := m.Spec().Validate(); err != nil {
		return err
	}
	if err := coppice.Save(to, m); err != nil {
		return err
	}
	o.Printf("%s has the profile of %s.\n", humanize.Name(to), humanize.Count(p.Rows, "row", "rows"))
	return nil
}

// unlabeled profiles the columns that the model is made of.
func (o *profiling) unlabeled(
	ctx context.Context, m model.Model, files []string,
) (*model.Profile, error) {
	t, err := o.ReadFlags.ForModel(ctx, o.Console, m, nil, files)
	if err != nil {
		return nil, err
	}
	return o.profile(ctx, m, &data.Dataset{Frame: t.Frame})
}

// labeled profiles the label, too.
func (o *profiling) labeled(
	ctx context.Context, m model.Model, options tables.Input, files []string,
) (p *model.Profile, err error) {
	ds, err := o.LabelFlags.ReadBlocksFor(ctx, o.Console, m, options, files, "")
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, ds.Close()) }()
	return o.profile(ctx, m, ds.BlockDataset)
}

func (o *profiling) profile(
	ctx context.Context, m model.Model, from data.AnyDataset,
) (*model.Profile, error) {
	o.Progress.Begin("profiling")
	defer o.Progress.End()
	return check.Profile(ctx, m, from,
		check.ProfileOptions{Workers: o.Threads, NoExtremes: o.noExtremes})
}
