package growtest

import (
	"fmt"
	"math"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/grow"
)

// Problem is a small learning problem.
type Problem struct {
	Frame     *data.Frame
	Pop       grow.Population
	Criterion criterion.Definition
}

// Fataler is a test that can end.
type Fataler interface{ Fatal(...any) }

// Random makes a table with numeric and categorical columns, both with missing values and many
// ties.
func Random(t *rapid.T, rows, levels int) Problem {
	n := rapid.IntRange(2, rows).Draw(t, "rows")
	var p Problem
	var schema data.Schema
	var columns []data.Column
	for c := range rapid.IntRange(1, 3).Draw(t, "columns") {
		if rapid.Bool().Draw(t, "categorical") {
			f := data.Field{Name: fmt.Sprint("c", c), Kind: data.Categorical}
			for l := range levels {
				f.Levels = append(f.Levels, fmt.Sprint("l", l))
			}
			code := make([]uint32, n)
			for i := range code {
				code[i] = uint32(rapid.IntRange(0, levels).Draw(t, "code"))
				if code[i] == uint32(levels) {
					code[i] = data.MissingCode
				}
			}
			schema.Fields, columns = append(schema.Fields, f),
				append(columns, data.Codes(code))
			continue
		}
		num := make([]float64, n)
		for i := range num {
			num[i] = rapid.SampledFrom([]float64{-1.5, 0, 1, 2, 3.25, math.Inf(1), math.Inf(-1),
				math.NaN()}).Draw(t, "x")
		}
		schema.Fields, columns = append(schema.Fields, data.Field{Name: fmt.Sprint("n", c)}),
			append(columns, data.Numbers(num))
	}
	frame, err := data.NewFrame(schema, columns)
	if err != nil {
		t.Fatal(err)
	}
	p.Frame = frame
	p.Criterion = rapid.SampledFrom(criterion.Table()).Draw(t, "criterion")
	p.Pop.Classes = rapid.IntRange(2, 6).Draw(t, "classes")
	weighted := rapid.Bool().Draw(t, "weighted")
	for i := range n {
		p.Pop.Rows = append(p.Pop.Rows, int32(i))
		if p.Criterion.Family == criterion.Classes {
			p.Pop.Class = append(p.Pop.Class,
				uint32(rapid.IntRange(0, p.Pop.Classes-1).Draw(t, "class")))
		} else {
			p.Pop.Y = append(p.Pop.Y, p.randomNumber(t))
		}
		if weighted {
			p.Pop.Weight = append(p.Pop.Weight, float64(rapid.IntRange(1, 8).Draw(t, "weight"))/4)
		}
	}
	return p
}

// randomNumber makes a label: counts for Poisson deviance, else numbers far from zero.
func (p *Problem) randomNumber(t *rapid.T) float64 {
	if p.Criterion.Check != nil {
		return float64(rapid.IntRange(0, 6).Draw(t, "y"))
	}
	return float64(rapid.IntRange(-5, 5).Draw(t, "y")) + 1000
}

// Table makes a Problem large enough that several workers work on a node.
func Table(rows int, name string) *Problem {
	r := rng.New(7)
	var schema data.Schema
	var columns []data.Column
	for c := range 6 {
		num := make([]float64, rows)
		for i := range num {
			if num[i] = float64(r.Intn(200)); r.Intn(20) == 0 {
				num[i] = math.NaN()
			}
		}
		schema.Fields, columns = append(schema.Fields, data.Field{Name: fmt.Sprint("n", c)}),
			append(columns, data.Numbers(num))
	}
	field := data.Field{Name: "c", Kind: data.Categorical}
	for l := range 30 {
		field.Levels = append(field.Levels, fmt.Sprint(l))
	}
	code := make([]uint32, rows)
	for i := range code {
		code[i] = uint32(r.Intn(30))
	}
	schema.Fields, columns = append(schema.Fields, field), append(columns, data.Codes(code))
	frame, err := data.NewFrame(schema, columns)
	if err != nil {
		panic(err)
	}
	p := &Problem{Frame: frame, Pop: grow.Population{Classes: 3}}
	p.Criterion, _ = criterion.ByName(name)
	for i := range rows {
		p.Pop.Rows = append(p.Pop.Rows, int32(i))
		y := columns[0].Number(i) + float64(10*(code[i]%5)) + float64(r.Intn(60))
		if math.IsNaN(y) {
			y = 0
		}
		if p.Criterion.Family == criterion.Classes {
			p.Pop.Class = append(p.Pop.Class, min(2, uint32(y/100)))
		} else {
			p.Pop.Y = append(p.Pop.Y, y)
		}
	}
	return p
}

// ManyValues is a table of two classes whose large nodes are scanned by buckets. Its columns hold
// numbers that all differ, few hundred values, a value that half of the rows have, values at great
// distances, few values, and one has missing values. Then each follows backwards, where all split
// points are worth the same. Labels follow some of them, with noise.
func ManyValues(t Fataler, rows int, noise float64) *Problem {
	r := rng.New(11)
	columns := make([][]float64, 12)
	for c := range columns {
		columns[c] = make([]float64, rows)
	}
	p := &Problem{Pop: grow.Population{Rows: data.AllRows(rows), Class: make([]uint32, rows),
		Classes: 2}}
	for i := range rows {
		u := r.Float64()
		columns[0][i] = r.Float64()
		columns[1][i] = float64(r.Intn(400))
		columns[2][i] = max(u, 0.5)
		columns[3][i] = math.Exp(40 * r.Float64())
		columns[4][i] = float64(r.Intn(7))
		if columns[5][i] = r.Float64(); r.Intn(9) == 0 {
			columns[5][i] = math.NaN()
		}
		for c := range 6 {
			columns[6+c][i] = -columns[c][i]
		}
		score := math.Abs(columns[0][i]-0.4) + columns[1][i]/1600 + u/2 + noise*r.Float64()
		if score > 0.55+noise/2 {
			p.Pop.Class[i] = 1
		}
	}
	var named []data.NamedColumn
	for c := range columns {
		named = append(named, data.NamedColumn{Name: fmt.Sprint("c", c), Values: columns[c]})
	}
	var err error
	if p.Frame, err = data.FromColumns(named...); err != nil {
		t.Fatal(err)
	}
	p.Criterion, _ = criterion.ByName("gini")
	return p
}

// Bootstrap samples as many rows of a population as it has, with replacement.
func Bootstrap(pop *grow.Population) {
	r := rng.New(3)
	pop.Count = make([]uint32, len(pop.Rows))
	for range pop.Rows {
		pop.Count[r.Intn(len(pop.Rows))]++
	}
	for i := range pop.Weight {
		pop.Weight[i] *= float64(pop.Count[i])
	}
}
