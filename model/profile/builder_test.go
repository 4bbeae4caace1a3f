package profile_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/profile"
)

// table draws a table of every kind of column, dense and sparse, and some of its rows.
func table(t *rapid.T) (*data.Dataset, []int32) {
	n := rapid.IntRange(1, 120).Draw(t, "rows")
	number := rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1.5, -2, 1e308, 1.7e308, -1.1e308, 5e-324, 1e-160,
		math.NaN(), math.Inf(1), math.Inf(-1), 0.1, 3})
	x, day, code, text := make([]float64, n), make([]float64, n), make([]uint32, n), make([]uint32, n)
	y, class := make([]float64, n), make([]uint32, n)
	var row []int32
	var stored []float64
	for i := range n {
		x[i] = number.Draw(t, "x")
		day[i] = rapid.SampledFrom([]float64{math.NaN(), 0, 8.64e10, 1.7e15, 1.7e15 + 1}).Draw(t, "day")
		code[i] = rapid.SampledFrom([]uint32{0, 1, 2, data.MissingCode, data.UnseenCode}).Draw(t, "code")
		text[i] = rapid.SampledFrom([]uint32{0, 1, 2, data.MissingCode}).Draw(t, "text")
		y[i], class[i] = float64(i%7), uint32(i%2)
		if rapid.IntRange(0, 5).Draw(t, "stored") == 0 {
			row, stored = append(row, int32(i)), append(stored, number.Draw(t, "value"))
		}
	}
	absent := rapid.SampledFrom([]float64{0, math.NaN()}).Draw(t, "absent")
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "day", Kind: data.Date},
		{Name: "c", Kind: data.Categorical, Levels: []string{"p", "q\xff", "r"}},
		{Name: "t", Kind: data.Text, Levels: []string{"", "one", "two words"}}, {Name: "s"}}},
		[]data.Column{data.Numbers(x), data.Numbers(day), data.Codes(code), data.Codes(text), data.Sparse(n, absent, row, stored)})
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f, Target: data.Target{Name: "y", Task: data.Regression, Y: [][]float64{y}}}
	if rapid.Bool().Draw(t, "classes") {
		ds.Target = data.Target{Name: "y", Task: data.Binary, Class: class, Classes: []string{"no", "yes"}}
	}
	if rapid.Bool().Draw(t, "all") {
		return ds, data.AllRows(n)
	}
	rows := rapid.SliceOfDistinct(rapid.Int32Range(0, int32(n-1)), rapid.ID).Draw(t, "rows")
	slices.Sort(rows)
	return ds, rows
}

// profiled returns the profile of rows that are added in blocks.
func profiled(t *rapid.T, ds *data.Dataset, rows []int32, workers, block int, o profile.Options) *model.Profile {
	expanded, err := ds.Expanded(nil)
	if err != nil {
		t.Fatal(err)
	}
	o.Workers = workers
	b := profile.New(expanded.Schema.Fields, len(rows), o)
	for from := 0; from < ds.Rows(); from += block {
		all := data.AllRows(ds.Rows())[from:min(from+block, ds.Rows())]
		var own []int32
		for _, r := range rows {
			if slices.Contains(all, r) {
				own = append(own, r-int32(from))
			}
		}
		b.Add(expanded.Subset(all), own)
	}
	return b.Profile(&expanded.Target, rows)
}

// The profile is that of a plain count of values, for any blocks and workers.
func TestProfileIsBruteForce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		ds, rows := table(t)
		o := profile.Options{NoExtremes: rapid.Bool().Draw(t, "no extremes")}
		got := profiled(t, ds, rows, rapid.IntRange(1, 4).Draw(t, "workers"), rapid.IntRange(1, ds.Rows()).Draw(t, "block"), o)
		want := plain(ds, rows, o.NoExtremes)
		// dates were days
		if diff := gocmp.Diff(want.Columns[1], got.Columns[1], cmpopts.EquateApprox(0, 2)); diff != "" {
			t.Fatal(diff)
		}
		want.Columns[1] = got.Columns[1]
		if diff := gocmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
		m := &model.Ensemble{Meta: model.Spec{Task: data.Regression, Profile: got}}
		expanded, _ := ds.Expanded(nil)
		if m.Meta.Schema = expanded.Schema; m.Meta.Validate() != nil {
			t.Fatal(m.Meta.Validate())
		}
	})
}

