package adaboost

import (
	"math"

	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// predictRows predicts the training rows by a member.
func (j *job) predictRows(m model.Model,
	output model.Output) (values []float64, width int, err error) {
	p, err := m.Bind(&j.frame.Schema, model.Options{Output: output, Workers: j.Workers})
	if err != nil {
		return nil, 0, err
	}
	values = make([]float64, len(j.pop.Rows)*p.Width())
	if t := j.stump(m); t != nil {
		return values, p.Width(), j.stumpValue(values, t, p)
	}
	return values, p.Width(), p.Predict(values, j.frame, j.pop.Rows)
}

// stump returns the tree of a member that is one numeric split of a column of the table; nil = it
// is not.
func (j *job) stump(m model.Model) *tree.Tree {
	e, ok := m.(*model.Ensemble)
	if !ok || len(e.Trees) != 1 || e.Inputs.Len() > 0 ||
		len(e.Meta.Schema.Fields) != len(j.frame.Columns) {
		return nil
	}
	t := e.Trees[0]
	if t.Len() != 3 || t.Kind(0) != tree.Numeric || t.NextMissing(0) <= 0 || stops(t) {
		return nil
	}
	// Names are unique, so that a column with the name of the member's at its place is the one that
	// Bind would find.
	f := t.Feature(0)
	if j.frame.Columns[f].Codes() != nil ||
		e.Meta.Schema.Fields[f].Name != j.frame.Schema.Fields[f].Name {
		return nil
	}
	return t
}

// stumpValue predicts one row of each leaf, and copies the value to all rows of the leaf: there is
// no faster way to predict by a stump.
func (j *job) stumpValue(values []float64, t *tree.Tree, p model.Predictor) error {
	num, splitPoint, unknown := j.frame.Columns[t.Feature(0)].Numbers(), t.SplitPoint(0),
		t.NextMissing(0)-t.Child(0)
	leaf := make([]uint8, len(j.pop.Rows))
	var some [2]int32
	for i, r := range j.pop.Rows {
		x := num[r]
		side := 0
		if x > splitPoint {
			side = 1
		}
		if x != x {
			side = int(unknown)
		}
		leaf[i], some[side] = uint8(side), r
	}
	w := p.Width()
	predicted := make([]float64, 2*w)
	if err := p.Predict(predicted, j.frame, some[:]); err != nil {
		return err
	}
	if w == 1 {
		for i, side := range leaf {
			values[i] = predicted[side&1]
		}
		return nil
	}
	for i, side := range leaf {
		copy(values[i*w:(i+1)*w], predicted[int(side)*w:])
	}
	return nil
}

// only returns x if a condition holds, else 0, without a branch: which rows are wrong cannot be
// predicted.
func only(holds bool, x float64) float64 {
	bit := uint64(0)
	if holds {
		bit = 1
	}
	return math.Float64frombits(math.Float64bits(x) & -bit)
}
