package draw

import (
	"bytes"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

// Bars count the rows that reach a node, by class at the place of their value, and the path is that
// of the row.
func TestRowsOfNodes(t *testing.T) {
	s := iris(t)
	width, split := int(s.tree.Feature(0)), s.tree.SplitPoint(0)
	rows := &Rows{Row: 2, Class: []uint32{0, 1, 2, 1}}
	for i := range s.names.Schema.Fields {
		x := []float64{0, 9, 9, math.NaN()}
		if i == width {
			x = []float64{split - 1, split + 1, split + 3, math.NaN()}
		}
		rows.Columns = append(rows.Columns, data.Numbers(x))
	}
	v, err := newView(s.tree, s.names, s.o)
	if err != nil {
		t.Fatal(err)
	}
	of, path := v.reach(rows)
	bars := of[0].bars
	if bars[0][0] != 1 || bars[mostBars/2][1] != 1 || bars[mostBars-1][2] != 1 || of[0].line != 0.25 {
		t.Errorf("the root has %v, its line at %g", bars, of[0].line)
	}
	ends := 0
	for n, on := range path {
		if on && s.tree.Kind(int32(n)) == tree.Leaf {
			ends++
		}
	}
	if !path[0] || path[s.tree.Child(0)] || !path[s.tree.Child(0)+1] || ends != 1 {
		t.Errorf("the path is %v", path)
	}
	s.o.Rows = rows
	var b bytes.Buffer
	if err := SVG(&b, s.tree, s.names, s.o); err != nil {
		t.Fatal(err)
	}
	checkPicture(t, b.Bytes(), len(v.yesFirst()))
	if !strings.Contains(b.String(), "Dark: the path of row 3.") {
		t.Error("no note names the row")
	}
	rows.Class, rows.Y = nil, []float64{1, 2, 3, 5}
	scalar := prices(t)
	if v, err = newView(scalar.tree, scalar.names, scalar.o); err != nil {
		t.Fatal(err)
	}
	if of, _ = v.reach(rows); total(of[0].bars[mostBars-1]) != 1 || total(of[0].bars[mostBars/2]) != 1 {
		t.Errorf("labels are at %v", of[0].bars)
	}
}