// plain is the definition of a profile.
func plain(ds *data.Dataset, rows []int32, noExtremes bool) *model.Profile {
	p := &model.Profile{Rows: len(rows), NoExtremes: noExtremes, Columns: []model.ColumnProfile{}}
	for i := range ds.Columns {
		p.Columns = append(p.Columns, plainColumn(&ds.Schema.Fields[i], &ds.Columns[i], rows, noExtremes))
	}
	if ds.Target.Class != nil {
		c := data.Codes(ds.Target.Class)
		p.Label = append(p.Label, plainColumn(&data.Field{Name: "y", Kind: data.Categorical, Levels: ds.Target.Classes}, &c, rows, noExtremes))
	} else {
		c := data.Numbers(ds.Target.Y[0])
		p.Label = append(p.Label, plainColumn(&data.Field{Name: "y"}, &c, rows, noExtremes))
	}
	return p
}

func plainColumn(f *data.Field, c *data.Column, rows []int32, noExtremes bool) model.ColumnProfile {
	p := model.ColumnProfile{Name: f.Name, Kind: f.Kind}
	counts, values := map[string]int{}, []float64{}
	for _, row := range rows {
		v := 0.0
		switch {
		case f.Kind.HasLevels() && c.Code(int(row)) == data.MissingCode:
			p.Missing++
			continue
		case f.Kind.HasLevels() && c.Code(int(row)) == data.UnseenCode:
			p.OtherRows++
			continue
		case f.Kind == data.Categorical:
			counts[f.Levels[c.Code(int(row))]]++
			continue
		case f.Kind == data.Text:
			v = float64(c.Code(int(row))) // "" has no words, and so on
			if v == 0 {
				p.Empty++
			}
		default:
			v = c.Number(int(row))
		}
		switch {
		case math.IsNaN(v):
			p.Missing++
		case math.IsInf(v, 0):
			p.Infinite++
		default:
			values = append(values, v+0)
		}
	}
	for _, level := range []string{"p", "q\xff", "r", "no", "yes"} {
		if n := counts[level]; n > 0 {
			p.Levels = append(p.Levels, data.LevelCount{Level: level, Rows: n})
		}
	}
	slices.SortStableFunc(p.Levels, func(a, b data.LevelCount) int { return b.Rows - a.Rows })
	if slices.Sort(values); len(values) == 0 {
		p.Distinct = len(p.Levels)
		return p
	}
	p.Distinct = len(slices.Compact(slices.Clone(values)))
	p.Numbers = plainNumbers(values, noExtremes)
	return p
}

// plainNumbers describes ascending numbers, in a precision in which no sum of them is rounded.
func plainNumbers(values []float64, noExtremes bool) *model.NumberProfile {
	n := &model.NumberProfile{}
	wide := func(x float64) *big.Float { return new(big.Float).SetPrec(6000).SetFloat64(x) }
	sum, squares, count := wide(0), wide(0), wide(float64(len(values)))
	for _, v := range values {
		sum.Add(sum, wide(v))
	}
	mean := new(big.Float).SetPrec(6000).Quo(sum, count)
	for _, v := range values {
		d := wide(v)
		d.Sub(d, mean)
		squares.Add(squares, d.Mul(d, d))
	}
	n.Mean, _ = mean.Float64()
	squares.Quo(squares, count)
	if squares.Sign() > 0 {
		n.Std, _ = squares.Sqrt(squares.SetPrec(200)).Float64()
	}
	low, step := 0.0, 1.0/32
	if noExtremes {
		low, step = 0.01, 0.98/32
	} else {
		n.Min, n.Max = new(values[0]), new(values[len(values)-1])
	}
	for i := range model.ProfileQuantiles {
		at := math.Floor(float64(len(values)-1)*(low+step*float64(i)) + 1e-9)
		n.Quantiles = append(n.Quantiles, values[int(at)])
		count := 0
		for _, v := range values {
			if v <= values[int(at)] {
				count++
			}
		}
		n.AtMost = append(n.AtMost, count)
	}
	return n
}

