package model_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/data/libsvm"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// stumps is a model of a tree of one split for each of its fields.
func stumps(t testing.TB, fields ...data.Field) *model.Ensemble {
	t.Helper()
	m := &model.Ensemble{Meta: model.Spec{Task: data.Regression, Schema: data.Schema{Fields: fields}}}
	for i := range fields {
		if fields[i].Name == "idle" {
			continue
		}
		b := tree.NewLeafBuilder(tree.Scalar, 1)
		split := tree.Split{Kind: tree.Numeric, Feature: int32(i), SplitPoint: 1}
		if fields[i].Kind == data.Categorical {
			split = tree.Split{Kind: tree.SetFirst, Feature: int32(i), Set: []uint64{1}}
		}
		first := b.Split(0, split)
		b.SetValue(first, []float64{1})
		b.SetValue(first+1, []float64{-1})
		grown, err := b.Build()
		if err != nil {
			t.Fatal(err)
		}
		m.Trees = append(m.Trees, grown)
	}
	return m
}

func category(name string, levels ...string) data.Field {
	return data.Field{Name: name, Kind: data.Categorical, Levels: levels}
}

// The counts are those of the rows, whether the table was read by the model's schema or not, as a
// whole or in blocks.
func TestCoverage(t *testing.T) {
	m := stumps(t, category("shop", "blue", "red"), category("flag", "false", "true"), category("plot", "1", "2"),
		data.Field{Name: "size"}, category("idle", "a"), category("code", "0", "1"))
	const text = "shop,flag,plot,size,idle,code\nRED,1,1.0,,b,0\nred,0,2,,b,1\nRED,1,,,b,5\nteal,true,3,,b,1.0\n"
	want := []model.ColumnCoverage{
		{Column: "shop", Rows: 4, New: 3, Example: "RED", Nearest: "red", Levels: []string{"blue", "red"}},
		{Column: "flag", Rows: 4, New: 3, Example: "1", Levels: []string{"false", "true"}},
		{Column: "plot", Rows: 4, New: 1, Missing: 1, Example: "3", Levels: []string{"1", "2"}},
		{Column: "size", Rows: 4, Missing: 4},
		{Column: "code", Rows: 4, New: 1, Example: "5", Levels: []string{"0", "1"}},
	}
	byName := csvdata.Options{ReadOptions: data.ReadOptions{Categorical: []string{"flag", "plot", "code"}}}
	bySchema := csvdata.Options{ReadOptions: data.ReadOptions{Schema: &m.Meta.Schema, BlockBytes: 1}}
	for name, options := range map[string]csvdata.Options{"by its own kinds": byName, "by schema": bySchema} {
		options.Bytes = map[string][]byte{"t.csv": []byte(text)}
		f, err := csvdata.Open(options, "t.csv").Frame(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		whole, halves := model.NewCoverage(m), model.NewCoverage(m)
		if err := whole.Add(f); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, whole.Columns()); diff != "" {
			t.Errorf("read %s: %s", name, diff)
		}
		for _, rows := range [][]int32{{0, 1}, {2, 3}} { // of which columns have no texts
			if err := halves.Add(f.Subset(rows)); err != nil {
				t.Fatal(err)
			}
		}
		for i, x := range halves.Columns() {
			if x.New != want[i].New || x.Missing != want[i].Missing || x.Rows != want[i].Rows {
				t.Errorf("read %s, halves: %+v", name, x)
			}
		}
	}
	c := model.NewCoverage(m)
	if err := c.Add(&data.Frame{}); err == nil || err.Error() != `the table has no column "shop", which the model needs` {
		t.Errorf("no column: %v", err)
	}
}

// A column is suspicious from a tenth of new rows on, or with no value in ten rows.
func TestSuspicious(t *testing.T) {
	m := stumps(t, category("c", "a"), data.Field{Name: "x"})
	for _, c := range []struct {
		rows, fresh, missing int
		want                 []string
	}{
		{100, 9, 0, nil}, {100, 10, 0, []string{"c"}}, {1, 1, 0, []string{"c"}}, {9, 0, 9, nil},
		{10, 0, 10, []string{"x"}}, {10, 0, 9, nil}, {20, 2, 20, []string{"x", "c"}}, {0, 0, 0, nil},
	} {
		codes, values := make([]uint32, c.rows), make([]float64, c.rows)
		for i := range c.fresh {
			codes[i] = data.UnseenCode
		}
		for i := range c.missing {
			values[i] = math.NaN()
		}
		f, err := data.NewFrame(m.Meta.Schema, []data.Column{data.Codes(codes), data.Numbers(values)})
		if err != nil {
			t.Fatal(err)
		}
		known := model.NewCoverage(m)
		if err := known.Add(f); err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, x := range known.Suspicious() {
			got = append(got, x.Column)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%d of %d rows are new, %d missing: %q, want %q", c.fresh, c.rows, c.missing, got, c.want)
		}
	}
}

