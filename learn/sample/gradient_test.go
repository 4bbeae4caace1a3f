package sample_test

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/sample"
)

// gradientSampler makes the sampler of a row of the table.
func gradientSampler(
	t testing.TB, name string, settings []string, rows int, group []int64,
) sample.GradientSampler {
	t.Helper()
	row, ok := sample.GradientByName(name)
	if !ok {
		t.Fatalf("no sampling %s", name)
	}
	w := row.New()
	if err := w.Params().Set(settings); err != nil {
		t.Fatal(err)
	}
	d, err := w.Bind(rows, group)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// derivatives are heavy-tailed, of n rows and some outputs; every ninth row has none.
func derivatives(n, outputs int) (g, h []float64) {
	r := rand.New(rand.NewPCG(5, 6))
	for i := range n * outputs {
		x := r.NormFloat64() * math.Exp(r.NormFloat64())
		if i%n%9 == 0 {
			x = 0
		}
		g, h = append(g, x), append(h, math.Abs(x)*r.Float64())
	}
	return g, h
}

// groupsOf makes groups of 1 to 4 rows that do not lie together.
func groupsOf(n int) []int64 {
	group := make([]int64, n)
	for i := range group {
		group[i] = int64(i * 7 % (n/3 + 1))
	}
	return group
}

var gradientCases = []struct {
	name     string
	settings []string
}{
	{"none", nil},
	{"uniform", nil},
	{"uniform", []string{"fraction=0.3"}},
	{"goss", nil},
	{"goss", []string{"top=0", "other=0.3"}},
	{"goss", []string{"top=0.9", "other=0.5"}},
	{"mvs", nil},
	{"mvs", []string{"fraction=0.2"}},
	{"mvs", []string{"fraction=0.5", "lambda=3"}},
	{"group", []string{"fraction=0.4"}},
	{"bayesian", nil},
	{"bayesian", []string{"temperature=0"}},
	{"bayesian", []string{"temperature=0.5"}},
}

// TestGradientSamples: every way samples rows in order, with factors that are not negative, as its
// arguments determine and nothing else.
func TestGradientSamples(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range gradientCases {
		seen[c.name] = true
		for _, n := range []int{1, 2, 57} {
			group := groupsOf(n)
			d := gradientSampler(t, c.name, c.settings, n, group)
			again := gradientSampler(t, c.name, c.settings, n, group)
			g, h := derivatives(n, 3)
			var sampled sample.Sampled
			for tree := range uint64(20) {
				var other sample.Sampled
				d.Sample(&sampled, g, h, rng.Seed(1, tree))
				again.Sample(&other, g, h, rng.Seed(1, tree))
				if !slices.Equal(sampled.Rows, other.Rows) ||
					!slices.Equal(sampled.Factor, other.Factor) || sampled.All != other.All {
					t.Fatalf("%s %v: a sample depends on those before", c.name, c.settings)
				}
				checkSampled(t, c.name, &sampled, n)
			}
		}
	}
	for _, name := range sample.GradientNames() {
		if !seen[name] {
			t.Errorf("%s is not tested", name)
		}
	}
}

func checkSampled(t *testing.T, name string, d *sample.Sampled, n int) {
	t.Helper()
	if d.All {
		if d.Factor != nil {
			t.Errorf("%s: factors of all rows", name)
		}
		return
	}
	if len(d.Rows) == 0 || d.Factor != nil && len(d.Factor) != len(d.Rows) {
		t.Fatalf("%s: %d rows, %d factors", name, len(d.Rows), len(d.Factor))
	}
	last := int32(-1)
	for i, r := range d.Rows {
		if r <= last || int(r) >= n {
			t.Fatalf("%s: rows %v of %d", name, d.Rows, n)
		}
		last = r
		if d.Factor != nil && !(d.Factor[i] >= 0 && d.Factor[i] < math.Inf(1)) {
			t.Fatalf("%s: factor %v", name, d.Factor[i])
		}
	}
}

// factors returns what each row counts.
func factors(d *sample.Sampled, n int) []float64 {
	all := make([]float64, n)
	for i := range all {
		if d.All {
			all[i] = 1
		}
	}
	for i, r := range d.Rows {
		all[r] = 1
		if d.Factor != nil {
			all[r] = d.Factor[i]
		}
	}
	return all
}

// TestUnbiased: sums over sampled rows times their factors are on average the sums over all rows,
// for the ways that guarantee it.
func TestUnbiased(t *testing.T) {
	const n, trees = 300, 6000
	g, h := derivatives(n, 1)
	for _, c := range gradientCases {
		if c.name == "uniform" || c.name == "group" ||
			slices.Contains(c.settings, "temperature=0.5") {
			continue // their sums are smaller
		}
		d := gradientSampler(t, c.name, c.settings, n, nil)
		for what, v := range map[string][]float64{"g": g, "h": h} {
			want, sum, squares := 0.0, 0.0, 0.0
			for _, x := range v {
				want += x
			}
			var sampled sample.Sampled
			for tree := range uint64(trees) {
				d.Sample(&sampled, g, h, rng.Seed(9, tree))
				s := 0.0
				for i, f := range factors(&sampled, n) {
					s += f * v[i]
				}
				sum += s
				squares += (s - want) * (s - want)
			}
			spread := math.Sqrt(squares/trees/trees) + 1e-9
			if off := sum/trees - want; math.Abs(off) > 4*spread {
				t.Errorf("%s %v: the mean sum of %s is %g off %g, its standard error is %g", c.name,
					c.settings, what, off, want, spread)
			}
		}
	}
}

// TestGOSSTakesTheSteepest against sorting.
func TestGOSSTakesTheSteepest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(10, 60).Draw(t, "rows")
		outputs := rapid.IntRange(1, 3).Draw(t, "outputs")
		g, h := make([]float64, n*outputs), make([]float64, n*outputs)
		for i := range g { // few different values, so that many are equal
			g[i], h[i] = float64(rapid.IntRange(-3, 3).Draw(t, "g")), 1
		}
		size := make([]float64, n)
		for i := range g {
			size[i%n] += math.Abs(g[i])
		}
		order := make([]int, n)
		for i := range order {
			order[i] = i
		}
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(size[b], size[a]) })
		w := sample.GOSS{Top: 0.3, Other: 0.2}
		d, err := w.Bind(n, nil)
		if err != nil {
			t.Fatal(err)
		}
		var sampled sample.Sampled
		d.Sample(&sampled, g, h, rng.Seed(rapid.Uint64().Draw(t, "seed")))
		top, other := int(math.Floor(0.3*float64(n)+0.5)), int(math.Floor(0.2*float64(n)+0.5))
		all := factors(&sampled, n)
		for _, r := range order[:top] {
			if all[r] != 1 {
				t.Fatalf("row %d of the %d steepest counts %v; sizes %v", r, top, all[r], size)
			}
		}
		many, rest := float64(n-top)/float64(other), 0
		for _, r := range order[top:] {
			if all[r] == many {
				rest++
			} else if all[r] != 0 {
				t.Fatalf("row %d counts %v, want %v or nothing", r, all[r], many)
			}
		}
		if rest != other {
			t.Fatalf("%d rows of the rest, want %d", rest, other)
		}
	})
}

