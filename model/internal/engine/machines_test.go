package engine

import (
	"fmt"
	"testing"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/tree"
)

// TestLayoutsOfMachines: the choice of layouts is a function of the machine and the shape of the
// ensemble, so a table of it holds on every processor.
func TestLayoutsOfMachines(t *testing.T) {
	machines := []struct {
		name string
		on   kernel.Machine
	}{
		{"plain", kernel.Machine{}},
		{"AVX2", kernel.Machine{Vectors: true}},
		{"AVX-512", kernel.Machine{Vectors: true, Permutes: true}},
	}
	fewer := func(g *scannable) { g.leaves, g.columns = 8, 30 }
	large := func(g *scannable) {
		g.leaves, g.columns, g.grid = 256, 2, 1e6
		g.rules = []tree.Missing{tree.MissingFirst, tree.MissingLast}
	}
	for _, c := range []struct {
		name   string
		trees  int
		change func(g *scannable)
		want   [3][3]string // by machine: of 1, 16 and 256 rows
	}{
		{"31 leaves", 100, func(*scannable) {}, [...][3]string{{"[steps]", "[scan]", "[cuts]"},
			{"[lanes]", "[scan]", "[scan]"}, {"[lanes]", "[scan]", "[scan]"}}},
		{"few small trees", 10, fewer, [...][3]string{{"[steps]", "[scan]", "[scan]"},
			{"[lanes]", "[scan]", "[scan]"}, {"[lanes]", "[scan]", "[scan]"}}},
		{"many split points", 50, large, [...][3]string{{"[steps]", "[steps]", "[wide-cuts]"},
			{"[steps]", "[scan]", "[wide-cuts]"}, {"[steps]", "[scan]", "[cuts]"}}},
		{"oblivious trees", 100, func(g *scannable) { g.oblivious = true }, [...][3]string{
			{"[steps]", "[levels]", "[levels]"}, {"[lanes]", "[levels]", "[levels]"},
			{"[lanes]", "[levels]", "[levels]"}}},
		{"sets of categories", 100, func(g *scannable) { g.levels = 40 }, [...][3]string{
			{"[steps]", "[scan]", "[scan]"}, {"[lanes steps]", "[scan]", "[scan]"},
			{"[lanes steps]", "[scan]", "[scan]"}}},
		{"divided rows", 100, func(g *scannable) {
			g.rules = []tree.Missing{tree.MissingFractional}
		}, [...][3]string{{"[in-place]", "[in-place]", "[in-place]"},
			{"[in-place]", "[in-place]", "[in-place]"}, {"[in-place]", "[in-place]", "[in-place]"}}},
		{"few trees on many columns", 2, func(g *scannable) { g.columns = 500 }, [...][3]string{
			{"[in-place]", "[in-place]", "[in-place]"}, {"[scan]", "[scan]", "[scan]"},
			{"[scan]", "[scan]", "[scan]"}}},
	} {
		s := sourceFor(t, c.trees, c.change)
		for m, machine := range machines {
			p := compileFor(s, machine.on)
			for i, rows := range []int{1, 16, kernel.ScanRows} {
				if got := fmt.Sprint(p.Uses(rows)); got != c.want[m][i] {
					t.Errorf("%s, %s, %d rows: %s, not %s", c.name, machine.name, rows, got,
						c.want[m][i])
				}
			}
		}
	}
}
