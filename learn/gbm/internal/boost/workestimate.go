package boost

import "github.com/coppice-ml/coppice/tree"

// Work is what a training costs: counted, not measured, so that it is the same on every machine and
// for any number of workers. These are the weights of what is counted, in nanoseconds. Only their
// ratios matter.
const (
	cellWork   = 0.8    // a row of a column, in a histogram
	binWork    = 1.5    // a bin of numbers, in the search for a split of a node
	levelWork  = 9.0    // a category there
	moveWork   = 3.0    // a row that a split sends to a child
	rowWork    = 9.0    // a row of an output: derivatives and scores
	validWork  = 15.0   // a row of the validation set and an output: score and metric
	nodeWork   = 2000.0 // a node
	treeWork   = 5000.0 // a tree
	followWork = 60.0   // a row of the validation set, where the finished trees predict for it
)

// meter counts the work of a training.
type meter struct {
	columns  float64 // that a tree may use
	search   float64 // work of the search for a split of a node, by these columns
	rows     float64 // of the training set
	perRound float64 // work that does not depend on the trees
	sum      float64 // of the rounds so far
}

// newMeter returns a meter of a training whose stages are made.
func newMeter(b *Training) *meter {
	m, k := b.table.Matrices[0], float64(b.scores.train.Objective.Outputs())
	fraction := b.setup.Config.FractionOfColumns(len(m.Columns))
	if fraction == 0 {
		fraction = 1
	}
	w := &meter{rows: float64(len(b.setup.Rows))}
	for i := range m.Columns {
		w.columns += fraction
		bin := binWork
		if m.Columns[i].Nominal() {
			bin = levelWork
		}
		w.search += float64(float64(fraction*bin) * float64(m.Columns[i].Bins()))
	}
	w.perRound = float64(float64(rowWork*w.rows) * k)
	if b.scores.valid != nil {
		n := float64(len(b.scores.valid.Rows))
		w.perRound += float64(float64(validWork*n) * k)
		if _, model := b.scores.follow.(*validByModel); model {
			w.perRound += float64(float64(followWork*n) * k)
		}
	}
	return w
}

// round adds the work of a round that has grown trees.
func (w *meter) round(trees []*tree.Tree) {
	w.sum += w.perRound
	for _, t := range trees {
		w.sum += w.tree(t)
	}
}

// tree returns the work of a tree: histograms of the root and of the smaller child of each split,
// the search in all nodes, and the rows that splits move.
func (w *meter) tree(t *tree.Tree) float64 {
	filled, moved := w.rows, 0.0
	for n := range int32(t.Len()) {
		if t.Arity(n) != 2 {
			continue
		}
		first, rows := t.Child(n), t.Stats.Rows
		filled += float64(min(rows[first], rows[first+1]))
		moved += float64(rows[n])
	}
	return treeWork + float64(float64(cellWork*filled)*w.columns) + float64(moveWork*moved) +
		float64((nodeWork+w.search)*float64(t.Len()))
}
