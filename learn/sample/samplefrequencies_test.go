package sample_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/sample"
)

// countRows samples many members and returns how often each row was sampled.
func countRows(s *sample.Sampler, rows, members int) []float64 {
	sum := make([]float64, rows)
	count := make([]uint32, rows)
	for m := range members {
		s.Sample(count, rng.Seed(17, uint64(m)))
		for i, c := range count {
			sum[i] += float64(c)
		}
	}
	return sum
}

// TestFractionOutOfTheBag: of n samples with replacement from n rows, one row is missed by all with
// probability (1-1/n)^n, nearly 1/e.
func TestFractionOutOfTheBag(t *testing.T) {
	const n, members = 10000, 50
	s := sampler(t, sample.Settings{}, sample.Rows{N: n})
	out := 0
	count := make([]uint32, n)
	for m := range members {
		s.Sample(count, rng.Seed(3, uint64(m)))
		for _, c := range count {
			if c == 0 {
				out++
			}
		}
	}
	fraction := float64(out) / (n * members)
	// the standard deviation of the fraction in one sample is sqrt((1/e - 2/e^2)/n), 0.0031
	if math.Abs(fraction-0.36786) > 4*0.0031/math.Sqrt(members) {
		t.Errorf("%.5f of the rows are out of the bag", fraction)
	}
}

// TestAllRowsAlike checks the chi-squared statistic of how often each of 20 rows is sampled against
// its 0.1 % bound with 19 degrees of freedom. Samples without replacement vary less than
// independent ones, by the factor 1 - take/rows.
func TestAllRowsAlike(t *testing.T) {
	rows := classed(10, 10)
	for _, c := range []struct {
		name  string
		set   sample.Settings
		each  float64 // samples per row and member
		scale float64
	}{
		{"bootstrap", sample.Settings{}, 1, 1},
		{"stratified bootstrap", sample.Settings{Strata: sample.Stratified}, 1, 1},
		{"half", sample.Settings{Fraction: 0.5}, 0.5, 1},
		{"subsample", sample.Settings{Method: sample.Subsample, Fraction: 0.3}, 0.3, 0.7},
		{"stratified subsample", sample.Settings{Method: sample.Subsample, Fraction: 0.3, Strata: sample.Stratified}, 0.3, 0.7},
		{"equal weights", sample.Settings{Weighted: true}, 1, 1},
		{"equal weights without replacement", sample.Settings{Method: sample.Subsample, Weighted: true, Fraction: 0.3}, 0.3, 0.7},
	} {
		const members = 5000
		if c.set.Weighted {
			rows.Weight = make([]float64, 20)
			for i := range rows.Weight {
				rows.Weight[i] = 0.3
			}
		}
		chi := 0.0
		for _, x := range countRows(sampler(t, c.set, rows), 20, members) {
			want := c.each * members
			chi += (x - want) * (x - want) / (want * c.scale)
		}
		if chi > 43.8 {
			t.Errorf("%s: chi-squared %.1f", c.name, chi)
		}
	}
}

// TestWeightedBootstrap samples in proportion to weights of very different size, also where their
// sum overflows.
func TestWeightedBootstrap(t *testing.T) {
	for _, scale := range []float64{1, 1e-300, 1e306} {
		rows := sample.Rows{N: 6, Weight: []float64{100 * scale, scale, 0, 10 * scale, 39 * scale,
			50 * scale}}
		const members = 20000
		chi := 0.0
		for i, x := range countRows(sampler(t, sample.Settings{Weighted: true}, rows), 6, members) {
			want := 6 * members * rows.Weight[i] / scale / 200
			if want == 0 {
				if x != 0 {
					t.Errorf("scale %g: the row without weight was sampled %g times", scale, x)
				}
				continue
			}
			chi += (x - want) * (x - want) / want
		}
		if chi > 18.5 { // 0.1 % with 4 degrees of freedom
			t.Errorf("scale %g: chi-squared %.1f", scale, chi)
		}
	}
}

// TestWeightedSubsample compares how often each pair is sampled with its probability when one row
// is sampled after the other: w_i/W w_j/(W-w_i) + w_j/W w_i/(W-w_j).
func TestWeightedSubsample(t *testing.T) {
	weight := []float64{1, 2, 3, 6}
	s := sampler(t, sample.Settings{Method: sample.Subsample, Weighted: true, Fraction: 0.5},
		sample.Rows{N: 4, Weight: weight})
	const members = 60000
	var pairs [4][4]float64
	count := make([]uint32, 4)
	for m := range members {
		s.Sample(count, rng.Seed(23, uint64(m)))
		for i := range 4 {
			for j := range i {
				pairs[i][j] += float64(count[i] * count[j])
			}
		}
	}
	chi, sum := 0.0, 0.0
	for i, a := range weight {
		for j, b := range weight[:i] {
			want := members * (a/12*b/(12-a) + b/12*a/(12-b))
			chi += (pairs[i][j] - want) * (pairs[i][j] - want) / want
			sum += pairs[i][j]
		}
	}
	if sum != members || chi > 20.5 { // 0.1 % with 5 degrees of freedom
		t.Errorf("chi-squared %.1f of %g pairs %v", chi, sum, pairs)
	}
}

// TestSubsamplesAlike: all 10 subsets of 2 of 5 rows are sampled equally often.
func TestSubsamplesAlike(t *testing.T) {
	const members = 20000
	s := sampler(t, sample.Settings{Method: sample.Subsample, Fraction: 0.4}, sample.Rows{N: 5})
	subsets := map[[5]uint32]float64{}
	for m := range members {
		var count [5]uint32
		s.Sample(count[:], rng.Seed(29, uint64(m)))
		subsets[count]++
	}
	chi := 0.0
	for _, x := range subsets {
		chi += (x - members/10) * (x - members/10) / (members / 10)
	}
	if len(subsets) != 10 || chi > 27.9 { // 0.1 % with 9 degrees of freedom
		t.Errorf("chi-squared %.1f of %d subsets", chi, len(subsets))
	}
}

// TestGroupsByWeight: a group is sampled in proportion to what its rows weigh together.
func TestGroupsByWeight(t *testing.T) {
	rows := sample.Rows{N: 5, Weight: []float64{1, 2, 3, 1, 5}, Group: []int64{1, 2, 1, 2, 4}}
	const members = 20000
	got := countRows(sampler(t, sample.Settings{Weighted: true, Grouped: true}, rows), 5, members)
	if got[0] != got[2] || got[1] != got[3] {
		t.Fatalf("groups are split: %v", got)
	}
	chi := 0.0
	for i, w := range map[int]float64{0: 4, 1: 3, 4: 5} {
		want := 3 * members * w / 12
		chi += (got[i] - want) * (got[i] - want) / want
	}
	if chi > 13.8 { // 0.1 % with 2 degrees of freedom
		t.Errorf("chi-squared %.1f: %v", chi, got)
	}
}

func BenchmarkSample(b *testing.B) {
	const n = 100_000
	weight := make([]float64, n)
	for i := range weight {
		weight[i] = float64(1 + i%13)
	}
	for _, c := range []struct {
		name string
		set  sample.Settings
	}{
		{"bootstrap", sample.Settings{}},
		{"subsample", sample.Settings{Method: sample.Subsample}},
		{"weighted_bootstrap", sample.Settings{Weighted: true}},
		{"weighted_subsample", sample.Settings{Method: sample.Subsample, Weighted: true}},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := sampler(b, c.set, sample.Rows{N: n, Weight: weight})
			count := make([]uint32, n)
			seed := uint64(1)
			for b.Loop() {
				s.Sample(count, seed)
				seed++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
	}
}