// threshold finds mu by sorting: 0 where no more than take numbers are above 0.
func threshold(size []float64, take int) float64 {
	order := slices.DeleteFunc(slices.Clone(size), func(x float64) bool { return x == 0 })
	slices.Sort(order)
	below := 0.0
	for i, x := range order {
		below += x
		if space := take - (len(order) - i - 1); space > 0 {
			if mu := below / float64(space); i+1 == len(order) || mu <= order[i+1] {
				if len(order) <= take {
					return 0
				}
				return mu
			}
		}
	}
	return 0
}

// TestManyRows: on so many rows that they are counted by size first.
func TestManyRows(t *testing.T) {
	const n = 40000
	g, h := derivatives(n, 1)
	size, steep := make([]float64, n), make([]float64, n)
	for i := range g {
		size[i] = math.Sqrt(g[i]*g[i] + h[i]*h[i])
		steep[i] = math.Abs(g[i] * h[i])
	}
	sorted := slices.Sorted(slices.Values(steep))
	for _, fraction := range []float64{0.001, 0.01, 0.3, 0.8} {
		var sampled sample.Sampled
		d, err := (&sample.MVS{Fraction: fraction, Lambda: 1}).Bind(n, nil)
		if err != nil {
			t.Fatal(err)
		}
		d.Sample(&sampled, g, h, rng.Seed(1))
		mu := threshold(size, int(fraction*n+0.5))
		for i, f := range factors(&sampled, n) {
			if want := max(1, mu/size[i]); f != 0 && math.Abs(f-want) > 1e-9*want {
				t.Fatalf("fraction %v: row %d counts %v, want %v", fraction, i, f, want)
			}
		}
		if d, err = (&sample.GOSS{Top: fraction, Other: 0.1}).Bind(n, nil); err != nil {
			t.Fatal(err)
		}
		d.Sample(&sampled, g, h, rng.Seed(1))
		for i, f := range factors(&sampled, n) {
			if top := steep[i] >= sorted[n-int(fraction*n+0.5)]; top != (f == 1) {
				t.Fatalf("top %v: row %d of size %v counts %v", fraction, i, steep[i], f)
			}
		}
	}
}

