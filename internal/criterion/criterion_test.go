package criterion_test

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/criterion"
)

func byName(t interface{ Fatalf(string, ...any) }, name string) criterion.Definition {
	entry, ok := criterion.ByName(name)
	if !ok {
		t.Fatalf("no criterion %s", name)
	}
	return entry
}

func impurity(c criterion.Criterion, parent []float64, stats ...float64) float64 {
	var dst [1]float64
	c.Impurity(dst[:], stats, parent)
	return dst[0]
}

// TestByHand compares each criterion with numbers computed by hand.
func TestByHand(t *testing.T) {
	for _, c := range []struct {
		name          string
		stats, parent []float64 // no parent: the set itself
		want          float64
	}{
		{"gini", []float64{3, 5}, nil, 8 * 2 * 3.0 / 8 * 5 / 8},
		{"gini", []float64{4, 0}, nil, 0},
		{"gini", []float64{2, 2, 4}, nil, 8 * (1 - 1.0/16 - 1.0/16 - 1.0/4)},
		{"entropy", []float64{1, 1}, nil, 2},
		{"entropy", []float64{2, 2, 4}, nil, 8 * 1.5},
		{"entropy", []float64{7, 0, 0}, nil, 0},
		// H(12/20), three_binary_features
		{"entropy", []float64{12, 8}, nil, 20 * 0.9709505944546686},
		{"gain_ratio", []float64{12, 8}, nil, 20 * 0.9709505944546686},
		{"misclassification", []float64{3, 5}, nil, 3},
		{"misclassification", []float64{2, 0, 4, 1}, nil, 3},
		{"hellinger", []float64{1, 4}, []float64{4, 9}, 13.0 * 2 / 6}, // sqrt(1/4 x 4/9) = 1/3
		{"hellinger", []float64{4, 9}, nil, 13},
		{"hellinger", []float64{4, 0}, []float64{4, 9}, 0},
		{"hellinger", []float64{4, 0}, nil, 0},
		// Against the rest: (1, 1) of (4, 4) has sqrt(1/4 x 1/4); (1, 1) of (2, 6): sqrt(1/12); (0,
		// 2) of (2, 6): 0.
		{"hellinger", []float64{1, 1, 0}, []float64{4, 2, 2}, 8.0 / 3 * (1.0/4 + math.Sqrt(1.0/12))},
		{"squared_error", []float64{4, 6}, nil, -9},
		{"poisson", []float64{2, 6}, []float64{6, 9}, -6 * math.Log(2)}, // mean 3 of 1.5
		{"poisson", []float64{2, 0}, []float64{6, 9}, math.Inf(1)},
		{"poisson", []float64{6, 9}, nil, 0},
	} {
		if c.parent == nil {
			c.parent = c.stats
		}
		got := impurity(byName(t, c.name).New(len(c.stats)), c.parent, c.stats...)
		if got != c.want && !(math.Abs(got-c.want) <= 1e-12) {
			t.Errorf("%s%v of %v = %.15g, want %.15g", c.name, c.stats, c.parent, got, c.want)
		}
	}
	if _, ok := criterion.ByName("no such"); ok {
		t.Error("an unknown name was found")
	}
}

// TestLeaves: what a leaf predicts and loses.
func TestLeaves(t *testing.T) {
	for _, c := range []struct {
		name        string
		y, weight   []float64
		value, loss float64
	}{
		{"squared_error", []float64{1, 2, 6}, nil, 3, 4 + 1 + 9},
		{"squared_error", []float64{1, 4}, []float64{2, 1}, 2, 2 + 4},
		{"absolute_error", []float64{1, 2, 7}, nil, 2, 6},
		{"absolute_error", []float64{1, 2, 7, 9}, nil, 2, 1 + 0 + 5 + 7}, // the lower median
		{"absolute_error", []float64{1, 2, 7}, []float64{1, 1, 3}, 7, 6 + 5},
		// half the weight is at most 2
		{"absolute_error", []float64{1, 2, 7}, []float64{1, 1, 2}, 2, 1 + 10},
		{"poisson", []float64{0, 1, 5}, nil, 2, math.Log(0.5) + 5*math.Log(2.5)},
		{"poisson", []float64{4, 1}, []float64{1, 2}, 2, 4*math.Log(2) + 2*math.Log(0.5)},
	} {
		entry := byName(t, c.name)
		stats := make([]float64, entry.Family.Width(0))
		got := entry.Deviance.Describe(stats, criterion.Sample{Y: c.y, Weight: c.weight})
		if got.Value != c.value || math.Abs(got.Impurity-c.loss) > 1e-14 {
			t.Errorf("%s of %v by %v: value %g and loss %.15g, want %g and %.15g", c.name, c.y,
				c.weight, got.Value, got.Impurity, c.value, c.loss)
		}
	}
}

