package data

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// labeledTable draws a table of a label column, a weight, a group and two features.
func labeledTable(t *rapid.T, numbers bool) *Frame {
	n := rapid.IntRange(1, 60).Draw(t, "rows")
	number, weight, x, group := make([]float64, n), make([]float64, n), make([]float64, n), make([]uint32, n)
	code := make([]uint32, n)
	kinds := rapid.IntRange(1, 4).Draw(t, "labels")
	holes := rapid.SampledFrom([]int{0, 0, 3}).Draw(t, "holes")
	faults := rapid.SampledFrom([]int{0, 0, 40}).Draw(t, "faulty weights")
	for i := range n {
		k := rapid.IntRange(0, kinds-1).Draw(t, "label")
		number[i], code[i], x[i], group[i] = float64(k), uint32(k), float64(i), uint32(i/7)
		weight[i] = rapid.SampledFrom([]float64{0, 0.5, 2}).Draw(t, "weight")
		if holes > 0 && i%holes == 1 {
			number[i], code[i] = math.NaN(), MissingCode
		}
		if faults > 0 && i == faults {
			weight[i] = -1
		}
	}
	groups := make([]string, 10)
	for i := range groups {
		groups[i] = fmt.Sprint("g", i)
	}
	label := Field{Name: "y", Kind: Categorical, Levels: []string{"0", "1", "b", "c"}}
	column := Codes(code)
	if numbers {
		label, column = Field{Name: "y"}, Numbers(number)
	}
	f, err := NewFrame(Schema{Fields: []Field{{Name: "x"}, label, {Name: "w"}, {Name: "day", Kind: Date},
		{Name: "g", Kind: Categorical, Levels: groups}}},
		[]Column{Numbers(x), column, Numbers(weight), Numbers(x), Codes(group)})
	if err != nil {
		t.Fatal(err)
	}
	f.Origin = &Origin{Files: []string{"t.csv"}, First: []int32{0}, Skip: 2}
	return f
}

// join appends the target of later rows.
func (t *Target) join(later *Target) {
	t.Class, t.Weight, t.Group = append(t.Class, later.Class...), append(t.Weight, later.Weight...), append(t.Group, later.Group...)
	for i := range later.Y {
		t.Y[i] = append(t.Y[i], later.Y[i]...)
	}
}

// The rows of StreamBlocks have the targets and features of the table in memory; there are the same
// errors and notes. A table with several faults may have the error of another one.
func TestStreamBlocks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		numbers := rapid.Bool().Draw(t, "numbers")
		f := labeledTable(t, numbers)
		var notes, wanted []string
		r := Roles{Label: "y", Group: "g", DropUnlabeled: rapid.Bool().Draw(t, "drop"),
			Like: &Schema{Fields: []Field{{Name: "day: year", From: &DatePart{Source: "day", Part: Year}}}},
			Log:  func(format string, args ...any) { wanted = append(wanted, fmt.Sprintf(format, args...)) }}
		if rapid.Bool().Draw(t, "weights") {
			r.Weight = "w"
		}
		switch rapid.SampledFrom([]string{"classes", "numbers", "rare", "auto"}).Draw(t, "task") {
		case "classes":
			r.Classes = rapid.SampledFrom([][]string{{"0", "1"}, {"b", "0", "1.0"}, {"1", "0", "c", "b", "2", "3"}}).Draw(t, "classes")
			if len(r.Classes) == 2 {
				r.Positive = rapid.SampledFrom([]string{"", "0", "1.0"}).Draw(t, "positive")
			}
		case "numbers":
			r.Task = Regression
		case "rare":
			r.RareLast, r.Classes = true, []string{"0", "anomaly"}
		}
		if rapid.Bool().Draw(t, "rename") {
			r.Rename = map[string]string{"1": rapid.SampledFrom([]string{"0", "anomaly", ""}).Draw(t, "new"), "7": "8"}
		}
		want, wantErr := r.Apply(f)
		r.Log = func(format string, args ...any) { notes = append(notes, fmt.Sprintf(format, args...)) }
		got, err := r.StreamBlocks(t.Context(), &blocksOf{f, rapid.IntRange(1, 20).Draw(t, "block")})
		all, rows := Target{}, 0
		if err == nil {
			all = got.Target
			if got.stream == nil {
				all = all.between(0, 0, max(1, got.Rows()))
			}
			for b, failed := range got.Labeled(t.Context()) {
				if err = failed; err != nil {
					break
				}
				if b.First != rows {
					t.Fatalf("a block begins at %d, want %d", b.First, rows)
				}
				for i := range b.Rows() {
					if x := b.Columns[0].Number(i); wantErr == nil && (x != want.Columns[0].Number(rows+i) || got.Locate(b.Place(i)) != want.Locate(rows+i)) {
						t.Fatalf("row %d is %v, at %s", rows+i, x, got.Locate(b.Place(i)))
					}
				}
				all.join(&b.Target)
				rows += b.Rows()
			}
		}
		if wantErr != nil || err != nil {
			if (wantErr == nil) != (err == nil) || err.Error() != wantErr.Error() {
				t.Fatalf("%v, want %v", err, wantErr)
			}
			return
		}
		if d := want.Target; !reflect.DeepEqual(all, d) || rows != want.Rows() || !reflect.DeepEqual(got.Schema, want.Schema) {
			t.Fatalf("got %+v\nwant %+v", all, d)
		}
		slices.Sort(notes)
		slices.Sort(wanted)
		if !slices.Equal(notes, wanted) {
			t.Fatalf("notes %q, want %q", notes, wanted)
		}
	})
}
