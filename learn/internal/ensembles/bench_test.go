package ensembles_test

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/ensembles"
	"github.com/coppice-ml/coppice/tree"
)

// halving returns a tree that halves the unit cube again and again, along random features, down to
// the depth.
func halving(b *testing.B, features, depth int) *tree.Tree {
	b.Helper()
	s := rng.New(1)
	t := tree.NewBuilder(tree.Vector, 2, false)
	type open struct {
		node      int32
		low, high []float64
	}
	low, high := make([]float64, features), make([]float64, features)
	for f := range high {
		high[f] = 1
	}
	level := []open{{0, low, high}}
	for range depth {
		var next []open
		for _, o := range level {
			f := s.Intn(features)
			splitPoint := (o.low[f] + o.high[f]) / 2
			first := t.Split(o.node, tree.Split{Kind: tree.Numeric, Feature: int32(f), SplitPoint: splitPoint})
			left := append([]float64(nil), o.high...)
			left[f] = splitPoint
			right := append([]float64(nil), o.low...)
			right[f] = splitPoint
			next = append(next, open{first, o.low, left}, open{first + 1, right, o.high})
		}
		level = next
	}
	for n := range int32(t.Len()) {
		t.SetValue(n, []float64{s.Float64(), s.Float64()})
	}
	made, err := t.Build()
	if err != nil {
		b.Fatal(err)
	}
	return made
}

// BenchmarkPermutation is the importances of one tree of 32,768 leaves over 28 features, whose
// 36,788 rows out of the bag are of 100,000.
func BenchmarkPermutation(b *testing.B) {
	const n, out, features = 100_000, 36_788, 28
	s := rng.New(2)
	columns := make([]data.Column, features)
	for f := range columns {
		columns[f] = data.Numbers(make([]float64, n))
		for i := range n {
			columns[f].Numbers()[i] = s.Float64()
		}
	}
	truth := &ensembles.Truth{Task: data.Binary, Classes: 2, Class: make([]uint32, n)}
	rows := make([]int32, n)
	for i := range rows {
		rows[i] = int32(i)
	}
	p := ensembles.NewPermuter(truth, columns, rows, nil)
	t := halving(b, features, 15)
	left := make([]int32, 0, out)
	for i := range int32(n) {
		if s.Float64() < float64(out)/n {
			left = append(left, i)
		}
	}
	b.ResetTimer()
	for b.Loop() {
		p.Tree(t, left, streams)
	}
}

// BenchmarkAccumulator adds one member's 36,788 of 100,000 rows.
func BenchmarkAccumulator(b *testing.B) {
	const n, out = 100_000, 36_788
	s := rng.New(3)
	left := make([]int32, out)
	for i := range left {
		left[i] = int32(i * n / out)
	}
	for _, k := range []int{1, 2, 26} {
		truth := ensembles.Truth{Task: data.Multiclass, Classes: k, Class: make([]uint32, n)}
		if k == 1 {
			truth = ensembles.Truth{Task: data.Regression, Y: make([]float64, n)}
		}
		values := make([]float64, out*k)
		for i := range values {
			values[i] = s.Float64()
		}
		b.Run(map[int]string{1: "numbers", 2: "2_classes", 26: "26_classes"}[k], func(b *testing.B) {
			accumulator := ensembles.NewAccumulator(truth)
			for b.Loop() {
				accumulator.Add(left, values)
			}
		})
	}
}