// TestMVSThreshold: the mu that follows from the factors is the one that sorting finds.
func TestMVSThreshold(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 80).Draw(t, "rows")
		g, h := make([]float64, n), make([]float64, n)
		for i := range g {
			g[i] = math.Ldexp(float64(rapid.IntRange(-4, 4).Draw(t, "g")),
				rapid.IntRange(-60, 3).Draw(t, "exponent"))
			h[i] = rapid.Float64Range(0, 1).Draw(t, "h") * math.Abs(g[i])
		}
		w := sample.MVS{Fraction: rapid.Float64Range(0.05, 0.95).Draw(t, "fraction"), Lambda: 2}
		d, err := w.Bind(n, nil)
		if err != nil {
			t.Fatal(err)
		}
		size := make([]float64, n)
		for i := range g {
			size[i] = math.Sqrt(g[i]*g[i] + 2*h[i]*h[i])
		}
		take := max(1, math.Floor(w.Fraction*float64(n)+0.5))
		high := threshold(size, int(take))
		var sampled sample.Sampled
		for seed := range uint64(5) {
			if d.Sample(&sampled, g, h, rng.Seed(seed)); sampled.All {
				continue // fraction rounds to all rows
			}
			all := factors(&sampled, n)
			for i, f := range all {
				want := max(1, high/size[i])
				switch {
				case size[i] == 0 && slices.Max(size) > 0 && f != 0:
					t.Fatalf("row %d has no derivatives and counts %v", i, f)
				case f != 0 && slices.Max(size) > 0 && math.Abs(f-want) > 1e-9*want:
					t.Fatalf("row %d counts %v, want %v", i, f, want)
				case f == 0 && size[i] >= high*(1+1e-9) && size[i] > 0:
					t.Fatalf("row %d of size %v is not sampled, mu is %v", i, size[i], high)
				}
			}
		}
	})
}

// TestMVSSamplesAsManyAsRequested on average, and all rows with one probability where none has
// derivatives.
func TestMVSSamplesAsManyAsRequested(t *testing.T) {
	const n, trees = 400, 2000
	d := gradientSampler(t, "mvs", []string{"fraction=0.25"}, n, nil)
	g, h := derivatives(n, 2)
	var sampled sample.Sampled
	rows := 0
	for tree := range uint64(trees) {
		d.Sample(&sampled, g, h, rng.Seed(4, tree))
		rows += len(sampled.Rows)
	}
	if mean := float64(rows) / trees; math.Abs(mean-100) > 4*math.Sqrt(100.0/trees) {
		t.Errorf("%g rows on average, want 100", mean)
	}
	clear(g)
	clear(h)
	if d.Sample(&sampled, g, h, rng.Seed(4)); len(sampled.Rows) != 100 || sampled.Factor != nil {
		t.Errorf("%d rows where none has derivatives", len(sampled.Rows))
	}
}

