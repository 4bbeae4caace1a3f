package bins

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// Blocks give the bins of the whole table: the same where values are few, and nearly the same where
// they are many.
func TestStream(t *testing.T) {
	const n, block = 40000, 1700
	s := rng.New(14)
	x, few, weight, level := normal(n, 15), make([]float64, n), make([]float64, n),
		make([]string, n)
	for i := range x {
		few[i], weight[i], level[i] = float64(s.Intn(30)), float64(s.Intn(3)),
			[]string{"", "a", "b", "c"}[s.Intn(4)]
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x},
		data.NamedColumn{Name: "few", Values: few},
		data.NamedColumn{Name: "level", Values: level})
	if err != nil {
		t.Fatal(err)
	}
	fit := func(workers int) []Column {
		stream, err := NewStream(&f.Schema, Options{Bins: 50})
		if err != nil {
			t.Fatal(err)
		}
		for lo := 0; lo < n; lo += block {
			rows := data.AllRows(n)[lo:min(lo+block, n)]
			w := weight[lo:min(lo+block, n)]
			if err := stream.Add(context.Background(), f.Subset(rows), w, workers); err != nil {
				t.Fatal(err)
			}
		}
		return stream.Columns()
	}
	columns := fit(1)
	whole, err := Make(context.Background(), f, nil, weight, Options{Bins: 50}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(columns[1].SplitPoints, whole.Columns[1].SplitPoints) ||
		!slices.Equal(columns[2].Level, whole.Columns[2].Level) {
		t.Errorf("few values: split points %v, levels %v", columns[1].SplitPoints, columns[2].Level)
	}
	d := weigh(x, weight)
	for k, c := range columns[0].SplitPoints {
		want := d.upto(whole.Columns[0].SplitPoints[k])
		if got := d.upto(c); got-want > d.total()/200 || want-got > d.total()/200 {
			t.Errorf("%v lies up to split point %d, want %v", got, k, want)
		}
	}
	for _, workers := range []int{0, 3} {
		if again := fit(workers); !slices.Equal(again[0].SplitPoints, columns[0].SplitPoints) {
			t.Errorf("other split points with %d workers", workers)
		}
	}
	m, err := Encode(context.Background(), f, nil, columns, Options{Bundle: true}, 2)
	if err != nil {
		t.Fatal(err)
	}
	check(t, f, m)
}

func TestStreamRefusals(t *testing.T) {
	f := frameOf(t, []float64{1, 2})
	if _, err := NewStream(&f.Schema, Options{Bins: -1}); err == nil ||
		!strings.Contains(err.Error(), "-1 bins") {
		t.Errorf("error %v", err)
	}
	stream, err := NewStream(&f.Schema, Options{})
	if err != nil {
		t.Fatal(err)
	}
	two := frameOf(t, []float64{1}, []float64{2})
	if err := stream.Add(context.Background(), two, nil, 1); err == nil ||
		!strings.Contains(err.Error(), "a block of 2 columns, want 1") {
		t.Errorf("error %v", err)
	}
	if err := stream.Add(context.Background(), f, []float64{1, -2}, 1); err == nil ||
		!strings.Contains(err.Error(), "row 2: weight -2") {
		t.Errorf("error %v", err)
	}
	other, err := data.FromColumns(data.NamedColumn{Name: "x0", Values: []string{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	if err := stream.Add(context.Background(), other, nil, 1); err == nil ||
		!strings.Contains(err.Error(), `column 1 of a block is "x0", categorical`) {
		t.Errorf("error %v", err)
	}
}
