package hist

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// fitLinear returns the equation of some rows of a frame, whose gradients and hessians are by
// position in rows.
func fitLinear(
	f *data.Frame, features, rows []int32, g, h []float64, l2 float64,
) (constant float64, coef []float64, ok bool) {
	var r ridge
	r.gather(f, features, rows, func(i int) (float64, float64) { return g[i], h[i] })
	return r.solve(l2)
}

// numbers is a frame of numeric columns.
func numbers(t fataler, columns ...[]float64) *data.Frame {
	var s data.Schema
	var c []data.Column
	for i, x := range columns {
		s.Fields = append(s.Fields, data.Field{Name: string(rune('a' + i))})
		c = append(c, data.Numbers(x))
	}
	f, err := data.NewFrame(s, c)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// A line through rows of equal weight, by hand: the least squares of y = 1 + 2 x with gradients -y
// and hessians 1; rows with gaps count for nothing. With a penalty, about the mean 2 of x, the
// slope is 2*8/(8+l2).
func TestFitLinearByHand(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	f := numbers(t, []float64{0, 9, 2, 4, nan, inf, 2, 2})
	rows := []int32{0, 2, 3, 4, 5, 6}
	g := []float64{-1, -5, -9, 1000, 1000, -5}
	h := []float64{1, 1, 1, 1, 1, 1}
	c, coef, ok := fitLinear(f, []int32{0}, rows, g, h, 0)
	if !ok || math.Abs(c-1) > 1e-14 || math.Abs(coef[0]-2) > 1e-14 {
		t.Errorf("%v + %v x, %v", c, coef, ok)
	}
	c, coef, ok = fitLinear(f, []int32{0}, rows, g, h, 8)
	if !ok || math.Abs(c-3) > 1e-14 || math.Abs(coef[0]-1) > 1e-14 {
		t.Errorf("%v + %v x with a penalty, %v", c, coef, ok)
	}
}

func TestFitLinearRefuses(t *testing.T) {
	big := math.MaxFloat64
	for name, c := range map[string]struct {
		x, g, h []float64
	}{
		"one row":        {[]float64{1}, []float64{1}, []float64{1}},
		"one value":      {[]float64{0.1, 0.1, 0.1}, []float64{1, 2, 3}, []float64{1, 0.3, 0.7}},
		"no hessians":    {[]float64{1, 2, 3}, []float64{1, 2, 3}, []float64{0, 0, 0}},
		"gaps":           {[]float64{1, math.NaN(), math.Inf(-1)}, []float64{1, 2, 3}, []float64{1, 1, 1}},
		"no slope":       {[]float64{1, 2, 3}, []float64{1, 1, 1}, []float64{1, 1, 1}},
		"too large":      {[]float64{-big, 0, big}, []float64{1, 2, 3}, []float64{1, 1, 1}},
		"huge gradients": {[]float64{1, 2, 3}, []float64{big, 0, -big}, []float64{1, 1, 1}},
	} {
		f := numbers(t, c.x)
		if constant, coef, ok := fitLinear(f, []int32{0}, data.AllRows(len(c.x)), c.g, c.h, 0); ok {
			t.Errorf("%s: %v + %v x", name, constant, coef)
		}
	}
	if _, _, ok := fitLinear(numbers(t, []float64{1, 2}), nil, []int32{0, 1}, []float64{1, 2}, []float64{1, 1}, 0); ok {
		t.Error("an equation without columns")
	}
}

// At the least of a convex function all derivatives are 0: by the constant, the sum of g + h f over
// the rows without gaps; by a coefficient, that times x, plus the penalty. Columns may be constant,
// equal to others, shifted and scaled.
func TestFitLinearIsTheLeast(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 40).Draw(t, "rows")
		k := rapid.IntRange(1, 5).Draw(t, "columns")
		number := rapid.Map(rapid.IntRange(-50, 50), func(i int) float64 { return float64(i) / 8 })
		var columns [][]float64
		var features []int32
		for j := range k {
			x := rapid.SliceOfN(number, n, n).Draw(t, "x")
			if j > 0 && rapid.IntRange(0, 4).Draw(t, "twin") == 0 {
				x = slices.Clone(columns[rapid.IntRange(0, j-1).Draw(t, "of")])
			}
			scale, shift := rapid.SampledFrom([]float64{1, 1, 1e-3, 1e5}).Draw(t, "scale"), rapid.SampledFrom([]float64{0, 0, 100}).Draw(t, "shift")
			for i := range x {
				x[i] = x[i]*scale + shift
			}
			columns, features = append(columns, x), append(features, int32(j))
		}
		if rapid.Bool().Draw(t, "gap") {
			columns[0][0] = math.NaN()
		}
		g := rapid.SliceOfN(number, n, n).Draw(t, "g")
		h := rapid.SliceOfN(rapid.Float64Range(0.1, 4), n, n).Draw(t, "h")
		l2 := rapid.SampledFrom([]float64{0, 0.01, 1, 50}).Draw(t, "l2")
		constant, coef, ok := fitLinear(numbers(t, columns...), features, data.AllRows(n), g, h, l2)
		if !ok {
			return
		}
		slope, size := make([]float64, k+1), make([]float64, k+1)
		for i := range n {
			if math.IsNaN(columns[0][i]) {
				continue
			}
			e := g[i] + h[i]*constant
			scale := math.Abs(g[i]) + h[i]*math.Abs(constant)
			for j, c := range coef {
				e += h[i] * c * columns[j][i]
				scale += h[i] * math.Abs(c*columns[j][i])
			}
			for j := range slope {
				x := 1.0
				if j < k {
					x = columns[j][i]
				}
				slope[j] += e * x
				size[j] += scale * math.Abs(x)
			}
		}
		for j := range slope {
			if j < k {
				slope[j] += l2 * coef[j]
			}
			if math.Abs(slope[j]) > 1e-7*(size[j]+1e-3) {
				t.Fatalf("%v + %v x: derivative %d is %v, its terms are as large as %v", constant, coef, j, slope[j], size[j])
			}
		}
	})
}