// TestSplitInfo: halves carry one bit.
func TestSplitInfo(t *testing.T) {
	ratio := byName(t, "gain_ratio").New(3).(criterion.Ratio)
	got := []float64{4, 2, 6, 8, 0}
	ratio.SplitInfo(got, 8)
	for i, want := range []float64{1, 0.8112781244591328, 0.8112781244591328, 0, 0} { // H(1/4)
		if math.Abs(got[i]-want) > 1e-15 {
			t.Errorf("split information %.16g, want %.16g", got[i], want)
		}
	}
}

func TestPoissonLabels(t *testing.T) {
	check := byName(t, "poisson").Check
	if err := check([]float64{0, 3, 0.5}); err != nil {
		t.Error(err)
	}
	for _, c := range []struct {
		y    []float64
		at   int
		want string
	}{
		{[]float64{1, 0, -2, -3}, 2, "this is -2"},
		{[]float64{0, 0}, -1, "all are 0"},
		{[]float64{1, math.NaN()}, 1, "this is NaN"},
	} {
		var fault *criterion.LabelError
		if err := check(c.y); !errors.As(err, &fault) || fault.At != c.at ||
			!strings.Contains(fault.Error(), c.want) {
			t.Errorf("%v: error %v", c.y, err)
		}
	}
}

// TestConformance ranges over the table: what every criterion must keep, a new entry included.
func TestConformance(t *testing.T) {
	for _, entry := range criterion.Table() {
		t.Run(entry.Name, func(t *testing.T) {
			if entry.Help == "" {
				t.Error("no help")
			}
			if has := entry.New != nil; has == (entry.Family == criterion.Values) {
				t.Error("sets are judged by statistics, but for the family Values")
			}
			if has := entry.Deviance != nil; has == (entry.Family == criterion.Classes) {
				t.Error("numbers have a deviance, classes have not")
			}
			if has := entry.Running != nil; has != (entry.Family == criterion.Values) {
				t.Error("running sets are for the family Values")
			}
			if entry.New != nil {
				rapid.Check(t, func(t *rapid.T) { conform(t, entry) })
			}
			if entry.Deviance != nil {
				rapid.Check(t, func(t *rapid.T) { conformNumbers(t, entry) })
			}
			if entry.Running != nil {
				rapid.Check(t, func(t *rapid.T) { conformRunning(t, entry) })
			}
		})
	}
}

func conform(t *rapid.T, entry criterion.Definition) {
	width := entry.Family.Width(rapid.IntRange(2, 5).Draw(t, "classes"))
	c := entry.New(width)
	random := func() []float64 {
		stats := make([]float64, width)
		for i := range stats {
			stats[i] = float64(rapid.IntRange(0, 50).Draw(t, "weight")) / 4
		}
		if entry.Family == criterion.Moments {
			least := -50
			if entry.Check != nil {
				least = 1 // sums of values that the criterion can judge
			}
			stats[1] = float64(rapid.IntRange(least, 50).Draw(t, "sum")) / 4
			if stats[0] == 0 {
				stats[1] = 0
			}
		}
		return stats
	}
	a, b := random(), random()
	whole, twice, wide := make([]float64, width), make([]float64, width), make([]float64, width)
	for i := range whole {
		whole[i] = a[i] + b[i]
		twice[i] = 2 * a[i]
		wide[i] = 2 * whole[i]
	}
	if entry.Family == criterion.Moments && whole[0] == 0 {
		t.Skip("a parent has rows")
	}
	ia, ib, iw := impurity(c, whole, a...), impurity(c, whole, b...), impurity(c, whole, whole...)
	if iw-ia-ib < -1e-9 {
		t.Fatalf("splitting %v into %v and %v loses %g", whole, a, b, ia+ib-iw)
	}
	if i2 := impurity(c, wide, twice...); math.Abs(i2-2*ia) > 1e-9*(1+math.Abs(i2)) {
		t.Fatalf("doubling the weights of %v takes the impurity from %g to %g", a, ia, i2)
	}
	if z := impurity(c, whole, make([]float64, width)...); z != 0 {
		t.Fatalf("an empty set has impurity %g", z)
	}
	if entry.Family == criterion.Classes && width > 2 {
		empty := rapid.IntRange(0, width-1).Draw(t, "empty class")
		without := func(stats []float64) []float64 {
			return slices.Delete(slices.Clone(stats),
				empty, empty+1)
		}
		zeroed := func(stats []float64) []float64 {
			return slices.Replace(slices.Clone(stats),
				empty, empty+1, 0)
		}
		if want, got := impurity(c, zeroed(whole), zeroed(a)...),
			impurity(c, without(whole), without(a)...); got != want {
			t.Fatalf("%v of %v has impurity %g, without class %d it is %g", zeroed(a),
				zeroed(whole), want, empty, got)
		}
	}
	var batch [3]float64
	c.Impurity(batch[:], slices.Concat(a, b, whole), whole)
	if batch != [3]float64{ia, ib, iw} {
		t.Fatalf("a batch gives %v, one by one %v", batch, [3]float64{ia, ib, iw})
	}
}

