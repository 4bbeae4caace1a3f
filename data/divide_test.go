package data_test

import (
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
)

// splittable makes a data set with every role, whose values are functions of the row's number.
func splittable(t *testing.T, rows int) *data.Dataset {
	t.Helper()
	x, colour := make([]float64, rows), make([]uint32, rows)
	target := data.Target{Name: "y", Task: data.Binary, Classes: []string{"a", "b"},
		Offset: make([]float64, 2*rows)}
	for i := range rows {
		x[i], colour[i] = float64(i), uint32(i%3)
		target.Class = append(target.Class, uint32(i%2))
		target.Weight = append(target.Weight, float64(i+1))
		target.Offset[2*i], target.Offset[2*i+1] = float64(i), -float64(i)
	}
	f, err := data.NewFrame(data.Schema{Fields: []data.Field{{Name: "x"},
		{Name: "colour", Kind: data.Categorical, Levels: []string{"r", "g", "b"}}}},
		[]data.Column{data.Numbers(x), data.Codes(colour)})
	if err != nil {
		t.Fatal(err)
	}
	f.Origin = &data.Origin{Files: []string{"a.csv"}, First: []int32{0}, Skip: 2}
	return &data.Dataset{Frame: f, Target: target}
}

// Each set of a split holds the rows that Sets gives it, with all that belongs to them.
func TestSplitDataset(t *testing.T) {
	ds := splittable(t, 50)
	s := split.HoldOut{Seed: 3, Valid: 0.2, Test: 0.3}
	train, valid, test, err := s.Dataset(ds)
	if err != nil {
		t.Fatal(err)
	}
	a, b, c, err := s.Sets(&ds.Target, data.AllRows(50))
	if err != nil {
		t.Fatal(err)
	}
	for i, set := range []*data.Dataset{train, valid, test} {
		want := [][]int32{a, b, c}[i]
		if set.Rows() != len(want) || !slices.Equal(set.Kept, want) {
			t.Fatalf("set %d has the rows %v, want %v", i, set.Kept, want)
		}
		for k, row := range want {
			u := &set.Target
			if set.Columns[0].Number(k) != float64(row) || set.Columns[1].Code(k) != uint32(row%3) ||
				u.Class[k] != uint32(row%2) ||
				u.Weight[k] != float64(row+1) || u.Offset[2*k] != float64(row) ||
				u.Offset[2*k+1] != -float64(row) ||
				set.Number(int32(k)) != row || set.Locate(k) != ds.Locate(int(row)) {
				t.Errorf("row %d of set %d is not row %d of the whole", k, i, row)
			}
		}
	}
	_, _, _, err = split.HoldOut{Valid: 2}.Dataset(ds)
	wantError(t, err, "fractions 2 for validation")
	_, _, _, err = split.HoldOut{Kind: split.Random, Valid: .3, Test: .3}.Dataset(splittable(t, 2))
	wantError(t, err, "2 rows cannot be split into 3 sets")
	if train, valid, _, err = (split.HoldOut{Test: .5}).Dataset(ds); err != nil || train.Rows() != 25 ||
		valid.Rows() != 0 {
		t.Errorf("%d training and %d validation rows, %v", train.Rows(), valid.Rows(), err)
	}
}

// A table in the order of time is split without a copy.
func TestSplitCopiesNoColumns(t *testing.T) {
	ds := splittable(t, 20)
	for i := range ds.Rows() {
		ds.Target.Time = append(ds.Target.Time, int64(i))
	}
	train, _, test, err := split.HoldOut{Kind: split.ByTime, Test: .25}.Dataset(ds)
	if err != nil {
		t.Fatal(err)
	}
	if &train.Columns[0].Numbers()[0] != &ds.Columns[0].Numbers()[0] ||
		&test.Columns[0].Numbers()[0] != &ds.Columns[0].Numbers()[15] {
		t.Error("the columns are copies")
	}
}

// With gives the rows of both sets, and copies nothing of sets that Split made.
func TestWithPartsOfOneSplit(t *testing.T) {
	ds := splittable(t, 30)
	_, valid, test, err := split.HoldOut{Seed: 1, Valid: .2, Test: .5}.Dataset(ds)
	if err != nil {
		t.Fatal(err)
	}
	check := func(shared bool) {
		t.Helper()
		all, mine, theirs, err := test.With(valid)
		if err != nil {
			t.Fatal(err)
		}
		for k, set := range []*data.Dataset{test, valid} {
			rows := [][]int32{mine, theirs}[k]
			if len(rows) != set.Rows() ||
				!slices.Equal(data.Pick(all.Columns[0].Numbers(), rows), set.Columns[0].Numbers()) ||
				!slices.Equal(data.Pick(all.Target.Class, rows), set.Target.Class) ||
				!slices.Equal(data.Pick(all.Target.Weight, rows), set.Target.Weight) {
				t.Errorf("set %d is not at %v", k, rows)
			}
		}
		if same := &all.Columns[0].Numbers()[mine[0]] == &test.Columns[0].Numbers()[0]; same != shared {
			t.Errorf("columns are shared: %v, want %v", same, shared)
		}
	}
	check(true)
	test.Target.Weight = slices.Repeat([]float64{2}, test.Rows()) // no longer what Split made
	check(false)
}