// The equations of a grown tree use the columns on the way to each leaf, and lower the loss. For
// all rows the tree predicts what Add adds. The equations are the same for any number of workers.
func TestGrownFitLinear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t)
		f := p.frame(t)
		var some []int32
		for r := range p.g {
			if rapid.Bool().Draw(t, "in") {
				some = append(some, int32(r))
			}
		}
		p.c.Workers = 1
		grown, err := NewGrower(p.m, p.c).Grow(t.Context(), p.g, p.h, some, 1)
		if err != nil {
			t.Fatal(err)
		}
		grown.FitLinear(f, p.g, p.h, 0.5)
		p.c.Workers = 3
		again, err := NewGrower(p.m, p.c).Grow(t.Context(), p.g, p.h, some, 1)
		if err != nil {
			t.Fatal(err)
		}
		again.FitLinear(f, p.g, p.h, 0.5)
		before := again.Leaves
		on := grown.features()
		for i, l := range grown.Leaves {
			if l.Constant != before[i].Constant || !slices.Equal(l.Terms, before[i].Terms) {
				t.Fatalf("leaf %d: %v with one worker, %v with three", l.Node, l, before[i])
			}
			for _, d := range l.Terms {
				if !slices.Contains(on[l.Node], d.Feature) || p.m.Columns[d.Feature].Nominal() {
					t.Fatalf("leaf %d looks at %d, on its way are %v", l.Node, d.Feature, on[l.Node])
				}
			}
		}
		made, err := grown.Tree(0.25)
		if err != nil {
			t.Fatal(err)
		}
		raw := make([]float64, len(p.g))
		grown.Add(raw, nil, 0.25)
		for row := range int32(len(raw)) {
			leaf := made.Over(f.Columns).LeafOf(row)
			want := made.Estimate(leaf, func(c int32) float64 { return f.Columns[c].Number(int(row)) })
			if raw[row] != want {
				t.Fatalf("row %d: Add adds %v, the tree predicts %v", row, raw[row], want)
			}
		}
		p.lowers(t, grown, f)
	})
}

// Equations look at the numeric columns on the way to their leaf, each once, and at none where one
// of them is monotone.
func TestColumnsOfEquations(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := draw(t)
		p.c.Leaves, p.c.Depth, p.c.MinLeaf, p.c.MinChildWeight, p.c.Gamma = 0, 0, 0, 0, 0
		for j := range p.m.Columns {
			sign := int8(0)
			if !p.m.Columns[j].Nominal() && rapid.IntRange(0, 2).Draw(t, "monotone") == 0 {
				sign = 1
			}
			p.c.Monotone = append(p.c.Monotone, sign)
		}
		grown := p.grow(t)
		want := make([][]int32, len(grown.nodes))
		none := make([]bool, len(grown.nodes))
		for _, l := range grown.split { // children are split after the node above
			c := &p.m.Columns[l.split.column]
			for _, child := range []*open{l.first, l.last} {
				if none[child.node] = none[l.node] || p.c.Monotone[l.split.column] != 0; none[child.node] {
					continue
				}
				below := slices.Clone(want[l.node])
				if !c.Nominal() && !slices.Contains(below, c.Feature) {
					below = append(below, c.Feature)
					slices.Sort(below)
				}
				want[child.node] = below
			}
		}
		for node, got := range grown.features() {
			if !slices.Equal(got, want[node]) {
				t.Fatalf("node %d: columns %v, want %v", node, got, want[node])
			}
		}
	})
}

