package bins

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
)

// inBlocks is a frame that is read in blocks of some rows each, before one of which reading fails.
type inBlocks struct {
	*data.Frame
	rows int
	fail int // number of the block; -1 = none
}

var errRead = errors.New("cannot read")

func (s *inBlocks) Blocks(context.Context) iter.Seq2[data.RowBlock, error] {
	return func(yield func(data.RowBlock, error) bool) {
		for first := 0; first < s.Rows(); first += s.rows {
			if first/s.rows == s.fail {
				yield(data.RowBlock{}, errRead)
				return
			}
			rows := data.AllRows(s.Rows())[first:min(first+s.rows, s.Rows())]
			if !yield(data.RowBlock{Frame: s.Subset(rows), First: first}, nil) {
				return
			}
		}
	}
}

// randomTable generates a table of numbers of few and of many values, of sparse ones and of
// categories.
func randomTable(t *rapid.T) *data.Frame {
	n := rapid.IntRange(1, 300).Draw(t, "rows")
	var schema data.Schema
	var columns []data.Column
	for j := range rapid.IntRange(1, 6).Draw(t, "columns") {
		field := data.Field{Name: string(rune('a' + j))}
		values := rapid.SampledFrom([]int{1, 3, 40, 400}).Draw(t, "values")
		usual := rapid.SampledFrom([]int{0, 0, 95}).Draw(t, "percent of zeros")
		seed := rapid.IntRange(1, 1000).Draw(t, "seed")
		number := func(i int) int {
			if i*7919%100 < usual {
				return 0
			}
			return (i*i + seed*i) % 997 % values
		}
		if rapid.Bool().Draw(t, "categories") {
			field.Kind, field.Levels = data.Categorical, []string{"p", "q", "r", "s"}
			codes := make([]uint32, n)
			for i := range codes {
				codes[i] = uint32(number(i) % 4)
			}
			columns = append(columns, data.Codes(codes))
		} else {
			numbers := make([]float64, n)
			for i := range numbers {
				if numbers[i] = float64(number(i)) / 3; number(i) == 2 {
					numbers[i] = math.NaN()
				}
			}
			columns = append(columns, data.Numbers(numbers))
		}
		schema.Fields = append(schema.Fields, field)
	}
	f, err := data.NewFrame(schema, columns)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// sparseTwin returns the same table with sparse columns, some of which store zeros and no missing
// values.
func sparseTwin(t *rapid.T, f *data.Frame) *data.Frame {
	g := f.Select(nil)
	for i, c := range f.Columns {
		g.Schema.Fields = append(g.Schema.Fields, f.Schema.Fields[i])
		if c.Codes() == nil {
			absent := rapid.SampledFrom([]float64{0, math.NaN()}).Draw(t, "absent")
			var row []int32
			var value []float64
			for r, v := range c.Numbers() {
				if v != absent && (v == v || absent == absent) {
					row, value = append(row, int32(r)), append(value, v)
				}
			}
			c = data.Sparse(f.Rows(), absent, row, value)
		}
		g.Columns = append(g.Columns, c)
	}
	return g
}

// A table that is read in blocks, or is sparse, makes the same matrix as one in memory, and fails
// where reading does.
func TestTablesInBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := randomTable(t)
		n := f.Rows()
		var rows []int32
		if rapid.Bool().Draw(t, "some rows") {
			rows = rapid.SliceOfNDistinct(rapid.Int32Range(0, int32(n-1)), 1, n, rapid.ID).Draw(t, "chosen")
			slices.Sort(rows)
		}
		var weight []float64
		if rapid.Bool().Draw(t, "weighted") {
			weight = rapid.SliceOfN(rapid.Float64Range(0, 3), n, n).Draw(t, "weight")
		}
		o := Options{Bins: rapid.SampledFrom([]int{0, 5, 300}).Draw(t, "bins"), Bundle: rapid.Bool().Draw(t, "bundle"),
			Sample: rapid.SampledFrom([]int{0, 20}).Draw(t, "sample"), Joint: 100}
		want, err := Make(context.Background(), f, rows, weight, o, 1)
		if err != nil {
			t.Fatal(err)
		}
		table := f
		if rapid.Bool().Draw(t, "sparse") {
			table = sparseTwin(t, f)
		}
		blocks := &inBlocks{Frame: table, rows: rapid.IntRange(1, n+1).Draw(t, "rows of a block"), fail: -1}
		workers := rapid.IntRange(1, 3).Draw(t, "workers")
		got, err := Make(context.Background(), blocks, rows, weight, o, workers)
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) {
			t.Fatalf("blocks of %d rows: %+v, want %+v", blocks.rows, got, want)
		}
		others, err := Encode(context.Background(), f, nil, want.Columns, Options{}, 1)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := Encode(context.Background(), blocks, nil, got.Columns, Options{}, workers); err != nil || !reflect.DeepEqual(got, others) {
			t.Fatalf("applied to blocks: %+v, %v, want %+v", got, err, others)
		}
		blocks.fail = rapid.IntRange(0, (n-1)/blocks.rows).Draw(t, "block that fails")
		if _, err := Make(context.Background(), blocks, nil, weight, o, workers); !errors.Is(err, errRead) {
			t.Fatalf("error %v of a table that cannot be read", err)
		}
		if _, err := Encode(context.Background(), blocks, nil, want.Columns, Options{}, workers); !errors.Is(err, errRead) {
			t.Fatalf("error %v of a table that cannot be read", err)
		}
	})
}

// Blocks without any of the rows are left out, and the others have their rows and the place of the
// first of them, until one is enough.
func TestParts(t *testing.T) {
	f := variedFrame(t, 40, 1)
	from := &inBlocks{f, 10, -1}
	for _, c := range []struct {
		rows []int32
		most int
		want string
	}{
		{[]int32{1, 9, 25, 26}, 9, "0+[1 9]@0 20+[5 6]@2 "}, {nil, 9, "0+[]@0 10+[]@10 20+[]@20 30+[]@30 "},
		{[]int32{1, 9, 25, 39}, 2, "0+[1 9]@0 20+[5]@2 "}, {[]int32{}, 9, ""},
	} {
		got, n := "", 0
		err := eachPart(t.Context(), from, c.rows, func(p part) bool {
			got += fmt.Sprintf("%d+%v@%d ", p.First, p.rows, p.at)
			n++
			return n < c.most
		})
		if err != nil || got != c.want {
			t.Errorf("%v: %q, %v, want %q", c.rows, got, err, c.want)
		}
	}
}