func TestNearestLevel(t *testing.T) {
	for _, c := range []struct{ level, text, want string }{
		{"red", "RED", "red"}, {"light blue", "Light_Blue", "light blue"}, {"red", "rde", "red"}, {"shop 1", "shop 2", ""},
		{"shop 1", "SHOP-1", "shop 1"}, {"1.0", "1", "1.0"}, {"10", "1.0", ""}, {"red", "violet", ""}, {"15", "1.5", ""},
	} {
		m := stumps(t, category("c", c.level, "something else"))
		f, err := data.NewFrame(data.Schema{Fields: []data.Field{category("c", c.text)}},
			[]data.Column{data.Codes([]uint32{0})})
		if err != nil {
			t.Fatal(err)
		}
		known := model.NewCoverage(m)
		if err := known.Add(f); err != nil {
			t.Fatal(err)
		}
		if got := known.Columns()[0]; got.Nearest != c.want || got.Example != c.text {
			t.Errorf("%q is near %q, want %q", c.text, got.Nearest, c.want)
		}
	}
}

// Of a sparse table the columns count that it names.
func TestNamed(t *testing.T) {
	var fields []data.Field
	for i := range 30 {
		fields = append(fields, data.Field{Name: fmt.Sprint("f", i+1)})
	}
	m := stumps(t, fields...)
	absent := stumps(t, fields...)
	absent.Meta.Schema.AbsentValues = data.AbsentMissing
	for _, c := range []struct {
		line  string
		rows  int
		named int
		few   bool
	}{
		{"1 1:1 2:1", 30, 2, true}, {"1 1:1 2:1", 29, 2, false}, {"1 1:1 2:1 3:1", 30, 3, false},
		{"1 77:1", 1, 0, true}, {"1", 40, 0, true},
	} {
		for _, m := range []*model.Ensemble{m, absent} {
			var text []byte
			for range c.rows {
				text = append(text, c.line+"\n"...)
			}
			f, err := libsvm.Open(data.ReadOptions{Schema: &m.Meta.Schema, Bytes: map[string][]byte{"t.svm": text}}, "t.svm").Frame(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			known := model.NewCoverage(m)
			if err := known.Add(f); err != nil {
				t.Fatal(err)
			}
			named, columns, few := known.Named()
			if named != c.named || columns != 30 || few != c.few || len(known.Suspicious()) > 0 {
				t.Errorf("%d rows %q: %d of %d columns, few is %v, %v", c.rows, c.line, named, columns, few, known.Suspicious())
			}
		}
	}
}

// Values that sparse rows do not name are flagged as in a dense table.
func TestSparseTablesAreFlagged(t *testing.T) {
	code := category("code", "1", "2")
	code.Format = data.CodeLevels
	m := stumps(t, data.Field{Name: "around"}, data.Field{Name: "above"}, data.Field{Name: "holes"}, code)
	m.Meta.Profile = &model.Profile{Rows: 100}
	for i, low := range []float64{-1, 2, 2} {
		p := model.ColumnProfile{Name: m.Meta.Schema.Fields[i].Name, Numbers: &model.NumberProfile{Min: new(low), Max: new(5.0)}}
		if p.Name == "holes" {
			p.Missing = 3
		}
		m.Meta.Profile.Columns = append(m.Meta.Profile.Columns, p)
	}
	for _, absent := range []float64{0, math.NaN()} {
		dense := []float64{absent, 3, absent, 8, absent}
		s := m.Meta.Schema.Like(nil)
		for _, f := range m.Meta.Schema.Fields {
			s.Fields = append(s.Fields, data.Field{Name: f.Name})
		}
		var seen [2]*model.Coverage
		for i, c := range []data.Column{data.Numbers(dense), data.Sparse(5, absent, []int32{1, 3}, []float64{3, 8})} {
			f, err := data.NewFrame(s, []data.Column{c, c, c, c})
			if err != nil {
				t.Fatal(err)
			}
			seen[i] = model.NewCoverage(m)
			seen[i].Check(model.FlagAll)
			if err := seen[i].Add(f); err != nil {
				t.Fatal(err)
			}
		}
		if diff := cmp.Diff(seen[0].Columns(), seen[1].Columns()); diff != "" {
			t.Errorf("absent %v: %s", absent, diff)
		}
		flags := 0
		for row := range dense {
			want := seen[0].Flags(nil, row)
			flags += len(want)
			if diff := cmp.Diff(want, seen[1].Flags(nil, row)); diff != "" {
				t.Errorf("absent %v, row %d: %s", absent, row, diff)
			}
		}
		// 8 is flagged in four columns and 3 in one; 0 in three, and a missing value in two
		if want := map[bool]int{true: 5 + 3*3, false: 5 + 2*3}[absent == 0]; flags != want {
			t.Errorf("absent %v: %d flags, want %d", absent, flags, want)
		}
	}
}
