package sample_test

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/sample"
)

func sampler(t testing.TB, set sample.Settings, rows sample.Rows) *sample.Sampler {
	t.Helper()
	s, err := sample.New(set, rows)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func total(count []uint32) int {
	n := 0
	for _, c := range count {
		n += int(c)
	}
	return n
}

// byClass returns the samples of each class.
func byClass(count, class []uint32, classes int) []int {
	n := make([]int, classes)
	for i, c := range count {
		n[class[i]] += int(c)
	}
	return n
}

// classed makes rows with the given number in each class, the classes mixed.
func classed(sizes ...int) sample.Rows {
	var rows sample.Rows
	for c, n := range sizes {
		rows.Classes = append(rows.Classes, string(rune('a'+c)))
		for range n {
			rows.Class = append(rows.Class, uint32(c))
		}
		rows.N += n
	}
	rng.New(99).Shuffle(rows.N, func(i, j int) {
		rows.Class[i], rows.Class[j] = rows.Class[j],
			rows.Class[i]
	})
	return rows
}

// The bytes of every model that is grown on samples depend on these numbers. They are never edited.
func TestFrozenSamples(t *testing.T) {
	class := []uint32{0, 1, 0, 1, 0, 1, 0, 0}
	rows := sample.Rows{N: 8, Class: class, Classes: []string{"a", "b"},
		Weight: []float64{1, 2, 3, 4, 0, 6, 7, 8}, Group: []int64{7, 7, 3, 3, 3, 9, 4, 7}}
	for _, c := range []struct {
		name string
		set  sample.Settings
		want []uint32
	}{
		{"bootstrap", sample.Settings{}, []uint32{0, 0, 2, 0, 0, 4, 0, 2}},
		{"subsample", sample.Settings{Method: sample.Subsample}, []uint32{0, 1, 1, 0, 1, 1, 1, 0}},
		{"none", sample.Settings{Method: sample.All}, []uint32{1, 1, 1, 1, 1, 1, 1, 1}},
		{"weighted bootstrap", sample.Settings{Weighted: true}, []uint32{0, 0, 2, 1, 0, 3, 1, 1}},
		{"weighted subsample", sample.Settings{Method: sample.Subsample, Weighted: true}, []uint32{0, 1, 1, 0, 0, 1, 1, 1}},
		{"stratified", sample.Settings{Method: sample.Subsample, Strata: sample.Stratified}, []uint32{0, 0, 1, 1, 0, 1, 1, 1}},
		{"balanced", sample.Settings{Strata: sample.Balanced}, []uint32{0, 0, 1, 1, 0, 3, 2, 1}},
		{"grouped", sample.Settings{Grouped: true}, []uint32{0, 0, 1, 1, 1, 2, 1, 0}},
	} {
		count := make([]uint32, 8)
		sampler(t, c.set, rows).Sample(count, rng.Seed(1, 2, 3))
		if !slices.Equal(count, c.want) {
			t.Errorf("%s: %v, want %v", c.name, count, c.want)
		}
	}
}

func TestSizes(t *testing.T) {
	rows := classed(100, 30, 0, 21)
	for _, c := range []struct {
		name  string
		set   sample.Settings
		want  []int // by class; nil = only the total is fixed
		total int
	}{
		{"bootstrap", sample.Settings{}, nil, 151},
		{"half", sample.Settings{Fraction: 0.5}, nil, 76},
		{"subsample", sample.Settings{Method: sample.Subsample}, nil, 95},
		{"tiny", sample.Settings{Method: sample.Subsample, Fraction: 0.001}, nil, 1},
		{"whole", sample.Settings{Method: sample.Subsample, Fraction: 1}, []int{100, 30, 0, 21}, 151},
		{"none", sample.Settings{Method: sample.All}, []int{100, 30, 0, 21}, 151},
		{"stratified bootstrap", sample.Settings{Strata: sample.Stratified}, []int{100, 30, 0, 21}, 151},
		// 75.5 rounds to 76: 50.33, 15.10 and 10.57 of it
		{"stratified half", sample.Settings{Fraction: 0.5, Strata: sample.Stratified}, []int{50, 15, 0, 11}, 76},
		{"balanced bootstrap", sample.Settings{Strata: sample.Balanced}, []int{50, 50, 0, 50}, 150},
		{"balanced subsample", sample.Settings{Method: sample.Subsample, Strata: sample.Balanced}, []int{13, 13, 0, 13}, 39},
		{"smallest class", sample.Settings{Method: sample.Subsample, Fraction: 1, Strata: sample.Balanced}, []int{21, 21, 0, 21}, 63},
		{"one of each", sample.Settings{Fraction: 0.001, Strata: sample.Balanced}, []int{1, 1, 0, 1}, 3},
		{"fractions", sample.Settings{Fractions: []float64{0.1, 0.2, 0, 0}}, []int{15, 30, 0, 0}, 45},
		{"fractions without replacement", sample.Settings{Method: sample.Subsample, Fractions: []float64{0.1, 0.19, 0, 0.1}}, []int{15, 29, 0, 15}, 59},
	} {
		s := sampler(t, c.set, rows)
		count := make([]uint32, rows.N)
		for seed := range uint64(5) {
			s.Sample(count, rng.Seed(seed))
			if got := total(count); got != c.total {
				t.Errorf("%s: %d rows, want %d", c.name, got, c.total)
			}
			if got := byClass(count, rows.Class, 4); c.want != nil && !slices.Equal(got, c.want) {
				t.Errorf("%s: %v rows of the classes, want %v", c.name, got, c.want)
			}
			if c.set.Method == sample.Subsample && slices.Max(count) > 1 {
				t.Errorf("%s: a row was sampled twice", c.name)
			}
		}
		want := c.name != "whole" && c.name != "none"
		if s.LeavesOut() != want {
			t.Errorf("%s: LeavesOut %v", c.name, !want)
		}
	}
}

// TestGroupsByClass samples groups, whose sizes differ, as strata: the samples of a stratum count
// groups.
func TestGroupsByClass(t *testing.T) {
	rows := sample.Rows{N: 7, Class: []uint32{0, 0, 0, 1, 1, 0, 1}, Classes: []string{"a", "b"},
		Group: []int64{5, 5, 5, 6, 8, 9, 6}}
	s := sampler(t, sample.Settings{Method: sample.Subsample, Fraction: 0.5, Strata: sample.Balanced,
		Grouped: true}, rows)
	seen := map[[7]uint32]bool{}
	for seed := range uint64(50) {
		count := make([]uint32, 7)
		s.Sample(count, rng.Seed(seed))
		seen[[7]uint32(count)] = true
	}
	for count := range seen {
		a := count[0] == 1 && count[1] == 1 && count[2] == 1 && count[5] == 0 ||
			count[0]+count[1]+count[2] == 0 && count[5] == 1
		b := count[3] == 1 && count[6] == 1 && count[4] == 0 || count[3]+count[6] == 0 &&
			count[4] == 1
		if !a || !b {
			t.Errorf("sampled %v", count)
		}
	}
	if len(seen) != 4 {
		t.Errorf("%d different samples of one group in each class, want all 4", len(seen))
	}
}

func TestErrors(t *testing.T) {
	rows := classed(10, 5)
	rows.Weight = make([]float64, 15)
	rows.Weight[0], rows.Weight[1] = 1, 2
	rows.Group = make([]int64, 15)
	bad := rows
	bad.Weight = slices.Repeat([]float64{math.NaN()}, 15)
	weightless := rows
	weightless.Weight = make([]float64, 15)
	for _, c := range []struct {
		set  sample.Settings
		rows sample.Rows
		want string
	}{
		{sample.Settings{Method: 9}, rows, "sample: unknown(9)"},
		{sample.Settings{Strata: 9}, rows, "strata: unknown(9)"},
		{sample.Settings{}, sample.Rows{}, "cannot sample from 0 rows"},
		{sample.Settings{Fraction: 1.5}, rows, "fraction=1.5 is not above 0 and at most 1"},
		{sample.Settings{Fraction: math.NaN()}, rows, "fraction=NaN"},
		{sample.Settings{Method: sample.All, Fraction: 0.5}, rows, "sample=none takes every row " +
			"once, and fraction, strata, weighted_sampling and grouped_sampling control how rows " +
			"are sampled: choose sample=bootstrap or sample=subsample, or leave them out"},
		{sample.Settings{Weighted: true}, classed(3), "weighted_sampling needs a weight column: name one, or leave weighted_sampling out"},
		{sample.Settings{Method: sample.Subsample, Weighted: true, Grouped: true}, sample.Rows{N: 2, Group: []int64{1, 2}}, "weighted_sampling needs a weight column"},
		{sample.Settings{Method: sample.All, Weighted: true}, rows, "sample=none takes every row once"},
		{sample.Settings{Fraction: 0.5, Fractions: []float64{0.1, 0.1}}, rows, "leave fraction and strata out"},
		{sample.Settings{Strata: sample.Balanced}, sample.Rows{N: 3}, "needs a label of classes"},
		{sample.Settings{Fractions: []float64{0.5}}, rows, "1 fractions for 2 classes"},
		{sample.Settings{Fractions: []float64{0.5, -1}}, rows, `fraction -1 of class "b" is not between 0 and 1`},
		{sample.Settings{Fractions: []float64{0, 0.01}}, rows, "round to no row at all"},
		{sample.Settings{Fractions: []float64{0, 0.3}}, classed(10, 0), `class "b" has a fraction, but there is nothing of it to sample: use strata=balanced`},
		{sample.Settings{Method: sample.Subsample, Fractions: []float64{0.1, 0.4}}, rows, `sample=subsample takes 6 of class "b", but there are only 5: lower`},
		{sample.Settings{Grouped: true}, classed(3), "needs a group column"},
		{sample.Settings{Grouped: true, Strata: sample.Stratified}, rows, `group 0 has rows of the classes "a" and "b"`},
		{sample.Settings{Method: sample.Subsample, Weighted: true}, rows, "sample=subsample takes 9, but there are only 2 of positive weight"},
		{sample.Settings{Weighted: true}, bad, "weight NaN of row 1 is not a finite number >= 0"},
		{sample.Settings{Weighted: true}, weightless, "weighted_sampling: nothing has a positive weight"},
	} {
		_, err := sample.New(c.set, c.rows)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %q", c.set, err, c.want)
		}
	}
}

