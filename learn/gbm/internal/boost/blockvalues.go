package boost

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
)

// validBlocks is the number of blocks of a single validation set, by which a gain's standard error
// is estimated.
const validBlocks = 10

// BlockValues evaluates the first metric on blocks of the validation set, of raw scores. Rows of a
// group are in one block, and blocks of rankings without relevant rows are left out. nil: the
// metric is not defined on some block.
func (f *Fold) BlockValues(raw []float64) []float64 {
	valid := f.scores.valid
	plan := split.Plan{Kind: split.Random, K: validBlocks, Seed: f.setup.Job.Seed}
	t := data.Target{}
	if f.setup.Job.Plan.KeepsGroups(f.setup.Target) {
		plan.Kind, t.Group = split.Grouped, f.setup.Target.Group
	}
	blocks, err := plan.Folds(&t, valid.Rows)
	if err != nil {
		return nil
	}
	_, l, err := f.setup.Config.LossOf(f.setup.Target)
	if err != nil {
		return nil
	}
	var values []float64
	n, outputs := len(valid.Rows), valid.Objective.Outputs()
	for _, block := range blocks {
		if !f.setup.Target.Relevant(block.Test) {
			continue
		}
		p, err := boosting.NewSet(boosting.Validation, l, f.setup.Target, block.Test)
		if err != nil {
			return nil
		}
		for o := range outputs {
			for _, row := range block.Test {
				at, _ := slices.BinarySearch(valid.Rows, row)
				p.Raw = append(p.Raw, raw[o*n+at])
			}
		}
		v, err := f.watch.ValueOf(p)
		if err != nil {
			return nil
		}
		values = append(values, v)
	}
	return values
}
