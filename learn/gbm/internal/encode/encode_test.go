package encode_test

import (
	"context"
	"fmt"
	"hash/fnv"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/gbm/internal/encode"
)

// defaults returns the defaults of the learner gbm, with some edits.
func defaults(edit ...func(*encode.Options)) encode.Options {
	o := encode.Options{Levels: 3, Combine: 3, Combinations: 16, PriorWeight: 1, Counts: true,
		Permutations: 1, Classes: 10}
	for _, e := range edit {
		e(&o)
	}
	return o
}

// fit derives columns, and keeps the numbers of all of them.
func fit(ctx context.Context, f *data.Frame, rows []int32, t *data.Target, o encode.Options, seed uint64, workers int) (*encode.Encoded, error) {
	return derive(ctx, encode.InMemory(f), rows, t, o, seed, workers)
}

// derive is fit for any source.
func derive(ctx context.Context, from encode.Source, rows []int32, t *data.Target, o encode.Options, seed uint64, workers int) (*encode.Encoded, error) {
	d, err := encode.Begin(ctx, from, rows, t, o, seed, workers)
	if err != nil {
		return nil, err
	}
	e := &encode.Encoded{Outputs: d.Outputs(), Columns: make([][][]float64, o.Permutations)}
	for i := range e.Columns {
		e.Columns[i] = make([][]float64, len(d.Columns()))
	}
	e.Set, err = d.Derive(ctx, func(column int, permutations []int, values []float64) {
		own := slices.Clone(values)
		for _, p := range permutations {
			e.Columns[p][column] = own
		}
	})
	return e, err
}

// problem samples a table of up to 3 categorical columns, one of numbers between them, and labels.
func problem(t *rapid.T) (*data.Frame, *data.Target) {
	n := rapid.IntRange(1, 40).Draw(t, "rows")
	s := data.Schema{}
	var columns []data.Column
	for c := range rapid.IntRange(1, 4).Draw(t, "columns") {
		if c == 1 {
			s.Fields = append(s.Fields, data.Field{Name: "number"})
			columns = append(columns, data.Numbers(make([]float64, n)))
			continue
		}
		f := data.Field{Name: fmt.Sprint("c", c), Kind: data.Categorical}
		for l := range rapid.IntRange(1, 5).Draw(t, "levels") {
			f.Levels = append(f.Levels, fmt.Sprint(l))
		}
		codes := append([]uint32{data.MissingCode, data.UnseenCode}, make([]uint32, len(f.Levels))...)
		for l := range f.Levels {
			codes[2+l] = uint32(l)
		}
		s.Fields = append(s.Fields, f)
		columns = append(columns, data.Codes(rapid.SliceOfN(rapid.SampledFrom(codes), n, n).Draw(t, "codes")))
	}
	f, err := data.NewFrame(s, columns)
	if err != nil {
		t.Fatal(err)
	}
	target := &data.Target{}
	if rapid.Bool().Draw(t, "weighted") {
		target.Weight = rapid.SliceOfN(rapid.SampledFrom([]float64{0, 0.5, 1, 3}), n, n).Draw(t, "weights")
	}
	switch classes := rapid.IntRange(0, 4).Draw(t, "classes"); {
	case classes < 2:
		target.Task = data.Regression
		target.Y = [][]float64{rapid.SliceOfN(rapid.Float64Range(-9, 9), n, n).Draw(t, "y")}
	default:
		target.Task = data.Multiclass
		target.Classes = []string{"a", "b", "c", "d"}[:classes]
		target.Class = rapid.SliceOfN(rapid.Uint32Range(0, uint32(classes-1)), n, n).Draw(t, "class")
	}
	if rapid.Bool().Draw(t, "times") {
		target.Time = rapid.SliceOfN(rapid.Int64Range(0, 3), n, n).Draw(t, "time")
	}
	if rapid.Bool().Draw(t, "groups") {
		target.Group = rapid.SliceOfN(rapid.Int64Range(-1, 3), n, n).Draw(t, "group")
	}
	return f, target
}

// targetOf returns the numbers that an output of a table is the mean of.
func targetOf(t *data.Target, output int) func(row int) float64 {
	if t.Y != nil {
		return func(row int) float64 { return t.Y[output][row] }
	}
	class := uint32(output)
	if len(t.Classes) == 2 {
		class = 1
	}
	return func(row int) float64 {
		if t.Class[row] == class {
			return 1
		}
		return 0
	}
}