func TestParams(t *testing.T) {
	var set sample.Settings
	p := set.Params(sample.All)
	p.Reset()
	if set.Method != sample.All || set.Strata != sample.Free || set.Fraction != 0 {
		t.Errorf("defaults %+v", set)
	}
	if _, err := sample.New(set, sample.Rows{N: 3}); err != nil {
		t.Error(err)
	}
	if err := p.Set([]string{"sample=subsample", "fraction=0.25", "strata=balanced",
		"weighted_sampling=true", "grouped_sampling=true"}); err != nil {
		t.Fatal(err)
	}
	want := sample.Settings{Method: sample.Subsample, Fraction: 0.25, Strata: sample.Balanced,
		Weighted: true, Grouped: true}
	if set.Method != want.Method || set.Fraction != want.Fraction || set.Strata != want.Strata ||
		!set.Weighted || !set.Grouped {
		t.Errorf("got %+v, want %+v", set, want)
	}
	for _, wrong := range []string{"fraction=-0.1", "fraction=1.1", "sample=all", "strata=yes"} {
		if err := p.Set([]string{wrong}); err == nil {
			t.Errorf("%s is accepted", wrong)
		}
	}
}

// TestConcurrentSamples is for the race detector, and ensures that samples have no memory in
// common.
func TestConcurrentSamples(t *testing.T) {
	rows := classed(50, 50)
	rows.Weight = make([]float64, 100)
	rows.Group = make([]int64, 100)
	for i := range rows.N {
		rows.Weight[i] = float64(1 + i%7)
		rows.Group[i] = int64(i % 9)
	}
	s := sampler(t, sample.Settings{Method: sample.Subsample, Weighted: true, Grouped: true}, rows)
	want := make([]uint32, 100)
	s.Sample(want, rng.Seed(4))
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			got := make([]uint32, 100)
			for range 20 {
				s.Sample(got, rng.Seed(4))
				if !slices.Equal(got, want) {
					t.Error("samples of one stream differ")
				}
			}
		})
	}
	wait.Wait()
}

