package check

import (
	"context"
	"errors"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/profile"
)

// ProfileOptions are the choices of Profile: goroutines, and whether extremes are left out.
type ProfileOptions = profile.Options

// Profile returns the profile of a data set for a model that has none, such as one of another tool:
// what coppice.Train stores of its training rows. Its columns are those of the model, with its
// dictionaries, as tables have that are read by its schema. Errors are those of reading, and of
// model.Align.
func Profile(
	ctx context.Context, m model.Model, from data.AnyDataset, o ProfileOptions,
) (*model.Profile, error) {
	ds := from.InBlocks()
	b, all := profile.New(m.Spec().Schema.Fields, ds.Rows(), o), ds.Target
	all.Class, all.Y, all.Upper, all.Event = nil, make([][]float64, len(ds.Target.Y)), nil, nil
	for block, err := range ds.Labeled(ctx) {
		if err != nil {
			return nil, err
		}
		f, err := model.Align(&m.Spec().Schema, block.Frame)
		if err != nil {
			return nil, err
		}
		b.Add(f, data.AllRows(f.Rows()))
		t := &block.Target
		all.Class, all.Upper = append(all.Class, t.Class...), append(all.Upper, t.Upper...)
		all.Event = append(all.Event, t.Event...)
		for k, y := range t.Y {
			all.Y[k] = append(all.Y[k], y...)
		}
	}
	p := b.Profile(&all, data.AllRows(ds.Rows()))
	if p == nil {
		return nil, errors.New("the table has another number of rows than before")
	}
	return p, nil
}
