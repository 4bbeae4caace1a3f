package train

import (
	"context"
	"errors"
	"fmt"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/models"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
)

// merging is the command merge with its flags.
type merging struct {
	*cli.Console
	models.LimitFlag
	cli.JSONFlag
	output string
}

// NewMerge makes the command.
func NewMerge(c *cli.Console) *cobra.Command {
	o := &merging{Console: c}
	cmd := &cobra.Command{
		Use:   "merge SHARD...",
		Short: "Merge the shards of a forest into one model",
		Long: `Merge all shards of a forest, which train --shard I/N made, into one model. The
file is the same, byte for byte, as that of one training. Shards may come in any order, and from
several machines. They must be trained on the same rows, with the same parameters and seed.`,
		Example: `  coppice merge a.coppice b.coppice -o forest.coppice
  coppice merge shard-*.coppice --json`,
		Args: cli.Operands(1, -1),
		RunE: func(cmd *cobra.Command, args []string) error { return o.run(cmd.Context(), args) },
	}
	return cli.WithFlags(c, cmd, cli.NewSection("Flags", func(f *pflag.FlagSet) {
		f.StringVarP(&o.output, "out", "o", "model.coppice", "write the model to `FILE`")
	}, o.LimitFlag.Define, o.JSONFlag.Define))
}

func (o *merging) run(ctx context.Context, paths []string) error {
	if err := cli.Writable(o.output, paths...); err != nil {
		return err
	}
	var shards []model.Model
	for _, path := range paths {
		m, err := o.LimitFlag.Open(path, false)
		if err != nil {
			return err
		}
		shards = append(shards, m)
	}
	m, unseen, err := merged(paths, shards)
	if err != nil {
		return err
	}
	v, err := complete(ctx, m, unseen)
	if err != nil {
		return err
	}
	if err := coppice.Save(o.output, m); err != nil {
		return err
	}
	if o.JSONFlag.JSON {
		return o.Console.JSON(v.Summarize())
	}
	o.Facts(
		cli.Fact{Name: "shards", Text: cli.PathList(paths)},
		cli.Fact{Name: "learner", Text: describe.Learner(v.Spec)},
		v.SizeFact(),
	)
	o.Facts(v.TrainingFacts()...)
	o.Facts(cli.Fact{Name: "model", Text: humanize.Name(o.output)},
		cli.Fact{Name: "next", Text: "coppice show " + humanize.ShellWord(o.output)})
	return nil
}

// merged merges the models of files; the learner of the first one does it.
func merged(paths []string, shards []model.Model) (model.Model, *learn.Unseen, error) {
	name := shards[0].Spec().Learner
	l, err := catalog.New(name)
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", paths[0], err)
	}
	merge := l.Capabilities().Merge
	if merge == nil {
		return nil, nil, cli.Misusef("%s: models of learner %s have no shards to merge: use forests "+
			"that were trained with --shard", paths[0], name)
	}
	whole, unseen, err := merge(shards)
	if wrong := (*learn.MergeError)(nil); errors.As(err, &wrong) {
		return nil, nil, errors.New(wrong.Naming(func(i int) string { return paths[i] }))
	}
	return whole, unseen, err
}