// TestProperties samples with settings of all kinds from rows of all kinds.
func TestProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 40).Draw(t, "rows")
		classes := rapid.IntRange(1, 4).Draw(t, "classes")
		rows := sample.Rows{N: n, Classes: []string{"a", "b", "c", "d"}[:classes]}
		for range n {
			g := rapid.Int64Range(0, 11).Draw(t, "group")
			rows.Group = append(rows.Group, g)
			rows.Class = append(rows.Class, uint32(g)%uint32(classes))
			rows.Weight = append(rows.Weight, float64(rapid.IntRange(0, 3).Draw(t, "weight")))
		}
		set := sample.Settings{
			Method:   rapid.SampledFrom([]sample.Method{sample.Bootstrap, sample.Subsample}).Draw(t, "method"),
			Fraction: rapid.SampledFrom([]float64{0, 0.1, 0.5, 0.9, 1}).Draw(t, "fraction"),
			Strata: rapid.SampledFrom([]sample.Strata{sample.Free, sample.Stratified,
				sample.Balanced}).Draw(t, "strata"),
			Weighted: rapid.Bool().Draw(t, "weighted"),
			Grouped:  rapid.Bool().Draw(t, "grouped"),
		}
		s, err := sample.New(set, rows)
		if err != nil {
			if !set.Weighted { // the one error that these settings can have is about weights
				t.Fatal(err)
			}
			return
		}
		count := slices.Repeat([]uint32{77}, n)
		s.Sample(count, rng.Seed(rapid.Uint64().Draw(t, "seed")))
		if total(count) == 0 {
			t.Fatal("an empty bag")
		}
		if !s.LeavesOut() && slices.Contains(count, 0) {
			t.Fatal("a row is left out")
		}
		unit := map[int64]uint32{}
		weight := map[int64]float64{}
		for i, g := range rows.Group {
			if !set.Grouped {
				g = int64(i)
			}
			if old, ok := unit[g]; ok && old != count[i] {
				t.Fatalf("group %d is split: %v of %v", g, count, rows.Group)
			}
			unit[g] = count[i]
			weight[g] += rows.Weight[i]
		}
		var sampled, units [4]int
		for g, c := range unit {
			class := uint32(g) % uint32(classes)
			if !set.Grouped {
				class = rows.Class[g]
			}
			sampled[class] += int(c)
			units[class]++
			if set.Weighted && c > 0 && weight[g] == 0 {
				t.Fatalf("a unit without weight was sampled")
			}
			if set.Method == sample.Subsample && c > 1 {
				t.Fatal("a unit was sampled twice")
			}
		}
		all := sampled[0] + sampled[1] + sampled[2] + sampled[3]
		for c := range classes {
			switch fraction := float64(all) * float64(units[c]) / float64(len(unit)); {
			case set.Strata == sample.Stratified && math.Abs(float64(sampled[c])-fraction) >= 1:
				t.Fatalf("class %d has %d samples of %d, its fraction is %g", c, sampled[c],
					all, fraction)
			case set.Strata == sample.Balanced && units[c] > 0 &&
				sampled[c] != slices.Max(sampled[:]):
				t.Fatalf("samples %v are not balanced", sampled)
			}
		}
	})
}
