package engine

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/kernel/kerneltest"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/tree"
)

// TestLayoutsAgree: every layout that fits has the bits of the plain walk, in blocks and alone.
func TestLayoutsAgree(t *testing.T) { kerneltest.EachPath(t, testLayoutsAgree) }

func testLayoutsAgree(t *testing.T) {
	for _, l := range Layouts() {
		g, source := ensembleFor(t, 20, func(g *scannable) { g.oblivious = l == Levels })
		source.Layout = l
		p := Compile(source)
		lanes := l == Lanes || l == LaneRows
		if err := p.Fit(); err == nil {
			g.check(t, p, 300)
		} else if !lanes || kernel.ThisMachine().Vectors {
			t.Error(err)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		g, source := scannableSource(t)
		source.Layout = rapid.SampledFrom(Layouts()).Draw(t, "layout")
		p := Compile(source)
		if err := p.Fit(); err != nil {
			if unfit := (*Unfit)(nil); !errors.As(err, &unfit) || unfit.Layout != source.Layout {
				t.Fatalf("error %v", err)
			}
			return
		}
		g.check(t, p, rapid.IntRange(1, 300).Draw(t, "rows"))
	})
}

// sourceFor returns an ensemble of trees alike, of some leaves.
func sourceFor(t *testing.T, trees int, change func(g *scannable)) Source {
	_, s := ensembleFor(t, trees, change)
	return s
}

// ensembleFor is sourceFor, with what made the trees.
func ensembleFor(t *testing.T, trees int, change func(g *scannable)) (*scannable, Source) {
	g := &scannable{Stream: rng.New(1), columns: 5, grid: 100, leaves: 31, width: 1,
		kind: tree.Scalar, rules: []tree.Missing{tree.MissingFirst}}
	change(g)
	s := Source{Outputs: 1}
	for range trees {
		s.Trees, s.Output = append(s.Trees, g.tree(t)), append(s.Output, 0)
	}
	return g, s
}

// TestLayoutRefused: a layout that trees do not fit is refused with the reason.
func TestLayoutRefused(t *testing.T) {
	plain := func(*scannable) {}
	for _, c := range []struct {
		name   string
		source Source
		layout Layout
		want   string // part of the reason; "" = it fits
	}{
		{"in place", sourceFor(t, 3, plain), InPlace, ""},
		{"numbers", sourceFor(t, 3, plain), Scan, ""},
		{"steps", sourceFor(t, 3, plain), Steps, ""},
		{"oblivious", sourceFor(t, 3, func(g *scannable) { g.oblivious = true }), Levels, ""},
		{"not oblivious", sourceFor(t, 3, plain), Levels, "not oblivious"},
		{"rows divided", sourceFor(t, 3, func(g *scannable) {
			g.rules = []tree.Missing{tree.MissingFractional}
		}), Scan, "no tree is fit"},
		{"many columns", sourceFor(t, 300, func(g *scannable) { g.columns = 500 }), Steps,
			"codes, more than 256"},
		{"unknown", sourceFor(t, 3, plain), 100, "no such layout"},
	} {
		c.source.Layout = c.layout
		err := Compile(c.source).Fit()
		if c.want == "" && err != nil || c.want != "" && (err == nil ||
			!strings.Contains(err.Error(), c.want) ||
			!strings.HasPrefix(err.Error(), fmt.Sprintf("layout %s: ", c.layout))) {
			t.Errorf("%s: error %v, want %q", c.name, err, c.want)
		}
	}
}

// TestUses: a layout that was requested is used for any number of rows, and the engine's choice is
// one of those that fit.
func TestUses(t *testing.T) { kerneltest.EachPath(t, testUses) }

func testUses(t *testing.T) {
	for _, oblivious := range []bool{false, true} {
		source := sourceFor(t, 100, func(g *scannable) { g.oblivious = oblivious })
		chosen := Compile(source)
		var fit []Layout
		for _, l := range Layouts() {
			source.Layout = l
			p := Compile(source)
			if p.Fit() != nil {
				continue
			}
			fit = append(fit, l)
			for _, rows := range []int{0, 1, 3, 4, 100, 1000} {
				if got := p.Uses(rows); !slices.Equal(got, []Layout{l}) {
					t.Errorf("layout %s for %d rows: uses %v", l, rows, got)
				}
			}
		}
		for _, rows := range []int{0, 1, 8, 1000} {
			if got := chosen.Uses(rows); len(got) != 1 || !slices.Contains(fit, got[0]) {
				t.Errorf("%d rows use %v, of %v", rows, got, fit)
			}
		}
		if many := chosen.Uses(1000); oblivious != slices.Contains(many, Levels) {
			t.Errorf("1,000 rows use %v", many)
		}
	}
}
