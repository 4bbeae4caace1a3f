package input_test

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/input/inputtest"
)

// fields makes categorical fields with so many levels each; -1 is a numeric field.
func fields(levels ...int) []data.Field {
	all := make([]data.Field, len(levels))
	for i, n := range levels {
		all[i] = data.Field{Name: string(rune('a' + i))}
		if n >= 0 {
			all[i].Kind, all[i].Levels = data.Categorical, make([]string, n)
			for code := range n {
				all[i].Levels[code] = strconv.Itoa(code)
			}
		}
	}
	return all
}

// Rows and Row find what a search through the keys finds, where tables are dense and where they are
// hashed.
func TestProgram(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := fields(rapid.SliceOfN(rapid.SampledFrom([]int{-1, 0, 1, 3, 70, 200}), 1, 4).Draw(t, "levels")...)
		sampled := inputtest.Set(all).Filter(func(s input.Set) bool { return s.Len() > 0 }).Draw(t, "set")
		s := &sampled
		if err := s.Validate(all); err != nil {
			t.Fatal(err)
		}
		columns := rapid.SliceOfDistinct(rapid.Int32Range(0, int32(s.Len()-1)), rapid.ID).Draw(t, "columns")
		p := s.Compile(all, columns)
		const n = 30
		rows := make([][]float64, n)
		for r := range rows {
			rows[r] = randomRow(t, all, s)
		}
		from := make([][]float64, len(p.Sources()))
		got := make([][]float64, len(columns))
		for i := range got {
			got[i] = make([]float64, n)
		}
		for i, f := range p.Sources() {
			for r := range rows {
				from[i] = append(from[i], rows[r][f])
			}
		}
		p.Rows(from, func(c int) []float64 { return got[c] }, &input.Scratch{})
		for r, row := range rows {
			categories := make([]float64, len(from))
			for i := range from {
				categories[i] = from[i][r]
			}
			single := make([]float64, len(columns))
			p.Row(categories, func(c int, x float64) { single[c] = x })
			for i, c := range columns {
				if want := naive(s, all, c, row); !same(got[i][r], want) || !same(single[i], want) {
					t.Fatalf("%s of %v: %v and %v, want %v", s.Name(int(c), all, nil), row, got[i][r], single[i], want)
				}
			}
		}
	})
}

func same(a, b float64) bool { return a == b || a != a && b != b }

// randomRow samples any numbers and any categories, or those of a key of some table.
func randomRow(t *rapid.T, all []data.Field, s *input.Set) []float64 {
	row := make([]float64, len(all))
	for f := range row {
		if all[f].Kind == data.Numeric {
			row[f] = rapid.SampledFrom([]float64{0, math.Copysign(0, -1), 1e-36, -1e-36, 1e-35, -1e-35, float64(float32(1e-35)),
				-float64(float32(1e-35)), 1.1e-35, -1.1e-35, 2, -3, math.NaN(), math.Inf(1), math.Inf(-1)}).Draw(t, "number")
			continue
		}
		row[f] = float64(rapid.IntRange(-2, len(all[f].Levels)-1).Draw(t, "category"))
		if row[f] == -2 {
			row[f] = math.NaN()
		}
	}
	if len(s.Tables) == 0 {
		return row
	}
	table := rapid.SampledFrom(s.Tables).Draw(t, "table")
	if len(table.Key) == 0 || rapid.Bool().Draw(t, "any") {
		return row
	}
	key := rapid.SampledFrom(table.Key).Draw(t, "key")
	for _, f := range slices.Backward(table.Source) {
		radix := uint64(len(all[f].Levels) + 1)
		row[f] = float64(key%radix) - 1
		if key%radix == 0 {
			row[f] = math.NaN()
		}
		key /= radix
	}
	return row
}

// naive is a column of a row by its definition.
func naive(s *input.Set, all []data.Field, column int32, row []float64) float64 {
	return inputtest.Values(s, all, func(f int32) uint32 {
		switch x := row[f]; {
		case math.IsNaN(x):
			return data.MissingCode
		case x < 0:
			return data.UnseenCode
		default:
			return uint32(x)
		}
	}, func(f int32) float64 { return row[f] })[column]
}

