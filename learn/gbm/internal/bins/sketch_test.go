package bins

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// weighed is a weighted set as it is, without missing values.
type weighed struct {
	x   []float64
	sum []float64 // sum[i] is the weight of x[:i]
}

func weigh(x, weight []float64) weighed {
	type pair struct{ x, w float64 }
	var pairs []pair
	for i, v := range x {
		w := 1.0
		if weight != nil {
			w = weight[i]
		}
		if !math.IsNaN(v) && w > 0 {
			pairs = append(pairs, pair{v, w})
		}
	}
	slices.SortStableFunc(pairs, func(a, b pair) int { return cmp.Compare(a.x, b.x) })
	d := weighed{sum: []float64{0}}
	for i, p := range pairs {
		d.x = append(d.x, p.x)
		d.sum = append(d.sum, d.sum[i]+p.w)
	}
	return d
}

// below returns the weight of values less than x; upto that of values no greater.
func (d *weighed) below(x float64) float64 { return d.sum[sort.SearchFloat64s(d.x, x)] }
func (d *weighed) upto(x float64) float64 {
	return d.sum[sort.Search(len(d.x), func(i int) bool { return d.x[i] > x })]
}

func (d *weighed) total() float64 { return d.sum[len(d.x)] }

// holds checks that a sketch states nothing false of the set, and that the weight up to each split
// point is known to within eps / 4. Weights are integers, so that sums are exact.
func holds(t interface{ Fatalf(string, ...any) }, s *sketch, d weighed, eps float64) {
	all := s.whole(eps)
	if all.total() != d.total() {
		t.Fatalf("weight %v, want %v", all.total(), d.total())
	}
	for i, e := range all {
		x := keyValue(e.key)
		if below, upto := d.below(x), d.upto(x); e.rmin > below || e.rmax < upto ||
			e.weight > upto-below || e.weight <= 0 {
			t.Fatalf("%v: rmin %v, rmax %v, weight %v, but %v lies below and %v up to it", x,
				e.rmin, e.rmax, e.weight, below, upto)
		}
		if i > 0 && e.key <= all[i-1].key {
			t.Fatalf("values %v and %v are not in order", keyValue(all[i-1].key), x)
		}
	}
	var m mass
	all.mass(&m)
	for _, c := range s.splitPoints(eps) {
		taken := 0.0
		for i, k := range m.key {
			if keyValue(k) <= c {
				taken += m.weight[i]
			}
		}
		if math.Abs(taken-d.upto(c)) > eps/4*d.total() {
			t.Fatalf("%v lies up to split point %v, taken for %v: eps %v", d.upto(c), c, taken, eps)
		}
	}
}

// Sketches of any units hold, and come as they were sent.
func TestSketch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		eps := rapid.Float64Range(0.02, 0.5).Draw(t, "eps")
		var s, other sketch
		var all, weights []float64
		for k := range rapid.IntRange(1, 6).Draw(t, "units") {
			// Numbers that are few, many, ascending or of any size.
			n, kind := rapid.IntRange(0, 500).Draw(t, "n"), rapid.IntRange(0, 3).Draw(t, "kind")
			stream := rng.New(rapid.Uint64().Draw(t, "seed"))
			x, w := make([]float64, n), make([]float64, n)
			for i := range x {
				switch kind {
				case 0:
					x[i] = float64(stream.Intn(5))
				case 1:
					x[i] = stream.Float64()
				case 2:
					x[i] = float64(i)
				default:
					x[i] = math.Float64frombits(stream.Uint64())
				}
				if w[i] = float64(stream.Intn(4)); stream.Intn(50) == 0 {
					w[i] = 1000
				}
			}
			s.add(k*unitRows, x, nil, w, eps)
			all, weights = append(all, x...), append(weights, w...)
		}
		holds(t, &s, weigh(all, weights), eps)
		words := s.encode()
		if err := other.decode(words); err != nil ||
			!slices.Equal(other.splitPoints(eps), s.splitPoints(eps)) {
			t.Fatalf("other split points after a message, %v", err)
		}
		if n := len(words); n > 0 && other.decode(words[:n-1]) == nil {
			t.Fatal("a message that is cut off is accepted")
		}
	})
}

// A table in memory, in blocks of any size, and in parts that are merged has the same split points:
// within eps of their ranks, with weights and without. Sparse columns have those of dense ones.
func TestSketchOfBlocksAndParts(t *testing.T) {
	const n, eps = 150_000, 0.02
	s := rng.New(14)
	x, weight, zeros := normal(n, 15), make([]float64, n), make([]float64, n)
	for i := range x {
		weight[i] = float64(s.Intn(3))
		if s.Intn(3) == 0 {
			zeros[i] = s.Float64()
		}
	}
	f := frameOf(t, x, zeros)
	for _, w := range [][]float64{nil, weight} {
		o := Options{Sketch: eps}
		m, err := Make(context.Background(), f, nil, w, o, 1)
		if err != nil {
			t.Fatal(err)
		}
		want, d := m.Columns[0].SplitPoints, weigh(x, w)
		if len(want) != 49 {
			t.Fatalf("%d split points", len(want))
		}
		for k, c := range want {
			if rank := d.upto(c) / d.total(); math.Abs(rank-float64(k+1)/50) > eps {
				t.Errorf("%v lies up to split point %d of 49", rank, k+1)
			}
		}
		from := &inBlocks{f, 1700, -1}
		for _, ends := range [][]int{{n}, {1, 65_535, 65_537, n}, {65_536, 70_000, 131_072, n}} {
			var whole *Survey
			at := 0
			for _, end := range ends {
				part, err := NewSurvey(f.Schema.Fields, n, w != nil, o)
				if err != nil {
					t.Fatal(err)
				}
				if err := part.Read(t.Context(), from, data.AllRows(n)[at:end], at, w, 2); err != nil {
					t.Fatal(err)
				}
				if at = end; whole == nil {
					whole = part
					continue
				}
				whole.Merge(part)
			}
			columns, err := whole.Columns()
			if err != nil {
				t.Fatal(err)
			}
			for i := range columns {
				if !slices.Equal(columns[i].SplitPoints, m.Columns[i].SplitPoints) {
					t.Errorf("parts that end at %v: other split points of column %d", ends, i+1)
				}
			}
		}
	}
}
