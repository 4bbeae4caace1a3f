package hist

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/kernel/kerneltest"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// mixed is a table of numbers and of categories, of few and of many values, some of them missing.
// Four columns of numbers have at most one that is not 0 in a row.
func mixed(t fataler, rows, columns int, s *rng.Stream) *data.Frame {
	var schema data.Schema
	var all []data.Column
	add := func(levels int, c data.Column) {
		field := data.Field{Name: fmt.Sprint("x", len(all)), Kind: data.Numeric}
		if c.Codes() != nil {
			field.Kind = data.Categorical
			for v := range levels {
				field.Levels = append(field.Levels, fmt.Sprint(v))
			}
		}
		schema.Fields, all = append(schema.Fields, field), append(all, c)
	}
	for range columns {
		values := []int{1, 2, 2, 3, 5, 12, 30, 300}[s.Intn(8)]
		nominal, gaps := s.Intn(2) == 0, s.Intn(3) == 0
		c := data.Numbers(make([]float64, rows))
		if nominal {
			c = data.Codes(make([]uint32, rows))
		}
		for i := range rows {
			v, missing := s.Intn(values), gaps && s.Intn(10) == 0
			switch {
			case nominal && missing:
				c.Codes()[i] = data.MissingCode
			case nominal:
				c.Codes()[i] = uint32(v)
			case missing:
				c.Numbers()[i] = math.NaN()
			default:
				c.Numbers()[i] = float64(v)
			}
		}
		add(values, c)
	}
	sparse := make([]data.Column, 4)
	for j := range sparse {
		sparse[j] = data.Numbers(make([]float64, rows))
	}
	for i := range rows {
		sparse[s.Intn(4)].Numbers()[i] = float64(s.Intn(3))
	}
	for _, c := range sparse {
		add(0, c)
	}
	f, err := data.NewFrame(schema, all)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// described is all that is known of a tree.
func described(t fataler, r *Grower, g, h []float64, rows []int32) []byte {
	grown, err := r.Grow(context.Background(), g, h, rows, 5)
	if err != nil {
		t.Fatal(err)
	}
	made, err := grown.Tree(1)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Appendf(nil, "%v %v %v %v %v", made.Nodes, made.Sets, made.Leaf.Value, made.Stats, grown.Leaves)
}

// derivatives samples gradients and hessians, with tails if they are to be added as pairs.
func derivatives(rows int, tails bool, s *rng.Stream) (g, h []float64) {
	g, h = make([]float64, rows), make([]float64, rows)
	for i := range g {
		if g[i], h[i] = s.Float64()-0.5, 0.1+s.Float64(); tails {
			g[i] = math.Pow(10, 20*g[i])
		}
	}
	return g, h
}

// Trees are the same, to the bit, with joints and without: by words and, one after the other on one
// grower, by pairs.
func TestJointsDoNotChangeTrees(t *testing.T) { kerneltest.EachPath(t, testJointsDoNotChangeTrees) }

func testJointsDoNotChangeTrees(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := rng.New(rapid.Uint64().Draw(t, "seed"))
		rows := rapid.IntRange(1, 400).Draw(t, "rows")
		f := mixed(t, rows, rapid.IntRange(1, 12).Draw(t, "columns"), s)
		c := Config{Shape: Shape{Leaves: rapid.IntRange(2, 40).Draw(t, "leaves"), Policy: Policy(rapid.IntRange(0, 2).Draw(t, "policy"))}, Regularization: Regularization{L2: 1, MinChildWeight: 0.1, MinLeaf: rapid.IntRange(1, 9).Draw(t, "min_leaf")}, Categories: Categories{OneHot: 3, MaxCategories: 8, CatSmooth: 1}, Columns: Columns{ExtraRandom: rapid.Bool().Draw(t, "extra random"), ColumnsByNode: rapid.SampledFrom([]float64{0, 0.5}).Draw(t, "columns by node")}, Workers: rapid.IntRange(1, 3).Draw(t, "workers")}
		joint := rapid.IntRange(2, 256).Draw(t, "joint")
		var growers []*Grower
		for _, most := range []int{0, joint} {
			m, err := bins.Make(context.Background(), f, nil, nil, bins.Options{Bundle: true, Joint: most}, 1)
			if err != nil {
				t.Fatal(err)
			}
			growers = append(growers, NewGrower(m, c))
		}
		for _, tails := range []bool{false, true, false} {
			g, h := derivatives(rows, tails, s)
			if want, got := described(t, growers[0], g, h, nil), described(t, growers[1], g, h, nil); !bytes.Equal(want, got) {
				t.Fatalf("tails %v, joints of %d codes:\ngot  %s\nwant %s", tails, joint, got, want)
			}
		}
	})
}

// Rows that several workers add up, some each and with each other's help.
func TestJointsOfManyRowsDoNotChangeTrees(t *testing.T) {
	const rows = 60_000
	s := rng.New(3)
	f := mixed(t, rows, 9, s)
	var want []byte
	for _, joint := range []int{0, JointCodes(rows)} {
		m, err := bins.Make(t.Context(), f, nil, nil, bins.Options{Bundle: true, Joint: joint}, 2)
		if err != nil {
			t.Fatal(err)
		}
		if joint > 0 && len(m.Joints) == 0 {
			t.Fatal("no joints")
		}
		g, h := derivatives(rows, false, rng.New(4))
		for _, workers := range []int{1, 3} {
			got := described(t, NewGrower(m, Config{Shape: Shape{Leaves: 30}, Regularization: Regularization{L2: 1}, Categories: Categories{CatSmooth: 1}, Workers: workers}), g, h, nil)
			if want == nil {
				want = got
			} else if !bytes.Equal(got, want) {
				t.Fatalf("joints of %d codes, %d workers: another tree", joint, workers)
			}
		}
	}
}

// Trees of several outputs are those without joints, of words as of pairs.
func TestJointsDoNotChangeTreesOfSeveralOutputs(t *testing.T) {
	const rows, outputs = 700, 3
	s := rng.New(8)
	f := mixed(t, rows, 12, s)
	var growers []*Grower
	for _, joint := range []int{0, 256} {
		m, err := bins.Make(t.Context(), f, nil, nil, bins.Options{Joint: joint}, 1)
		if err != nil {
			t.Fatal(err)
		}
		growers = append(growers, NewVectorGrower(m, Config{Shape: Shape{Leaves: 20}, Regularization: Regularization{L2: 1}, Categories: Categories{OneHot: 4}, Workers: 2}, outputs))
	}
	if len(growers[1].tables.m.Joints) == 0 {
		t.Fatal("no joints")
	}
	for _, tails := range []bool{false, true, false} {
		g, h := derivatives(rows*outputs, tails, s)
		var printed []string
		for _, v := range growers {
			printed = append(printed, printedOf(t, v, g, h, 2))
			if v.hist.pool.double != tails {
				t.Fatalf("sums of float64: %v, want %v", v.hist.pool.double, tails)
			}
		}
		if printed[0] != printed[1] {
			t.Fatalf("tails %v:\ngot  %s\nwant %s", tails, printed[1], printed[0])
		}
	}
}