// Of a long table the quantiles are those of the rows with the least hashes of their positions, and
// as exact as the profile states.
func TestSampleOfLongTables(t *testing.T) {
	const n = 200_001
	x := make([]float64, n)
	at := data.AllRows(n)
	for i := range x {
		x[i] = float64(i * 7919 % n)
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x})
	if err != nil {
		t.Fatal(err)
	}
	b := profile.New(f.Schema.Fields, n, profile.Options{})
	b.Add(f, at)
	p := b.Profile(&data.Target{}, at)
	slices.SortFunc(at, func(i, j int32) int { return cmp.Compare(rng.Seed(0, uint64(i)), rng.Seed(0, uint64(j))) })
	var sample []float64
	for _, i := range at[:65_536] {
		sample = append(sample, x[i])
	}
	slices.Sort(sample)
	c := p.Columns[0]
	if p.SampleRows != 65_536 || c.Distinct != 10_000 || !c.More || *c.Numbers.Min != 0 || *c.Numbers.Max != n-1 || c.Numbers.Mean != (n-1)/2 {
		t.Errorf("sample of %d rows, %+v, %+v", p.SampleRows, c, c.Numbers)
	}
	worst := 0.0
	for i, q := range c.Numbers.Quantiles[1:32] {
		if want := sample[65_535*(i+1)/32]; q != want {
			t.Errorf("quantile %d is %v, want %v", i+1, q, want)
		}
		worst = max(worst, math.Abs(q/n-float64(i+1)/32))
	}
	if worst > p.RankError || p.RankError > 0.0064 || worst < 1e-5 {
		t.Errorf("ranks are off by %v, stated is %v", worst, p.RankError)
	}
}

// The profile of 28 columns is below 60 kB, and any table's below 1 MB.
func TestProfileIsSmall(t *testing.T) {
	made := func(rows, numbers, categories int, level string) *model.Profile {
		var columns []data.NamedColumn
		r := rng.New(1)
		for i := range numbers {
			x := make([]float64, rows)
			for k := range x {
				x[k] = r.Float64()
			}
			columns = append(columns, data.NamedColumn{Name: fmt.Sprint("number", i), Values: x})
		}
		for i := range categories {
			c := make([]string, rows)
			for k := range c {
				c[k] = fmt.Sprint(level, r.Intn(200))
			}
			columns = append(columns, data.NamedColumn{Name: fmt.Sprint("category", i), Values: c})
		}
		f, err := data.FromColumns(columns...)
		if err != nil {
			t.Fatal(err)
		}
		b := profile.New(f.Schema.Fields, rows, profile.Options{})
		b.Add(f, data.AllRows(rows))
		p := b.Profile(&data.Target{}, data.AllRows(rows))
		if err := (&model.Spec{Task: data.Regression, Schema: f.Schema, Profile: p}).Validate(); err != nil {
			t.Error(err)
		}
		return p
	}
	size := func(p *model.Profile) int {
		b, err := json.Marshal(p)
		if err != nil {
			t.Fatal(err)
		}
		return len(b)
	}
	if n := size(made(5000, 28, 0, "")); n > 60_000 || n < 10_000 {
		t.Errorf("28 columns take %d bytes", n)
	}
	long := strings.Repeat("a", 2000)
	p := made(500, 3, 10, long)
	if n, levels := size(p), len(p.Columns[3].Levels); n > 1<<20 || levels == 0 || levels == 100 || p.Columns[3].OtherLevels+levels != p.Columns[3].Distinct {
		t.Errorf("%d bytes with %d levels and %d others", n, levels, p.Columns[3].OtherLevels)
	}
	if p = made(100, 1900, 0, ""); size(p) > 1<<20 || p.Columns[0].Numbers.Quantiles != nil || *p.Columns[0].Numbers.Min == 0 {
		t.Errorf("%d bytes of 1900 columns", size(p))
	}
	if p = made(2, 2001, 0, ""); p.Columns[0].Numbers != nil || len(p.Columns) != 2001 {
		t.Error("2001 columns have numbers")
	}
	if p = made(1, 30_000, 0, ""); p.Columns != nil || p.Rows != 1 {
		t.Errorf("%d bytes of 30,000 columns", size(p))
	}
}
