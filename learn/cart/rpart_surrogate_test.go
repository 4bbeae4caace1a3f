package cart

import (
	"github.com/coppice-ml/coppice/tree"
)

// surrogates compares those of node n with rpart's at place k. It returns why rows without a value
// part ways.
func (x *comparison) surrogates(k int, n int32, leftFirst bool) string {
	own := x.SplitOf(n).Surrogates
	if x.c.Control.UseSurrogate == 0 {
		return "" // rpart lists surrogates, but does not use them; we have none
	}
	why := ""
	if x.Missing(n) == tree.MissingSurrogate &&
		x.Fraction[x.Child(n)] == x.Fraction[x.Child(n)+1] && x.undecided(n) {
		why = halves
	}
	from := x.split[k] + 1 + x.c.Nodes.NCompete[k]
	for s := from; s < from+x.c.Nodes.NSurrogate[k]; s++ {
		if len(own) > 0 && x.repeats(n, own[0]) {
			return twin
		}
		if len(own) == 0 || int(own[0].Feature) != x.c.Splits.Column[s] ||
			!near(own[0].Agree, x.c.Splits.Improve[s]) ||
			!near(own[0].Adjusted, x.c.Splits.Adj[s]) {
			x.t.Errorf("node %d: surrogates %+v, rpart's next is column %d, agreement %v",
				x.c.Nodes.Node[k], own, x.c.Splits.Column[s], x.c.Splits.Improve[s])
			return tie
		}
		if own[0].Kind == tree.Numeric {
			if left := (x.c.Splits.Ncat[s] == -1) == leftFirst; !near(own[0].SplitPoint,
				x.c.Splits.Index[s]) || own[0].Flip == left {
				x.t.Errorf("node %d: surrogate %+v, rpart splits at %v", x.c.Nodes.Node[k], own[0],
					x.c.Splits.Index[s])
			}
			own = own[1:]
			continue
		}
		for code, direction := range x.c.Csplit[int(x.c.Splits.Index[s])-1] {
			if got := directionOf(own[:2], uint32(code), leftFirst); got == direction {
				continue
			} else if got == -direction && x.evenly(n, own[0].Feature, uint32(code)) {
				why = tiedCode
			} else {
				x.t.Errorf("node %d: surrogate %d sends level %d %d, in rpart %d",
					x.c.Nodes.Node[k], own[0].Feature, code, got, direction)
			}
		}
		own = own[2:]
	}
	switch {
	// of two, rpart drops the second when a better one comes
	case len(own) == 0 || x.c.Control.MaxSurrogate == 2:
	case x.repeats(n, own[0]):
		return twin
	default:
		x.t.Errorf("node %d: rpart does not have surrogates %+v", x.c.Nodes.Node[k], own)
	}
	return why
}

// directionOf is where a pair of sets sends a level: -1 left, 1 right, 0 nowhere.
func directionOf(pair []tree.Surrogate, code uint32, leftFirst bool) int {
	left, right := -1, 1
	if !leftFirst {
		left, right = 1, -1
	}
	switch {
	case tree.InSet(pair[0].Set, code):
		return left
	case tree.InSet(pair[1].Set, code):
		return right
	}
	return 0
}

// repeats reports whether a set surrogate of node n sends at most one row to another child than the
// node does.
func (x *comparison) repeats(n int32, u tree.Surrogate) bool {
	if u.Kind == tree.Numeric {
		return false
	}
	wrong := 0
	pair := x.SplitOf(n).Surrogates
	for pair[0].Feature != u.Feature {
		pair = pair[1:]
	}
	x.knownAt(n, u.Feature, func(row int32, first bool) {
		if to := directionOf(pair, x.run.ds.Columns[u.Feature].Code(int(row)),
			true); to == -1 != first {
			wrong++
		}
	})
	return wrong < 2
}

// evenly reports whether node n sends the same weight of a level, and of all levels of its column,
// to both children.
func (x *comparison) evenly(n, column int32, code uint32) bool {
	level, all := 0.0, 0.0
	x.knownAt(n, column, func(row int32, first bool) {
		w := x.run.ds.Target.WeightAt(row)
		if !first {
			w = -w
		}
		all += w
		if x.run.ds.Columns[column].Code(int(row)) == code {
			level += w
		}
	})
	return level == 0 && all == 0
}

// undecided reports whether some training row of node n has no value there nor for any surrogate.
func (x *comparison) undecided(n int32) bool {
	found := false
	for _, row := range x.run.rows {
		x.Over(x.run.ds.Columns).Visit(row, func(m int32, _ float64, _ bool) {
			if m != n || known(x.run.ds, x.Feature(n), row) {
				return
			}
			reported := false
			for _, u := range x.SplitOf(n).Surrogates {
				c := &x.run.ds.Columns[u.Feature]
				reported = reported || u.Kind == tree.Numeric && known(x.run.ds, u.Feature, row) ||
					u.Kind != tree.Numeric && tree.InSet(u.Set, c.Code(int(row)))
			}
			found = found || !reported
		})
	}
	return found
}

// knownAt calls f for the training rows of node n that have values in its column and in another
// one; first is where the node's own split sends them.
func (x *comparison) knownAt(n, column int32, f func(row int32, first bool)) {
	for _, row := range x.run.rows {
		x.Over(x.run.ds.Columns).Visit(row, func(m int32, _ float64, _ bool) {
			if m == n && known(x.run.ds, x.Feature(n), row) && known(x.run.ds, column, row) {
				f(row, x.Over(x.run.ds.Columns).Next(n, row) == x.Child(n))
			}
		})
	}
}
