package data

import (
	"context"
	"iter"
	"math"
	"reflect"
	"testing"

	"pgregory.net/rapid"
)

// blocksOf is a frame in blocks of some rows.
type blocksOf struct {
	*Frame
	rows int
}

func (b *blocksOf) Blocks(context.Context) iter.Seq2[RowBlock, error] {
	return func(yield func(RowBlock, error) bool) {
		all := AllRows(b.Rows())
		for first := 0; first < len(all); first += b.rows {
			if !yield(RowBlock{Frame: b.Subset(all[first:min(first+b.rows, len(all))]), First: first}, nil) {
				return
			}
		}
	}
}

// Roles of a table in blocks are those of the table: target, features, parts of dates, hash.
func TestApplyBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(2, 2500).Draw(t, "rows")
		seed := rapid.IntRange(1, 1000).Draw(t, "seed")
		hours := rapid.SampledFrom([]int{1, 7, 5000}).Draw(t, "hours")
		label, x, day := make([]float64, n), make([]float64, n), make([]float64, n)
		class := make([]uint32, n)
		holes := rapid.Bool().Draw(t, "holes")
		for i := range n {
			k := (i*i + seed*i) % 997
			label[i], x[i], class[i] = float64(k), float64(k%31), uint32(k%3)
			day[i] = 1.7e15 + float64(k%hours)*3.6e9
			if holes && k%5 == 0 {
				label[i], day[i] = math.NaN(), math.NaN()
			}
		}
		label[0], label[1], x[0] = 1, 2, 1                   // weights of which some are above 0
		stored, values := AllRows(n/8), make([]float64, n/8) // dense in the first blocks, then sparse
		for i := range stored {
			stored[i], values[i] = stored[i]*stored[i]%3+8*stored[i], 0.5
		}
		f, err := NewFrame(Schema{Fields: []Field{{Name: "y"}, {Name: "x"}, {Name: "day", Kind: Date},
			{Name: "c", Kind: Categorical, Levels: []string{"p", "q", "r"}}, {Name: "s"}}},
			[]Column{Numbers(label), Numbers(x), Numbers(day), Codes(class),
				Sparse(n, 0, stored, values)})
		if err != nil {
			t.Fatal(err)
		}
		roles := Roles{Label: "y", DropUnlabeled: true, Task: Regression}
		want, err := roles.Apply(f)
		if err != nil {
			t.Fatal(err)
		}
		got, err := roles.ApplyBlocks(context.Background(), &blocksOf{f, rapid.IntRange(1+n/9, n).Draw(t, "block")})
		if err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got.Target, want.Target) || !reflect.DeepEqual(got.Schema, want.Schema) {
			t.Fatalf("got %+v, want %+v", got.Schema, want.Schema)
		}
		at := 0
		for b, err := range got.Features.Blocks(context.Background()) {
			if err != nil || b.First != at {
				t.Fatal(err)
			}
			part := want.Subset(AllRows(want.Rows())[at : at+b.Rows()])
			for i := range b.Columns {
				for row := range b.Rows() {
					if a, c := part.Columns[i], b.Columns[i]; a.code != nil && a.Code(row) != c.Code(row) || a.code == nil && hashWord(a.Number(row)) != hashWord(c.Number(row)) {
						t.Fatalf("column %d, row %d", i, at+row)
					}
				}
			}
			at += b.Rows()
		}
		some := AllRows(want.Rows())[want.Rows()/3:]
		h := got.Hashing(some)
		for range h.Blocks(context.Background()) {
		}
		if h.Hash(1) != want.Hash(some, 1) {
			t.Fatalf("hash %v, want %v", h.Hash(1), want.Hash(some, 1))
		}
		roles.Weight = rapid.SampledFrom([]string{"", "x"}).Draw(t, "weight")
		roles.Ignore = []string{"day"} // so that labels are read with the rows
		if want, err = roles.Apply(f); err != nil {
			t.Fatal(err)
		}
		got, err = roles.StreamBlocks(context.Background(), &blocksOf{f, rapid.IntRange(1+n/9, n).Draw(t, "block")})
		if err != nil {
			t.Fatal(err)
		}
		h = got.Hashing(nil)
		for b, err := range got.Labeled(context.Background()) {
			if err != nil {
				t.Fatal(err)
			}
			h.Add(&b)
		}
		want.Target.Weight = nil
		if h.Hash(1) != want.Hash(nil, 1) {
			t.Fatalf("hash %v of labels in blocks, want %v", h.Hash(1), want.Hash(nil, 1))
		}
	})
}

// Texts are refused by the name of the column: which n-grams become columns depends on all rows.
func TestApplyBlocksRefusesTexts(t *testing.T) {
	text := Field{Name: "t", Kind: Text, Levels: []string{"good"}}
	f, err := NewFrame(Schema{Fields: []Field{{Name: "y"}, text}},
		[]Column{Numbers([]float64{1, 2}), Codes([]uint32{0, 0})})
	if err != nil {
		t.Fatal(err)
	}
	const want = `column "t" holds texts, which are not read in blocks: read the table into ` +
		"memory, or leave the column out"
	roles := Roles{Label: "y", Task: Regression}
	if _, err := roles.ApplyBlocks(t.Context(), &blocksOf{f, 1}); err == nil || err.Error() != want {
		t.Errorf("a text: %v, want %s", err, want)
	}
	f.Schema.Fields[1].Kind, roles.Texts = Categorical, map[string]TextFormat{"t": {}}
	if _, err := roles.ApplyBlocks(t.Context(), &blocksOf{f, 1}); err == nil || err.Error() != want {
		t.Errorf("a category that is read as a text: %v, want %s", err, want)
	}
}