func TestGroupsAreSampledWhole(t *testing.T) {
	const n = 61
	group := groupsOf(n)
	d := gradientSampler(t, "group", []string{"fraction=0.5"}, n, group)
	var sampled sample.Sampled
	d.Sample(&sampled, nil, nil, rng.Seed(8))
	all, in := factors(&sampled, n), map[int64]float64{}
	for i, g := range group {
		if f, ok := in[g]; ok && f != all[i] {
			t.Fatalf("group %d is sampled incompletely", g)
		}
		in[g] = all[i]
	}
	sum := 0.0
	for _, f := range in {
		sum += f
	}
	if want := math.Floor(float64(len(in))/2 + 0.5); sum != want {
		t.Errorf("%v of %d groups, want %v", sum, len(in), want)
	}
}

// TestUniformSubsets: all sets of 2 of 5 rows are sampled equally often.
func TestUniformSubsets(t *testing.T) {
	const trees = 20000
	d := gradientSampler(t, "uniform", []string{"fraction=0.4"}, 5, nil)
	sets := map[[2]int32]float64{}
	var sampled sample.Sampled
	for tree := range uint64(trees) {
		d.Sample(&sampled, nil, nil, rng.Seed(31, tree))
		sets[[2]int32(sampled.Rows)]++
	}
	chi := 0.0
	for _, x := range sets {
		chi += (x - trees/10) * (x - trees/10) / (trees / 10)
	}
	if len(sets) != 10 || chi > 27.9 { // 0.1 % with 9 degrees of freedom
		t.Errorf("chi-squared %.1f of %d sets", chi, len(sets))
	}
}

// TestBayesianFactors have the mean and the variance of powers of exponential numbers.
func TestBayesianFactors(t *testing.T) {
	const n = 100000
	for temperature, want := range map[string][2]float64{ // gamma(1+t), gamma(1+2t)
		"1": {1, 2}, "0.5": {math.Gamma(1.5), 1}, "2": {2, 24},
	} {
		d := gradientSampler(t, "bayesian", []string{"temperature=" + temperature}, n, nil)
		var sampled sample.Sampled
		d.Sample(&sampled, nil, nil, rng.Seed(6))
		mean := 0.0
		for _, f := range sampled.Factor {
			mean += f / n
		}
		if off := math.Abs(mean - want[0]); off > 4*math.Sqrt((want[1]-want[0]*want[0])/n) {
			t.Errorf("temperature %s: the mean factor is %v, want %v", temperature, mean, want[0])
		}
	}
}

func TestRefusedGradientSamples(t *testing.T) {
	for _, c := range []struct {
		way  sample.Gradient
		rows int
		want string
	}{
		{&sample.ByGroup{Fraction: 0.5}, 5, "sampling=group samples groups of rows, and there is no group column"},
		{&sample.Uniform{Fraction: 1.5}, 5, "fraction"},
		{&sample.GOSS{Top: -1, Other: 0.1}, 5, "top"},
		{&sample.MVS{Fraction: math.NaN()}, 5, "fraction"},
		{&sample.Bayesian{Temperature: -1}, 5, "temperature"},
		{&sample.Everything{}, 0, "cannot sample from 0 rows"},
	} {
		if _, err := c.way.Bind(c.rows, nil); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%T: %v, want %q", c.way, err, c.want)
		}
	}
	if _, err := (&sample.Everything{}).Bind(3, []int64{1}); err == nil {
		t.Error("1 group for 3 rows is taken")
	}
}

func BenchmarkGradientSample(b *testing.B) {
	const n = 1_000_000
	g, h := derivatives(n, 1)
	for _, name := range []string{"uniform", "goss", "mvs", "group", "bayesian"} {
		b.Run(name, func(b *testing.B) {
			d := gradientSampler(b, name, nil, n, groupsOf(n))
			var sampled sample.Sampled
			seed := uint64(1)
			for b.Loop() {
				d.Sample(&sampled, g, h, seed)
				seed++
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/row")
		})
	}
}
