package boost

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
)

// validBlocks is the number of blocks of a single validation set, by which a gain's standard error
// is estimated.
const validBlocks = 10

// BlockValues evaluates the first metric on blocks of the validation set, of raw scores. Rows of a
// group are in one block, and blocks of rankings without relevant rows are left out. nil: the
// metric is not defined on some block.
func (b *Training) BlockValues(raw []float64) []float64 {
	valid := b.scores.valid
	plan := data.Plan{Kind: data.RandomPlan, K: validBlocks, Seed: b.setup.Job.Seed}
	t := data.Target{}
	if b.setup.Job.Plan.KeepsGroups(b.setup.Target) {
		plan.Kind, t.Group = data.GroupedPlan, b.setup.Target.Group
	}
	blocks, err := plan.Folds(&t, valid.Rows)
	if err != nil {
		return nil
	}
	_, l, err := b.setup.Config.LossOf(b.setup.Target)
	if err != nil {
		return nil
	}
	var values []float64
	n, outputs := len(valid.Rows), valid.Objective.Outputs()
	for _, block := range blocks {
		if !b.setup.Target.Relevant(block.Test) {
			continue
		}
		p, err := boosting.NewSet(boosting.Validation, l, b.setup.Target, block.Test)
		if err != nil {
			return nil
		}
		for o := range outputs {
			for _, row := range block.Test {
				at, _ := slices.BinarySearch(valid.Rows, row)
				p.Raw = append(p.Raw, raw[o*n+at])
			}
		}
		v, err := b.watch.ValueOf(p)
		if err != nil {
			return nil
		}
		values = append(values, v)
	}
	return values
}
