package hist

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
)

// grow grows a tree of a problem, whose seed is 1.
func (p *problem) grow(t *rapid.T) *Grown {
	grown, err := NewGrower(p.m, p.c).Grow(t.Context(), p.g, p.h, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	return grown
}

// at returns the value that a tree gives to a row of codes.
func (p *problem) at(t *Grown, row []int) float64 {
	q := problem{m: p.m, g: []float64{0}}
	for _, code := range row {
		q.codes = append(q.codes, []int{code})
	}
	nodes := q.rowsOf(t.grown)
	for _, l := range t.Leaves {
		if len(nodes[l.Node]) > 0 {
			return l.Value[0]
		}
	}
	panic("no leaf")
}

// Whatever the other columns are, values never go against the sign of a column.
func TestMonotoneColumnsAreMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t)
		p.c.PathSmooth = rapid.SampledFrom([]float64{0, 0, 3}).Draw(t, "smooth")
		p.c.Policy = Policy(rapid.IntRange(0, 2).Draw(t, "any policy"))
		for j := range p.m.Columns {
			sign := int8(rapid.IntRange(-1, 1).Draw(t, "sign"))
			if p.m.Columns[j].Nominal() {
				sign = 0
			}
			p.c.Monotone = append(p.c.Monotone, sign)
		}
		grown := p.grow(t)
		row := make([]int, len(p.codes))
		for range 50 {
			for j := range row {
				row[j] = rapid.IntRange(0, p.m.Columns[j].Values).Draw(t, "code")
			}
			for j, sign := range p.c.Monotone {
				if sign == 0 {
					continue
				}
				before := math.Inf(-int(sign))
				for code := range p.m.Columns[j].Values {
					row[j] = code
					v := p.at(grown, row)
					if sign > 0 && v < before || sign < 0 && v > before {
						t.Fatalf("column %d, sign %d: %v after %v at %v", j, sign, v, before, row)
					}
					before = v
				}
			}
		}
	})
}

// The columns on any way to a leaf lie in one set; one that is in no set is alone.
func TestColumnsOfAPathInteract(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t)
		for range rapid.IntRange(1, 3).Draw(t, "sets") {
			p.c.Interactions = append(p.c.Interactions,
				rapid.SliceOfNDistinct(rapid.Int32Range(0, int32(len(p.codes)-1)), 1, len(p.codes), rapid.ID).Draw(t, "set"))
		}
		p.c.Policy = Policy(rapid.IntRange(0, 2).Draw(t, "any policy"))
		grown := p.grow(t)
		paths := make([][]int32, len(grown.nodes))
		for _, l := range grown.split {
			paths[l.first.node] = withColumn(paths[l.node], l.split.column)
			paths[l.last.node] = paths[l.first.node]
		}
		for _, l := range grown.Leaves {
			path := paths[l.Node]
			if len(path) > 1 && !slices.ContainsFunc(p.c.Interactions, func(set []int32) bool {
				return !slices.ContainsFunc(path, func(c int32) bool { return !slices.Contains(set, c) })
			}) {
				t.Fatalf("columns %v of one path, sets %v", path, p.c.Interactions)
			}
		}
	})
}

func TestSampledColumnsAreAsManyAsRequested(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t)
		p.c.ColumnsByTree = rapid.SampledFrom([]float64{0.25, 0.5, 0.75}).Draw(t, "fraction")
		most := max(1, int(p.c.ColumnsByTree*float64(len(p.codes))+0.5))
		used := map[int]bool{}
		for _, l := range p.grow(t).split {
			used[l.split.column] = true
		}
		if len(used) > most {
			t.Fatalf("%d columns of at most %d", len(used), most)
		}
	})
}

// Without penalties a best set of categories is a prefix of their order by gradient over hessian
// (Fisher 1958): no subset of all does better.
func TestManyAgainstManyIsTheBestOfAllSubsets(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t)
		p.c = Config{Shape: Shape{Leaves: 2}}
		grown := p.grow(t)
		rows := make([]int32, len(p.g))
		for r := range rows {
			rows[r] = int32(r)
		}
		best := 0.0
		for j := range p.m.Columns {
			c := &p.m.Columns[j]
			if !c.Nominal() {
				continue
			}
			for set := range uint(1) << c.Values {
				if bits.OnesCount(set) == 0 {
					continue
				}
				best = max(best, p.gain(rows, func(r int32) bool { return set>>p.codes[j][r]&1 == 1 && p.codes[j][r] < c.Values }))
			}
		}
		found := 0.0
		if len(grown.split) > 0 {
			found = grown.split[0].split.gain
		}
		if found < best-1e-6*(1+best) {
			t.Fatalf("a gain of %v, a subset has %v", found, best)
		}
	})
}

// All leaves of a level that may be are split alike, by what gains most at all of them together.
func TestSymmetricTreesSplitLevelsAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t)
		p.c.Policy, p.c.Gamma, p.c.Depth, p.c.Leaves = Symmetric, 0, rapid.IntRange(1, 3).Draw(t, "levels"), 0
		p.checkLevels(t, p.grow(t).grown, p.gain)
	})
}

// Symmetric trees have as many levels by the conventions of other programs as by those of Own.
func TestSymmetricTreesByAnyConventions(t *testing.T) {
	const rows, depth = 400, 3
	stream := rng.New(31)
	m, err := bins.Make(t.Context(), mixed(t, rows, 6, stream), nil, nil, bins.Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	g, h := derivatives(rows, false, stream)
	for _, conventions := range []Conventions{Own, XGBoost, LightGBM} {
		c := Config{Shape: Shape{Policy: Symmetric, Depth: depth}, Categories: Categories{OneHot: 4},
			Compatibility: Compatibility{Conventions: conventions}}
		grown, err := NewGrower(m, c).Grow(t.Context(), g, h, nil, 1)
		if err != nil {
			t.Fatal(err)
		}
		made, err := grown.Tree(1)
		if err != nil {
			t.Fatal(err)
		}
		if made.Depth() != depth {
			t.Errorf("conventions %d: a tree of %d levels, want %d", conventions, made.Depth(), depth)
		}
	}
}

// checkLevels checks that the nodes of a level that were split were split alike. Together they must
// gain as much as the best way to partition them all, of some gain each. Where a way is not allowed
// it gains nothing.
func (p *problem) checkLevels(t *rapid.T, grown *grown, gain func(rows []int32, first func(int32) bool) float64) {
	rows := p.rowsOf(grown)
	level := []int32{0}
	for coming := grown.split; len(coming) > 0; {
		total := 0.0
		before := slices.Clone(level)
		for first := &coming[0].split; len(coming) > 0; coming = coming[1:] {
			l := coming[0]
			at := slices.Index(level, l.node)
			if at < 0 || l.split.column != first.column || l.split.bin != first.bin || l.split.missing != first.missing {
				break
			}
			level = append(slices.Delete(level, at, at+1), l.first.node, l.last.node)
			total += l.split.gain
		}
		if len(level) != 2*len(before) {
			t.Fatalf("%d of %d nodes of a level were split", len(level)-len(before), len(before))
		}
		best := 0.0
		p.everyWay(func(first func(int32) bool) {
			sum := 0.0
			for _, n := range before {
				sum += gain(rows[n], first)
			}
			best = max(best, sum)
		})
		if math.Abs(total-best) > 1e-6*(1+best) {
			t.Fatalf("nodes %v gain %v together, brute force finds %v", before, total, best)
		}
	}
}