// lowers checks that, of rows without gaps, no equation has a greater penalised loss than the best
// plain value.
func (p *problem) lowers(t *rapid.T, grown *Grown, f *data.Frame) {
	for _, l := range grown.Leaves {
		if len(l.Terms) == 0 {
			continue
		}
		loss, g, h := 0.0, 0.0, 0.0
		for _, row := range l.Rows {
			y, complete := l.Constant, true
			for _, c := range grown.features()[l.Node] {
				complete = complete && !math.IsNaN(f.Columns[c].Number(int(row)))
			}
			if !complete {
				continue
			}
			for _, d := range l.Terms {
				y += d.Coef * f.Columns[d.Feature].Number(int(row))
			}
			loss += p.g[row]*y + p.h[row]*y*y/2
			g += p.g[row]
			h += p.h[row]
		}
		for _, d := range l.Terms {
			loss += 0.5 * d.Coef * d.Coef / 2
		}
		if plain := -g * g / h / 2; loss > plain+1e-9*(1+math.Abs(plain)) {
			t.Fatalf("leaf %d: loss %v by its equation, %v by the best number", l.Node, loss, plain)
		}
	}
}

// Columns of one value, and those that others before them determine, have the coefficient 0, and
// the others what they have alone.
func TestEquationsOfDependentColumns(t *testing.T) {
	const n = 30
	s := rng.New(14)
	columns := make([]data.Column, 5)
	var x [5][]float64
	for range n {
		a, b := s.Float64(), s.Float64()*3
		for j, v := range []float64{7, a, 2*a + 3, b, a - b} {
			x[j] = append(x[j], v)
		}
	}
	for j := range columns {
		columns[j] = data.Numbers(x[j])
	}
	f := &data.Frame{Columns: columns}
	g, h := derivatives(n, false, s)
	solved := func(l2 float64, features ...int32) (float64, []float64) {
		t.Helper()
		var r ridge
		r.gather(f, features, data.AllRows(n), func(i int) (float64, float64) { return g[i], h[i] })
		constant, coef, ok := r.solve(l2)
		if !ok {
			t.Fatalf("no equation of columns %v", features)
		}
		return constant, coef
	}
	for _, c := range []struct {
		l2   float64
		all  []int32 // columns, of which those of kept have coefficients
		kept []int
	}{
		{0, []int32{1, 2, 3, 4}, []int{0, 2}}, {0, []int32{0, 1, 3}, []int{1, 2}}, {0, []int32{1, 0, 3}, []int{0, 2}},
		{0, []int32{3, 4, 0, 1, 2}, []int{0, 1}}, {2, []int32{0, 3, 1}, []int{1, 2}}, {2, []int32{3, 0, 1}, []int{0, 2}}, {2, []int32{0, 3}, []int{1}},
	} {
		var alone []int32
		for _, k := range c.kept {
			alone = append(alone, c.all[k])
		}
		constant, coef := solved(c.l2, c.all...)
		want, wanted := solved(c.l2, alone...)
		if math.Abs(constant-want) > 1e-9 {
			t.Errorf("%+v: constant %v, want %v", c, constant, want)
		}
		for j, v := range coef {
			w := 0.0
			if k := slices.Index(c.kept, j); k >= 0 {
				w = wanted[k]
			}
			if math.Abs(v-w) > 1e-7 || w == 0 && v != 0 {
				t.Errorf("%+v: coefficients %v, want %v of %v", c, coef, wanted, alone)
				break
			}
		}
	}
}

// frame is the table whose bins the codes are.
func (p *problem) frame(t fataler) *data.Frame {
	var s data.Schema
	var columns []data.Column
	for j := range p.m.Columns {
		c := &p.m.Columns[j]
		field, column := data.Field{Name: string(rune('a' + j))}, data.Column{}
		if c.Nominal() {
			field.Kind = data.Categorical
			for b := range c.Values {
				field.Levels = append(field.Levels, string(rune('A'+b)))
			}
		}
		for _, code := range p.codes[j] {
			missing := code == c.Values
			switch {
			case c.Nominal() && missing:
				column = data.Codes(append(column.Codes(), data.MissingCode))
			case c.Nominal():
				column = data.Codes(append(column.Codes(), uint32(code)))
			case missing:
				column = data.Numbers(append(column.Numbers(), math.NaN()))
			default:
				column = data.Numbers(append(column.Numbers(), float64(code)))
			}
		}
		s.Fields, columns = append(s.Fields, field), append(columns, column)
	}
	f, err := data.NewFrame(s, columns)
	if err != nil {
		t.Fatal(err)
	}
	return f
}
