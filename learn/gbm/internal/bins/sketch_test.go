package bins

import (
	"cmp"
	"context"
	"encoding/binary"
	"math"
	"slices"
	"sort"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
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

// holds checks that a sketch states nothing false of the set, and is precise enough. Weights are
// integers, so that sums are exact.
func holds(t interface{ Fatalf(string, ...any) }, s *Sketch, d weighed, most int) {
	all := s.summary()
	if all.total() != d.total() || s.Weight() != d.total() {
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
	if limit := d.total() * float64(len(s.level)+1) / float64(s.size-1); 2*s.Bound() > limit {
		t.Fatalf("gaps of %v, no more than %v wanted", 2*s.Bound(), limit)
	}
	for _, l := range s.level {
		if len(l) > s.size {
			t.Fatalf("%d values in a summary of %d", len(l), s.size)
		}
	}
	splitPoints := s.SplitPoints(most)
	if len(splitPoints) >= most {
		t.Fatalf("%d split points, at most %d requested", len(splitPoints), most-1)
	}
	var m mass
	all.mass(&m)
	// A split point divides the weight as the summary states, to within the bound.
	for _, c := range splitPoints {
		taken := 0.0
		for i, k := range m.key {
			if keyValue(k) <= c {
				taken += m.weight[i]
			}
		}
		if math.Abs(taken-d.upto(c)) > s.Bound() {
			t.Fatalf("%v lies up to split point %v, taken for %v: bound %v", d.upto(c), c,
				taken, s.Bound())
		}
	}
}

// Sketches of sketches, in any order, hold.
func TestSketch(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		size := rapid.IntRange(8, 40).Draw(t, "size")
		s := NewSketch(size)
		var all, weights []float64
		for range rapid.IntRange(1, 6).Draw(t, "blocks") {
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
			weighted := w
			if rapid.Bool().Draw(t, "alike") {
				weighted = nil
				for i := range w {
					w[i] = 1
				}
			}
			if rapid.Bool().Draw(t, "merge") {
				other := NewSketch(rapid.IntRange(8, 40).Draw(t, "other") + size - 8) // no coarser
				other.Add(x, weighted)
				s.Merge(other)
				other.Add(x, nil) // which must not change s
			} else {
				s.Add(x, weighted)
			}
			all, weights = append(all, x...), append(weights, w...)
		}
		holds(t, s, weigh(all, weights), rapid.IntRange(2, size).Draw(t, "bins"))
	})
}

// Of few distinct values a sketch makes the split points that Make does.
func TestSketchOfFewValues(t *testing.T) {
	const n = 20000
	s := rng.New(12)
	x, w := make([]float64, n), make([]float64, n)
	for i := range x {
		x[i], w[i] = float64(s.Intn(60)*s.Intn(10)), float64(s.Intn(3))
	}
	sketch := NewSketch(600)
	for i := 0; i < n; i += 1000 {
		sketch.Add(x[i:i+1000], w[i:i+1000])
	}
	for _, bins := range []int{2, 5, 100, 255, 1000} {
		m, err := Make(context.Background(), frameOf(t, x), nil, w, Options{Bins: bins}, 1)
		if err != nil {
			t.Fatal(err)
		}
		got, want := sketch.SplitPoints(bins), m.Columns[0].SplitPoints
		if !slices.Equal(got, want) {
			t.Errorf("%d bins: split points %v, want %v", bins, got, want)
		}
	}
}

// A long stream, ascending, descending and mixed, gives bins of about the same weight.
func TestLongStream(t *testing.T) {
	tier.NotShort(t, "summarises a long stream")
	const n, bins = 100000, 100
	s := rng.New(13)
	for name, draw := range map[string]func(i int) float64{
		"ascending": func(i int) float64 { return float64(i) }, "descending": func(i int) float64 { return -float64(i) },
		"mixed": func(int) float64 { return 1 / (s.Float64() - 0.5) },
	} {
		x := make([]float64, n)
		for i := range x {
			x[i] = draw(i)
		}
		sketch := NewSketch(64 * bins)
		sketch.Add(x, nil)
		d := weigh(x, nil)
		holds(t, sketch, d, bins)
		splitPoints := sketch.SplitPoints(bins)
		if len(splitPoints) != bins-1 {
			t.Errorf("%s: %d split points", name, len(splitPoints))
		}
		for k, c := range splitPoints {
			if want := float64(k+1) * n / bins; math.Abs(d.upto(c)-want) > 0.25*n/bins {
				t.Errorf("%s: %v lies up to split point %d, want %v", name, d.upto(c), k, want)
			}
		}
	}
}

func FuzzSketch(f *testing.F) {
	f.Add(uint8(0),
		[]byte("0123456789abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz"))
	f.Fuzz(func(t *testing.T, size uint8, b []byte) {
		s := NewSketch(int(size))
		other := NewSketch(int(size))
		var x, weight []float64
		for ; len(b) >= 3; b = b[3:] {
			v := float64(int16(binary.LittleEndian.Uint16(b)))
			switch b[1] {
			case 0x7f:
				v = math.Inf(1)
			case 0x80:
				v = math.NaN()
			}
			w := float64(b[2] & 63)
			x, weight = append(x, v), append(weight, w)
			if b[2]&64 != 0 {
				other.Add([]float64{v}, []float64{w})
			} else {
				s.Add([]float64{v}, []float64{w})
			}
			if b[2] == 255 {
				s.Merge(other)
				other = NewSketch(int(size))
			}
		}
		s.Merge(other)
		holds(t, s, weigh(x, weight), 2+int(size)%20)
	})
}