// same reports whether two rows have the same category in all sources, and one that the dictionary
// has.
func same(f *data.Frame, source []int32, a, b int) bool {
	for _, c := range source {
		if code := f.Columns[c].Codes(); code[a] != code[b] || code[a] == data.UnseenCode {
			return false
		}
	}
	return true
}

// Every column is what its definition states, counted naively row by row: of training rows with
// those before them in the order, of others with all training rows. No training row counts one of
// its own group.
func TestColumnsAreTheirDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f, target := problem(t)
		rows := rapid.SliceOfN(rapid.Int32Range(0, int32(f.Rows()-1)), 1, 50).Draw(t, "training")
		seed := rapid.Uint64().Draw(t, "seed")
		o := defaults(func(o *encode.Options) { o.Levels, o.Permutations, o.Combinations = 1, 2, 3 })
		o.PriorWeight = rapid.SampledFrom([]float64{0.25, 1, 10}).Draw(t, "a")
		if rapid.Bool().Draw(t, "few others") {
			o.Others = rapid.SliceOfN(rapid.Int32Range(0, int32(f.Rows()-1)), 1, 5).Draw(t, "others")
		}
		e, err := fit(context.Background(), f, rows, target, o, seed, 2)
		if err != nil {
			t.Fatal(err)
		}
		if err := e.Set.Validate(f.Schema.Fields); err != nil {
			t.Fatal(err)
		}
		var train []int // distinct, of some weight
		weight := map[int]float64{}
		for _, r := range data.Distinct(rows) {
			n := 0
			for _, other := range rows {
				if other == r {
					n++
				}
			}
			if w := float64(n) * target.WeightAt(r); w > 0 {
				train = append(train, int(r))
				weight[int(r)] = w
			}
		}
		for p := range 2 {
			order := rng.New(seed, uint64(p)).Perm(len(train))
			if target.Time != nil {
				slices.SortStableFunc(order, func(a, b int32) int { return int(target.Time[train[a]] - target.Time[train[b]]) })
			}
			for c, column := range e.Set.Columns {
				source := e.Set.Tables[column.Table].Source
				y := targetOf(target, int(column.Output))
				for r := range f.Rows() {
					if o.Others != nil && weight[r] == 0 && !slices.Contains(o.Others, int32(r)) {
						continue // it has any number
					}
					sum, count := 0.0, 0.0
					for _, i := range order {
						other := train[i]
						if other == r && column.Kind == input.Target {
							break
						}
						together := target.Group != nil && weight[r] > 0 && target.Group[other] == target.Group[r]
						if other != r && !together && same(f, source, other, r) {
							sum += weight[other] * y(other)
							count += weight[other]
						}
					}
					want := count
					if column.Kind == input.Target {
						want = (sum + column.Weight*column.Prior) / (count + column.Weight)
					}
					if got := e.Columns[p][c][r]; !(math.Abs(got-want) < 1e-9) {
						t.Fatalf("permutation %d, %s, row %d: %v, want %v", p, e.Set.Name(c, f.Schema.Fields, target.Classes), r, got, want)
					}
				}
			}
		}
	})
}