func TestName(t *testing.T) {
	s := &input.Set{
		Tables: []input.Table{
			{Source: []int32{0, 2}, Key: []uint64{1, 2}, Count: []float64{1, 1}, Sum: []float64{1, 1}},
			{Source: []int32{1}, Key: []uint64{1}, Count: []float64{1}, Sum: []float64{1, 1}},
		},
		Columns: []input.Column{{}, {Kind: input.Count}, {Table: 1, Output: 1}},
		Numbers: []input.Number{{Source: 3}},
		Combinations: []input.Combination{{Absent: []float64{0}, Elements: []input.Element{{Source: 1}}},
			{Absent: []float64{0, 0}, Elements: []input.Element{{Source: 2}, {Kind: input.Above, Source: 3, SplitPoint: 1.5},
				{Kind: input.Equal, Source: 0, Code: 1}, {Kind: input.Above, Source: 3, SplitPoint: 2}}}},
	}
	for i, want := range []string{"ts(a+c)", "count(a+c)", "ts(b = yes)", "nonzero(d)", "statistic(b)",
		"statistic(c+d>1.5+a=1+d>2): 1", "statistic(c+d>1.5+a=1+d>2): 2"} {
		if got := s.Name(i, fields(2, 2, 2, -1), []string{"no", "yes"}); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	for i, want := range [][]int32{{0, 2}, {0, 2}, {1}, {3}, {1}, {0, 2, 3}, {0, 2, 3}} {
		if got := s.Sources(i); !slices.Equal(got, want) {
			t.Errorf("column %d has the sources %v, want %v", i, got, want)
		}
	}
	if got := s.Name(2, fields(2, 2, 2), nil); got != "ts(b = 1)" {
		t.Error(got)
	}
}

func TestValidateRefuses(t *testing.T) {
	all := append(fields(3, 4), data.Field{Name: "n"})
	for _, c := range []struct {
		what string
		edit func(s *input.Set)
	}{
		{"0 sources", func(s *input.Set) { s.Tables[0].Source = nil }},
		{"5 sources", func(s *input.Set) { s.Tables[0].Source = []int32{0, 1, 2, 3, 4} }},
		{"source 3 of 3", func(s *input.Set) { s.Tables[0].Source[1] = 3 }},
		{"source -1", func(s *input.Set) { s.Tables[0].Source[0] = -1 }},
		{"not ascending", func(s *input.Set) { s.Tables[0].Source = []int32{1, 1} }},
		{`source "n" is numeric`, func(s *input.Set) { s.Tables[0].Source[1] = 2 }},
		{"key 20 of 20", func(s *input.Set) { s.Tables[0].Key[1] = 20 }},
		{"not ascending", func(s *input.Set) { s.Tables[0].Key[0] = 19 }},
		{"the count 0", func(s *input.Set) { s.Tables[0].Count[0] = 0 }},
		{"the count NaN", func(s *input.Set) { s.Tables[0].Count[1] = math.NaN() }},
		{"the count +Inf", func(s *input.Set) { s.Tables[0].Count[1] = math.Inf(1) }},
		{"1 counts", func(s *input.Set) { s.Tables[0].Count = s.Tables[0].Count[:1] }},
		{"1 sums", func(s *input.Set) { s.Tables[0].Sum = s.Tables[0].Sum[:1] }},
		{"sum is not finite", func(s *input.Set) { s.Tables[0].Sum[0] = math.Inf(-1) }},
		{"table 1 of 1", func(s *input.Set) { s.Columns[0].Table = 1 }},
		{"kind 2", func(s *input.Set) { s.Columns[0].Kind = 2 }},
		{"output 1 of 1", func(s *input.Set) { s.Columns[0].Output = 1 }},
		{"output -1", func(s *input.Set) { s.Columns[0].Output = -1 }},
		{"weight -1", func(s *input.Set) { s.Columns[0].Weight = -1 }},
		{"prior NaN", func(s *input.Set) { s.Columns[0].Prior = math.NaN() }},
		{"value of key", func(s *input.Set) { s.Columns[0].Prior, s.Columns[0].Weight = 1e300, 1e300 }},
		{"33 columns of one table", func(s *input.Set) { s.Columns = slices.Repeat(s.Columns[1:], 34) }},
		{"derived column 2: unknown kind 1 of a number", func(s *input.Set) { s.Numbers[0].Kind = 1 }},
		{"derived column 2: source 3 of 3", func(s *input.Set) { s.Numbers[0].Source = 3 }},
		{"derived column 2: source -1", func(s *input.Set) { s.Numbers[0].Source = -1 }},
		{`derived column 2: the source "a" is categorical`, func(s *input.Set) { s.Numbers[0].Source = 0 }},
		{"a count has no", func(s *input.Set) { s.Columns[1].Weight = 1 }},
		{"shift", func(s *input.Set) { s.Columns[0].Shift = math.Inf(1) }},
		{"a count has no output, shift", func(s *input.Set) { s.Columns[1].Shift = 1 }},
		{"the count -1 of other keys", func(s *input.Set) { s.Columns[1].Prior = -1 }},
		{"the count NaN of other keys", func(s *input.Set) { s.Columns[1].Prior = math.NaN() }},
		{"the count +Inf of other keys", func(s *input.Set) { s.Columns[1].Prior = math.Inf(1) }},
		{"0 elements, want 1 to 64", func(s *input.Set) { s.Combinations[0].Elements = nil }},
		{"element 1: source 3 of 3", func(s *input.Set) { s.Combinations[0].Elements[1].Source = 3 }},
		{"element 1: the source \"b\" is categorical", func(s *input.Set) { s.Combinations[0].Elements[1].Source = 1 }},
		{"element 0: the source \"n\" is numeric", func(s *input.Set) { s.Combinations[0].Elements[0].Source = 2 }},
		{"element 1: the split point NaN", func(s *input.Set) { s.Combinations[0].Elements[1].SplitPoint = math.NaN() }},
		{"element 2: the split point 1", func(s *input.Set) { s.Combinations[0].Elements[2].SplitPoint = 1 }},
		{"element 2: the code 4 of 4 levels", func(s *input.Set) { s.Combinations[0].Elements[2].Code = 4 }},
		{"element 0: the code 1 of", func(s *input.Set) { s.Combinations[0].Elements[0].Code = 1 }},
		{"element 0: a category has a rule", func(s *input.Set) { s.Combinations[0].Elements[0].Missing = true }},
		{"element 0: unknown kind 3", func(s *input.Set) { s.Combinations[0].Elements[0].Kind = 3 }},
		{"1 numbers for 2 keys and 1 outputs", func(s *input.Set) { s.Combinations[0].Value = []float64{1} }},
		{"key 1 is not above", func(s *input.Set) { s.Combinations[0].Key = []uint64{7, 7} }},
		{"key 1 is not above the one before, or 2^64 - 1", func(s *input.Set) { s.Combinations[0].Key[1] = math.MaxUint64 }},
		{"combination 0 of derived columns: a number is not finite", func(s *input.Set) { s.Combinations[0].Absent[0] = math.Inf(1) }},
	} {
		s := &input.Set{
			Tables:  []input.Table{{Source: []int32{0, 1}, Key: []uint64{3, 19}, Count: []float64{1, 2}, Sum: []float64{0, 1}}},
			Columns: []input.Column{{Prior: 0.5, Weight: 1}, {Kind: input.Count}},
			Numbers: []input.Number{{Source: 2}},
			Combinations: []input.Combination{{Key: []uint64{7, 9}, Value: []float64{1, 2}, Absent: []float64{3},
				Elements: []input.Element{{Source: 0}, {Kind: input.Above, Source: 2, SplitPoint: 1},
					{Kind: input.Equal, Source: 1, Code: 3, Missing: true}}}},
		}
		if err := s.Validate(all); err != nil {
			t.Fatal(err)
		}
		c.edit(s)
		if err := s.Validate(all); err == nil || !strings.Contains(err.Error(), c.what) {
			t.Errorf("%v, want %q", err, c.what)
		}
	}
	wide := fields(1<<16, 1<<16, 1<<16, 1<<15)
	if _, ok := input.Keys(wide, []int32{0, 1, 2, 3}); ok {
		t.Error("2^63 keys and more are numbered")
	}
	if n, ok := input.Keys(wide, []int32{0, 1, 2}); !ok || n != (1<<16+1)*(1<<16+1)*(1<<16+1) {
		t.Errorf("%d keys, %v", n, ok)
	}
}

func BenchmarkRows(b *testing.B) {
	all := fields(7518, 4243)
	s := &input.Set{Tables: []input.Table{{Source: []int32{0}}, {Source: []int32{0, 1}}}}
	for i := range 7000 {
		t := &s.Tables[0]
		t.Key, t.Count, t.Sum = append(t.Key, uint64(i)), append(t.Count, 1), append(t.Sum, 0)
		t = &s.Tables[1]
		t.Key, t.Count, t.Sum = append(t.Key, uint64(i)*4001), append(t.Count, 1), append(t.Sum, 0)
	}
	s.Columns = []input.Column{{Weight: 1}, {Kind: input.Count}, {Table: 1, Weight: 1}, {Table: 1, Kind: input.Count}}
	p := s.Compile(all, []int32{0, 1, 2, 3})
	from := [][]float64{make([]float64, 64), make([]float64, 64)}
	for i := range from[0] {
		from[0][i], from[1][i] = float64(i*97%7000), float64(i*31%4000)
	}
	dst := make([]float64, 64)
	var scratch input.Scratch
	b.ReportMetric(64, "rows/op")
	for b.Loop() {
		p.Rows(from, func(int) []float64 { return dst }, &scratch)
	}
}