// A set from elsewhere takes the schema and the classes of the set that it is put behind.
func TestWithMapsByText(t *testing.T) {
	read := func(colour []string, y any) *data.Dataset {
		f := must(data.FromColumns(data.NamedColumn{Name: "extra", Values: []float64{1, 2, 3}},
			data.NamedColumn{Name: "colour", Values: colour},
			data.NamedColumn{Name: "y", Values: y}))(t)
		return must(data.Roles{Label: "y", Ignore: []string{"extra"}}.Apply(f))(t)
	}
	train := read([]string{"red", "blue", "red"}, []string{"no", "yes", "no"})
	valid := read([]string{"green", "red", ""}, []string{"yes", "yes", "yes"})
	all, mine, theirs, err := train.With(valid)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(mine, []int32{0, 1, 2}) || !slices.Equal(theirs, []int32{3, 4, 5}) ||
		!slices.Equal(all.Schema.Fields[0].Levels, []string{"blue", "red"}) ||
		!slices.Equal(all.Columns[0].Codes(),
			[]uint32{1, 0, 1, data.UnseenCode, 1, data.MissingCode}) ||
		!slices.Equal(all.Target.Class, []uint32{0, 1, 0, 1, 1, 1}) {
		t.Errorf("%v %v %+v %+v", mine, theirs, all.Columns[0], all.Target)
	}
	numbers := read([]string{"red", "red", "red"}, []float64{0, 1, 0})
	swapped := read([]string{"red", "red", "red"}, []float64{1.5, 2, 3}) // numbers, not classes
	classes := read([]string{"red", "red", "red"}, []int{1, 0, 1})
	if all, _, _, err = numbers.With(classes); err != nil ||
		!slices.Equal(all.Target.Class, []uint32{0, 1, 0, 1, 0, 1}) {
		t.Errorf("classes %v, %v", all.Target.Class, err)
	}
	if all, _, _, err = swapped.With(classes); err != nil ||
		!slices.Equal(all.Target.Y[0], []float64{1.5, 2, 3, 1, 0, 1}) {
		t.Errorf("numbers %v, %v", all.Target.Y, err)
	}
	for want, other := range map[string]*data.Dataset{
		`label "maybe" of column "y" occurs once, but the model has only "no", "yes"`: read([]string{"red", "red", "red"}, []string{"no", "maybe", "no"}),
		`label "1.5" of column "y" occurs once`:                                       swapped,
		`there is no label`:                                                           {Frame: train.Frame},
		`there is no column "colour"`:                                                 {Frame: must(data.FromColumns(data.NamedColumn{Name: "x", Values: []float64{1}}))(t)},
		`column "colour" is numeric, in the training set it is categorical`:           {Frame: must(data.FromColumns(data.NamedColumn{Name: "colour", Values: []float64{1}}))(t)},
	} {
		_, _, _, err := train.With(other)
		wantError(t, err, want)
	}
	if _, _, _, err := swapped.With(train); err == nil {
		t.Error("classes without numbers became numbers")
	}
}

// What is missing in one of two sets is filled in where there is a default, else it is an error.
func TestWithRoles(t *testing.T) {
	read := func(roles data.Roles) *data.Dataset {
		f := must(data.FromColumns(data.NamedColumn{Name: "y", Values: []float64{1.5, 2, 3}},
			data.NamedColumn{Name: "w", Values: []float64{2, 2, 3}},
			data.NamedColumn{Name: "g", Values: []int{7, 7, 8}}))(t)
		roles.Label = "y"
		return must(roles.Apply(f))(t)
	}
	plain := read(data.Roles{Ignore: []string{"w", "g"}})
	all, _, _, err := plain.With(read(data.Roles{Weight: "w", Group: "g"}))
	if err != nil || !slices.Equal(all.Target.Weight, []float64{1, 1, 1, 2, 2, 3}) ||
		!slices.Equal(all.Target.Group, []int64{0, 0, 0, 7, 7, 8}) {
		t.Errorf("%+v, %v", all.Target, err)
	}
	start := read(data.Roles{Start: []string{"w"}, Ignore: []string{"g"}})
	_, _, _, err = plain.With(start)
	wantError(t, err, "there are initial scores, the training set has none")
	_, _, _, err = start.With(plain)
	wantError(t, err, "there are no initial scores, the training set has them")
}

// TestSplitLeavesRowsOut: rows that are in no set are in none of the tables, wherever they stand.
func TestSplitLeavesRowsOut(t *testing.T) {
	f := must(data.FromRows([][]float64{{0}, {1}, {2}, {3}, {4}, {5}, {6}, {7}}, []string{"x"}))(t)
	for _, weight := range [][]float64{{1, 1, 1, 1, 1, 1, 0, 0}, {0, 1, 1, 1, 0, 1, 1, 1}} {
		ds := &data.Dataset{Frame: f, Target: data.Target{Task: data.Regression,
			Y: [][]float64{f.Columns[0].Numbers()}, Weight: weight,
			Time: []int64{1, 2, 3, 4, 5, 6, 7, 8}}}
		train, valid, test, err := split.HoldOut{Valid: 0.2, Test: 0.3}.Dataset(ds)
		if err != nil {
			t.Fatal(err)
		}
		var got []float64
		for _, set := range []*data.Dataset{train, valid, test} {
			got = append(got, set.Columns[0].Numbers()...)
			if slices.Contains(set.Target.Weight, 0) || len(set.Target.Weight) != set.Rows() {
				t.Errorf("weights %v of %d rows", set.Target.Weight, set.Rows())
			}
		}
		var want []float64
		for i, w := range weight {
			if w > 0 {
				want = append(want, float64(i))
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("the sets have rows %v, want %v", got, want)
		}
	}
}