// The prior is the mean target of the training rows, the same for all rows.
func TestPrior(t *testing.T) {
	f, target := interaction(200)
	e, err := fit(context.Background(), f, []int32{0, 1, 1, 2}, target, defaults(), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	want := float64(target.Class[0]+2*target.Class[1]+target.Class[2]) / 4
	for _, c := range e.Set.Columns {
		if c.Kind == input.Target && (c.Prior != want || c.Weight != 1) {
			t.Errorf("prior %v of weight %v, want %v of 1", c.Prior, c.Weight, want)
		}
	}
}

// interaction is a table whose class is the parity of two of four columns of six categories, which
// no column alone shows.
func interaction(rows int) (*data.Frame, *data.Target) {
	r := rng.New(5)
	s := data.Schema{}
	var columns []data.Column
	for c := range 4 {
		s.Fields = append(s.Fields, data.Field{Name: string(rune('a' + c)), Kind: data.Categorical, Levels: []string{"0", "1", "2", "3", "4", "5"}})
		code := make([]uint32, rows)
		for i := range code {
			code[i] = uint32(r.Intn(6))
		}
		columns = append(columns, data.Codes(code))
	}
	class := make([]uint32, rows)
	for i := range class {
		class[i] = (columns[1].Code(i) + columns[3].Code(i)) % 2
	}
	f, err := data.NewFrame(s, columns)
	if err != nil {
		panic(err)
	}
	return f, &data.Target{Task: data.Binary, Classes: []string{"even", "odd"}, Class: class}
}

func TestSearchFindsTheCombinationThatCounts(t *testing.T) {
	f, target := interaction(3000)
	e, err := fit(context.Background(), f, nil, target, defaults(func(o *encode.Options) { o.Combinations, o.Counts = 1, false }), 1, 2)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for i := range e.Set.Columns {
		names = append(names, e.Set.Name(i, f.Schema.Fields, target.Classes))
	}
	if d := cmp.Diff([]string{"ts(a)", "ts(b)", "ts(c)", "ts(d)", "ts(b+d)"}, names); d != "" {
		t.Error(d)
	}
	for r, x := range e.Columns[0][4][1500:] { // most rows are late enough in the order to count
		if x != e.Set.Columns[4].Prior && math.Abs(x-float64(target.Class[1500+r])) > 0.5 {
			t.Errorf("row %d of class %d has %v", 1500+r, target.Class[1500+r], x)
		}
	}
}

// An encoded frame has the derived columns after its own, for every reader of frames.
func TestFrame(t *testing.T) {
	f, target := interaction(50)
	target.Classes = []string{"x", "y", "z"}
	e, err := fit(context.Background(), f, nil, target, defaults(func(o *encode.Options) { o.Combine = 1 }), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	s := encode.Schema(&f.Schema, &e.Set, target.Classes)
	g, err := encode.Frame(f, &s, e.Columns[0])
	if err != nil {
		t.Fatal(err)
	}
	names := g.Schema.Names()
	if want := []string{"a", "b", "c", "d", "ts(a = x)", "ts(a = y)", "ts(a = z)", "count(a)"}; !slices.Equal(names[:8], want) || len(names) != 20 {
		t.Errorf("columns %q, want %q and those of b, c and d", names, want)
	}
}

func TestNothingToEncode(t *testing.T) {
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"}, {Name: "one", Kind: data.Categorical, Levels: []string{"a", "b"}}}},
		[]data.Column{data.Numbers([]float64{1, 2}), data.Codes([]uint32{1, 1})})
	if err != nil {
		t.Fatal(err)
	}
	e, err := fit(context.Background(), f, nil, &data.Target{Y: [][]float64{{1, 2}}}, defaults(func(o *encode.Options) { o.Levels = 1 }), 1, 1)
	if err != nil || len(e.Set.Columns) != 0 || len(e.Set.Tables) != 0 {
		t.Errorf("%+v, %v", e, err)
	}
}

func TestFaults(t *testing.T) {
	f, target := interaction(20)
	if _, err := fit(context.Background(), f, nil, &data.Target{}, defaults(), 1, 1); err == nil {
		t.Error("no label is encoded")
	}
	if _, err := fit(context.Background(), f, nil, target, encode.Options{}, 1, 1); err == nil {
		t.Error("options out of range are taken")
	}
	huge := &data.Target{Y: [][]float64{slices.Repeat([]float64{math.MaxFloat64}, 20)}}
	if _, err := fit(context.Background(), f, nil, huge, defaults(), 1, 1); err == nil {
		t.Error("sums that are not finite are taken")
	}
	done, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := fit(done, f, nil, target, defaults(), 1, 1); err != context.Canceled {
		t.Errorf("cancelled: %v", err)
	}
}

// What a seed means never changes, on any machine: models depend on every bit of these columns.
func TestFrozen(t *testing.T) {
	f, target := interaction(2000)
	e, err := fit(context.Background(), f, data.AllRows(1500), target, defaults(func(o *encode.Options) { o.Permutations = 2 }), 3, 2)
	if err != nil {
		t.Fatal(err)
	}
	h := fnv.New64a()
	for _, columns := range e.Columns {
		for i, c := range columns {
			of := e.Set.Columns[i]
			fmt.Fprint(h, e.Set.Name(i, f.Schema.Fields, nil), struct {
				Kind          input.Kind
				Table, Output int32
				Prior, Weight float64
			}{of.Kind, of.Table, of.Output, of.Prior, of.Weight})
			for _, x := range c {
				fmt.Fprint(h, math.Float64bits(x))
			}
		}
	}
	if got, want := h.Sum64(), uint64(0xce6069a18473edf); got != want {
		t.Errorf("columns have the hash %#x, want %#x", got, want)
	}
}

// A name that the table has is made another.
func TestNamesAreUnique(t *testing.T) {
	f, target := interaction(20)
	f.Schema.Fields[1].Name = "ts(a)"
	e, err := fit(context.Background(), f, nil, target, defaults(func(o *encode.Options) { o.Combine, o.Counts = 1, false }), 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	s := encode.Schema(&f.Schema, &e.Set, nil)
	g, err := encode.Frame(f, &s, e.Columns[0])
	if err != nil {
		t.Fatal(err)
	}
	if got, want := g.Schema.Names()[4:6], []string{"ts(a) 2", "ts(ts(a))"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// The same for any number of workers.
func TestWorkers(t *testing.T) {
	f, target := interaction(3000)
	var first *encode.Encoded
	for _, workers := range []int{1, 2, 7} {
		e, err := fit(context.Background(), f, data.AllRows(2500), target, defaults(func(o *encode.Options) { o.Permutations = 3 }), 9, workers)
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = e
		} else if !reflect.DeepEqual(first, e) { // cmp takes a hundred times as long
			t.Errorf("%d workers:\n%s", workers, cmp.Diff(first, e))
		}
	}
}

// TestCountsOfNewCategories: a new category counts 0 where enough training rows are alone with
// theirs, else as often as the category of the middle row. Its target statistic is the prior.
func TestCountsOfNewCategories(t *testing.T) {
	for _, c := range []struct {
		name   string
		counts []int // rows of each category
		weight float64
		want   float64
	}{
		{"nobody is alone", []int{2, 3, 5, 10}, 1, 5},
		{"most have one category", []int{2, 3, 50, 4}, 1, 50},
		{"one of 151 rows is alone", []int{1, 50, 60, 40}, 1, 50},
		{"one of 100 rows is alone", []int{1, 49, 50}, 1, 49},
		{"19 of 119 rows are alone", slices.Concat(slices.Repeat([]int{1}, 19), []int{49, 51}), 1, 49},
		{"20 of 120 rows are alone", slices.Concat(slices.Repeat([]int{1}, 20), []int{49, 51}), 1, 0},
		{"weights", []int{2, 3, 5, 10}, 0.5, 2.5},
	} {
		field, code := data.Field{Name: "c", Kind: data.Categorical, Levels: []string{"new"}}, []uint32{0}
		for i, n := range c.counts {
			field.Levels = append(field.Levels, fmt.Sprint("c", i))
			code = append(code, slices.Repeat([]uint32{uint32(i + 1)}, n)...)
		}
		f, err := data.NewFrame(data.Schema{Fields: []data.Field{field}}, []data.Column{data.Codes(code)})
		if err != nil {
			t.Fatal(err)
		}
		target := &data.Target{Task: data.Regression, Y: [][]float64{make([]float64, len(code))},
			Weight: slices.Repeat([]float64{c.weight}, len(code))}
		for i, k := range code {
			target.Y[0][i] = float64(k * k)
		}
		for _, usual := range []bool{false, true} {
			e, err := fit(t.Context(), f, data.AllRows(len(code))[1:], target, defaults(func(o *encode.Options) {
				o.UsualValues, o.Levels = usual, 2
			}), 1, 2)
			if err != nil {
				t.Fatal(err)
			}
			if len(e.Set.Columns) != 2 || e.Set.Columns[1].Kind != input.Count {
				t.Fatalf("%s: columns %+v, want a statistic and a count", c.name, e.Set.Columns)
			}
			want := 0.0
			if usual {
				want = c.want
			}
			if got := e.Columns[0][1][0]; got != want || e.Set.Columns[1].Unseen() != want {
				t.Errorf("%s, usual %v: a new category counts %v, in the model %v, want %v", c.name, usual,
					got, e.Set.Columns[1].Unseen(), want)
			}
			c0 := &e.Set.Columns[0]
			if got := e.Columns[0][0][0]; got != c0.Unseen() {
				t.Errorf("%s: a new category has the statistic %v, in the model %v", c.name, got, c0.Unseen())
			}
			// labels ascend with the categories: the middle row's is the middle of the statistics
			if want == 0 && c0.Shift != 0 {
				t.Errorf("%s: a shift of %v, want the prior", c.name, c0.Shift)
			} else if want != 0 && !middleOfRows(&e.Set, c0) {
				t.Errorf("%s: a new category has the statistic %v, want the middle row's", c.name, c0.Unseen())
			}
		}
	}
}

// middleOfRows reports whether not more than half of the rows have a lower statistic than a new
// category, and not more than half a higher one.
func middleOfRows(s *input.Set, c *input.Column) bool {
	t, x := &s.Tables[c.Table], c.Unseen()
	lower, higher, all := 0.0, 0.0, 0.0
	for k, n := range t.Count {
		v := c.Value(n, t.Sum[k])
		if all += n; v < x-1e-9 {
			lower += n
		} else if v > x+1e-9 {
			higher += n
		}
	}
	return 2*lower <= all && 2*higher <= all
}