// randomSample samples values in ascending order that every criterion can judge.
func randomSample(t *rapid.T) criterion.Sample {
	n := rapid.IntRange(1, 12).Draw(t, "rows")
	var s criterion.Sample
	weighted := rapid.Bool().Draw(t, "weighted")
	for range n {
		s.Y = append(s.Y, float64(rapid.IntRange(1, 8).Draw(t, "y"))/2)
		if weighted {
			s.Weight = append(s.Weight, float64(rapid.IntRange(1, 8).Draw(t, "w"))/4)
		}
	}
	slices.Sort(s.Y)
	return s
}

// loss sums the loss of a prediction.
func loss(entry criterion.Definition, s criterion.Sample, value float64) float64 {
	sum := 0.0
	for i, y := range s.Y {
		w := 1.0
		if s.Weight != nil {
			w = s.Weight[i]
		}
		sum += w * entry.Deviance.Loss(y, value)
	}
	return sum
}

// conformNumbers: a node's impurity is the loss of its value, no other value has a smaller one, and
// the impurities of sets differ as the statistics do.
func conformNumbers(t *rapid.T, entry criterion.Definition) {
	s := randomSample(t)
	width := entry.Family.Width(0)
	stats := make([]float64, width)
	n := entry.Deviance.Describe(stats, s)
	if got := loss(entry, s, n.Value); math.Abs(got-n.Impurity) > 1e-12 {
		t.Fatalf("impurity %g, the loss of %g is %g", n.Impurity, n.Value, got)
	}
	other := rapid.Float64Range(0.1, 5).Draw(t, "other")
	if got := loss(entry, s, other); got < n.Impurity-1e-12 {
		t.Fatalf("%g loses %g, the node's value %g loses %g", other, got, n.Value, n.Impurity)
	}
	if l := entry.Deviance.Loss(other, other); l != 0 {
		t.Fatalf("loss %g of a perfect prediction", l)
	}
	if entry.New == nil || len(s.Y) < 2 {
		return
	}
	boundary := rapid.IntRange(1, len(s.Y)-1).Draw(t, "boundary")
	want, sides := n.Impurity, make([]float64, 0, 2*width)
	for _, side := range [][2]int{{0, boundary}, {boundary, len(s.Y)}} {
		child := criterion.Sample{Y: s.Y[side[0]:side[1]]}
		if s.Weight != nil {
			child.Weight = s.Weight[side[0]:side[1]]
		}
		own := make([]float64, width)
		m := entry.Deviance.Describe(own, child)
		want -= m.Impurity
		// as if taken about the parent's origin
		sides = append(sides, own[0], own[1]+own[0]*(m.Origin-n.Origin))
	}
	c := entry.New(width)
	if got := impurity(c, stats, stats...) - impurity(c, stats, sides[:width]...) - impurity(c,
		stats, sides[width:]...); math.Abs(got-want) > 1e-9 {
		t.Fatalf("gain %g by statistics, %g by the values", got, want)
	}
}

// conformRunning: prefixes have the impurity that Describe finds for them, with weights and
// without.
func conformRunning(t *rapid.T, entry criterion.Definition) {
	s := randomSample(t)
	var places []uint32
	for i := range s.Y {
		places = append(places, uint32(i))
	}
	places = rapid.Permutation(places).Draw(t, "order")
	base := places[:rapid.IntRange(0, len(places)).Draw(t, "base")]
	rows := places[len(base):]
	rows = rows[:rapid.IntRange(0, len(rows)).Draw(t, "length")]
	ones := s
	if s.Weight == nil {
		ones.Weight = slices.Repeat([]float64{1}, len(s.Y))
	}
	running := entry.Running()
	for range 2 { // the second time with the memory of the first
		for _, sample := range []criterion.Sample{s, ones} {
			got := make([]float64, len(rows)+1)
			running.Prefixes(got, sample, base, rows)
			for i := range got {
				if want := prefixImpurity(entry, s, base, rows[:i]); math.Abs(got[i]-want) > 1e-12 {
					t.Fatalf("prefix of %d has impurity %g, want %g", i, got[i], want)
				}
			}
		}
	}
}

func prefixImpurity(entry criterion.Definition, s criterion.Sample, base, rows []uint32) float64 {
	in := slices.Sorted(slices.Values(slices.Concat(base, rows)))
	if len(in) == 0 {
		return 0
	}
	var child criterion.Sample
	for _, p := range in {
		child.Y = append(child.Y, s.Y[p])
		if s.Weight != nil {
			child.Weight = append(child.Weight, s.Weight[p])
		}
	}
	return entry.Deviance.Describe(make([]float64, 1), child).Impurity
}
