package ensembles

import (
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// CompactMember returns a member of an ensemble as ensembles keep hundreds of it: a single tree in
// its compact form, with the decrease of impurity by splits on each field of its schema; that of a
// derived column is divided among those that it is made of. Other models, and trees without
// statistics, are returned as they are, without gains.
func CompactMember(m model.Model) (model.Model, []float64) {
	e, ok := m.(*model.Ensemble)
	if !ok || len(e.Trees) != 1 || e.Trees[0].Stats == nil {
		return m, nil
	}
	fields := len(e.Meta.Schema.Fields)
	all := tree.Gains(e.Trees[0], fields+e.Inputs.Len())
	for i, gain := range all[fields:] {
		sources := e.Sources(int32(fields + i))
		for _, s := range sources {
			all[s] += gain / float64(len(sources))
		}
	}
	small := *e
	small.Trees = []*tree.Tree{e.Trees[0].Compact()}
	return &small, all[:fields]
}
