package boost

import (
	"math/bits"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn/gbm/internal/encode"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/param"
	"github.com/coppice-ml/coppice/tree"
)

// supports is the supporting models of ordered boosting: the structures of the trees so far with
// leaf values of the first rows of a random order. A row's derivatives are taken at the score that
// rows before it alone have made:
//
//	place          0      1      2      3      4      5      6      7      8 ...
//	score of     start  model  model  model  model  model  model  model  model
//	                      0      1      1      2      2      2      2      3
//	learned from        place  places        places 0 to 3               places
//	                      0    0 and 1                                   0 to 7
//
// Model j learns from the first 2^j places, and has the scores of these and of as many behind them.
// One tree of a round is added to the models of all orders, with leaf values of their own.
type supports struct {
	setup  *setup
	table  *table.Table
	scores *scores
	orders []*rowsInOrder
	raw    []float64 // of a round, by position
	trees  []notedTree
}

// rowsInOrder is one random order of the training set with its models.
type rowsInOrder struct {
	places []int32   // the position of the row at each place
	first  []float64 // score of the row at place 0, by output: no model reaches it
	models []*support
}

// notedTree is a tree of the round with the leaf of each row of the training set.
type notedTree struct {
	grown *hist.Grown
	// by order of the rows that the tree's columns depend on, or for all: index of the leaf by
	// position
	leaf [][]int32
}

var errOrderedLoss = param.Faults{{Message: "boosting=ordered does not go with losses whose " +
	"derivatives depend on other rows, such as those of rankings and cox: use boosting=plain"}}

// newSupports returns nil where boosting is not ordered.
func newSupports(s *setup, t *table.Table, sc *scores) (*supports, error) {
	if s.Config.Permutations == 0 {
		return nil, nil
	}
	if s.Target.Task == data.Ranking || s.loss == "cox" {
		return nil, errOrderedLoss
	}
	u := &supports{setup: s, table: t, scores: sc, raw: make([]float64, len(sc.train.Raw))}
	_, l, err := s.Config.LossOf(s.Target)
	if err != nil {
		return nil, err
	}
	for n := range s.Config.Permutations {
		order := &rowsInOrder{places: s.placesOf(n),
			first: make([]float64, sc.train.Objective.Outputs())}
		for body := 1; body < len(order.places); body *= 2 {
			m, err := u.newSupport(l, order.places[:min(2*body, len(order.places))], body)
			if err != nil {
				return nil, err
			}
			order.models = append(order.models, m)
		}
		u.orders = append(u.orders, order)
	}
	return u, nil
}

// placesOf returns the positions of the training set in a random order: that of the target
// statistics. Rows without weight, of which these know nothing, are last.
func (s *setup) placesOf(permutation int) []int32 {
	var weighing, others []int32
	var times []int64
	for i, r := range s.Rows {
		if !(s.Target.WeightAt(r) > 0) {
			others = append(others, int32(i))
			continue
		}
		weighing = append(weighing, int32(i))
		if s.Target.Time != nil {
			times = append(times, s.Target.Time[r])
		}
	}
	order := encode.Order(len(weighing), times, s.Orders, permutation)
	for i, at := range order {
		order[i] = weighing[at]
	}
	return append(order, others...)
}

// start gives all models the scores before the first round.
func (u *supports) start() {
	raw, n := u.scores.train.Raw, len(u.scores.train.Rows)
	for _, order := range u.orders {
		for o := range order.first {
			order.first[o] = raw[o*n+int(order.places[0])]
		}
		for _, m := range order.models {
			body := len(m.body) / len(order.first)
			tail := len(m.places) - body
			for o := range order.first {
				for i, at := range m.places[:body] {
					m.body[o*body+i] = raw[o*n+int(at)]
				}
				for i, at := range m.places[body:] {
					m.tail[o*tail+i] = raw[o*n+int(at)]
				}
			}
		}
	}
}

// before returns the score of each row before a round by rows before it, output-major by position.
// They are valid until the next call.
func (u *supports) before(round int) []float64 {
	order, n := u.orders[round%len(u.orders)], len(u.scores.train.Rows)
	for o := range order.first {
		to := u.raw[o*n : (o+1)*n]
		to[order.places[0]] = order.first[o]
		for place := 1; place < n; place++ {
			j := bits.Len(uint(place)) - 1
			m, body := order.models[j], 1<<j
			to[order.places[place]] = m.tail[o*(len(m.places)-body)+place-body]
		}
	}
	return u.raw
}

// note takes a tree of the round, with the leaves of all rows: by each order, where columns are
// derived by orders.
func (u *supports) note(grown *hist.Grown, made *tree.Tree, order int) {
	noted := notedTree{grown: grown}
	rows := &u.scores.rows
	byRow := make([]int32, rows.rows)
	grown.LeafOf(byRow, rows.at)
	own := byRow
	if !rows.same() {
		own = make([]int32, len(rows.at))
		for i, r := range rows.at {
			own[i] = byRow[r]
		}
	}
	for n := range u.table.Matrices {
		leaf := own
		if n != order {
			leaf = u.walk(grown, made, u.table.Frames[n])
		}
		noted.leaf = append(noted.leaf, leaf)
	}
	u.trees = append(u.trees, noted)
}

// walk finds the leaves of all rows by the numbers of a frame.
func (u *supports) walk(grown *hist.Grown, made *tree.Tree, f *data.Frame) []int32 {
	index := make([]int32, made.Len())
	for i := range grown.Leaves {
		index[grown.Leaves[i].Node] = int32(i)
	}
	const block = 1 << 10
	rows := u.setup.Rows
	leaf, walk := make([]int32, len(rows)), made.Over(f.Columns)
	parallel.Each(u.setup.workers(), (len(rows)+block-1)/block, func(_, k int) {
		for i := k * block; i < min(len(rows), (k+1)*block); i++ {
			leaf[i] = index[walk.LeafOf(rows[i])]
		}
	})
	return leaf
}

// learn adds the trees of a round, with values of their own, to all models.
func (u *supports) learn(rate float64) {
	var of []int // the order of each model
	var all []*support
	for n, order := range u.orders {
		for _, m := range order.models {
			of, all = append(of, n), append(all, m)
		}
	}
	refiner := func(o loss.Objective) loss.LeafRefiner {
		r, _ := o.(loss.LeafRefiner)
		if !u.setup.Config.Refit {
			return nil
		}
		return r
	}
	parallel.Each(u.setup.workers(), len(all), func(_, i int) {
		if m := all[len(all)-1-i]; m.stepper != nil { // large ones first
			m.learn(u.trees, of[len(all)-1-i], rate, refiner(m.objective))
		}
	})
	u.trees = u.trees[:0]
}

// stored returns the scores that a state holds.
func (u *supports) stored() (all [][]float64) {
	if u == nil {
		return nil
	}
	for _, order := range u.orders {
		all = append(all, order.first)
		for _, m := range order.models {
			all = append(all, m.body, m.tail)
		}
	}
	return all
}
