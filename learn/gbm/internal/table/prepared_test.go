package table

import (
	"slices"
	"strconv"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/learn/gbm/internal/hist"
)

// cities is rows of a number and a category of 80 levels: row i has level i modulo 80.
func cities(t *testing.T, rows int) *data.Frame {
	t.Helper()
	x, city := make([]float64, rows), make([]string, rows)
	for i := range rows {
		x[i], city[i] = float64(i), "city "+strconv.Itoa(i%80)
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x},
		data.NamedColumn{Name: "city", Values: city})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func columns(as Encoding) *Config {
	return &Config{Columns: Columns{Bins: 255, MinBin: 1, Categories: as, Limits: &Limits{}}}
}

func prepared(t *testing.T, f *data.Frame, rows []int32, weight []float64, c *Config,
	classWeights data.ClassWeight) (*Prepared, bool) {
	t.Helper()
	p, encodes, err := Prepare(t.Context(), f, nil, rows, weight, learn.Env{}, c, classWeights)
	if err != nil {
		t.Fatal(err)
	}
	return p, encodes
}

// Categories that occur among the rows decide, not those of the dictionary.
func TestEncodingOfRows(t *testing.T) {
	f := cities(t, 160)
	for _, c := range []struct {
		rows    int
		given   Encoding
		encodes bool
		means   Encoding
	}{
		{160, AutoEncoding, true, TargetEncoding},
		{64, AutoEncoding, true, TargetEncoding},
		{63, AutoEncoding, false, NativeEncoding},
		{63, TargetEncoding, true, TargetEncoding},
		{63, BothEncodings, true, BothEncodings},
		{160, OrdinalEncoding, false, OrdinalEncoding},
	} {
		rows, config := data.AllRows(c.rows), columns(c.given)
		p, encodes := prepared(t, f, rows, nil, config, data.ClassWeight{})
		if encodes != c.encodes || (len(p.Matrix.Columns) == 0) != c.encodes {
			t.Errorf("%d rows, %s: encodes %v, %d columns in bins", c.rows, c.given, encodes,
				len(p.Matrix.Columns))
		}
		if got, err := p.Encoding(t.Context(), config, rows); got != c.means || err != nil {
			t.Errorf("%d rows, %s: means %s, %v", c.rows, c.given, got, err)
		}
	}
	numbers := f.Select([]int{0})
	p, _ := prepared(t, numbers, nil, nil, columns(AutoEncoding), data.ClassWeight{})
	if got, _ := p.Encoding(t.Context(), columns(AutoEncoding), nil); got != AutoEncoding {
		t.Errorf("numbers are split as categories: %s", got)
	}
}

// Rows of weight 0 are not there, but for the programs that count them.
func TestPrepareDropsWeightlessRows(t *testing.T) {
	f, weight := cities(t, 10), []float64{1, 0, 1, 0, 1, 1, 1, 1, 1, 0}
	own := columns(NativeEncoding)
	p, _ := prepared(t, f, []int32{3, 1, 4, 1, 5}, weight, own, data.ClassWeight{})
	if !slices.Equal(p.Matrix.Rows, []int32{4, 5}) || p.weightless != 2 {
		t.Errorf("rows %v, %d dropped", p.Matrix.Rows, p.weightless)
	}
	job, dropped := p.DropWeightless(own, &data.Target{Weight: weight},
		learn.Job{Rows: []int32{4, 9, 5, 4}, Valid: []int32{0, 1}})
	if !slices.Equal(job.Rows, []int32{4, 5, 4}) || !slices.Equal(job.Valid, []int32{0}) ||
		dropped != 1 {
		t.Errorf("job of rows %v and %v, %d dropped", job.Rows, job.Valid, dropped)
	}
	other := columns(NativeEncoding)
	other.Engine.Conventions = hist.LightGBM
	p, _ = prepared(t, f, []int32{3, 1, 4, 1, 5}, weight, other, data.ClassWeight{})
	if !slices.Equal(p.Matrix.Rows, []int32{1, 3, 4, 5}) || p.weightless != 0 {
		t.Errorf("as LightGBM: rows %v, %d dropped", p.Matrix.Rows, p.weightless)
	}
}

// Bins wait for the weights of classes, which a Fit knows, and have them once.
func TestClassWeightsBecomeWeightsOfRows(t *testing.T) {
	f, c := cities(t, 40).Select([]int{0}), columns(NativeEncoding)
	p, _ := prepared(t, f, nil, nil, c, data.ClassWeight{Balanced: true})
	if len(p.Matrix.Columns) > 0 {
		t.Fatal("the table is in bins before weights of classes are known")
	}
	target := &data.Target{Task: data.Binary, Classes: []string{"a", "b"},
		Class: make([]uint32, 40)}
	for i := range 10 {
		target.Class[i] = 1
	}
	got, weighed, err := p.WeighClasses(t.Context(), c, data.ClassWeight{Balanced: true}, target, learn.Job{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.Matrix.Columns) != 1 || !got.ClassWeighed || p.ClassWeighed {
		t.Errorf("%d columns in bins, weighed %v", len(got.Matrix.Columns), got.ClassWeighed)
	}
	if weighed.Weight[0] != 2 || weighed.Weight[39] != 40.0/60 || target.Weight != nil {
		t.Errorf("weights %v", weighed.Weight)
	}
	same, err := got.InBins(t.Context(), c, nil, 0)
	if same != got || err != nil {
		t.Errorf("a table in bins is put in bins again, %v", err)
	}
	some := got.Subset([]int32{3, 5})
	if some.Frame.Rows() != 2 || len(some.Matrix.Columns) > 0 || some.Matrix.Len() != 2 {
		t.Errorf("a table of two rows has %d, %d columns in bins", some.Frame.Rows(),
			len(some.Matrix.Columns))
	}
}

// A small table of many more columns than rows has bins of three rows and more, and no other has:
// in particular none that is small altogether, or whose bins are given.
func TestWideTablesHaveFewBins(t *testing.T) {
	for _, c := range []struct{ rows, columns, given, want int }{
		{60, 4400, bins.DefaultBins, 20}, {60, 4400, 50, 50}, {60, 4300, bins.DefaultBins, 60},
		{600, 440, bins.DefaultBins, 255},
	} {
		all := make([]data.NamedColumn, c.columns)
		for i := range all {
			x := make([]float64, c.rows)
			for row := range x {
				x[row] = float64((7*row + i) % c.rows)
			}
			all[i] = data.NamedColumn{Name: strconv.Itoa(i), Values: x}
		}
		f, err := data.FromColumns(all...)
		if err != nil {
			t.Fatal(err)
		}
		config := columns(AutoEncoding)
		config.Bins = c.given
		p, _ := prepared(t, f, nil, nil, config, data.ClassWeight{})
		if got := p.Matrix.Columns[1].Values; got != c.want {
			t.Errorf("%d x %d, bins=%d: %d bins, want %d", c.rows, c.columns, c.given, got, c.want)
		}
	}
}
