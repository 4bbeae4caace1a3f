package data_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
)

// table makes a frame read from t.csv, whose first row is on line 2.
func table(t *testing.T, columns ...data.NamedColumn) *data.Frame {
	t.Helper()
	f := must(data.FromColumns(columns...))(t)
	f.Origin = &data.Origin{Files: []string{"t.csv"}, First: []int32{0}, Skip: 2}
	return f
}

func named(name string, values any) data.NamedColumn {
	return data.NamedColumn{Name: name, Values: values}
}

// notes collects what is logged.
type notes []string

func (n *notes) log(format string, args ...any) { *n = append(*n, fmt.Sprintf(format, args...)) }

func TestRolesTakeColumnsOut(t *testing.T) {
	f := table(t,
		named("x", []float64{1, 2, 3}),
		named("w", []float64{1, 0, 2.5}),
		named("y", []float64{0.5, 1.5, 2.5}),
		named("id", []string{"p", "q", "r"}),
		named("g", []string{"b", "a", "b"}),
		named("t", []string{"2024-03-01", "2024-02-29", "2024-03-01T00:00:00.5+01:00"}),
		named("z", []string{"u", "v", "u"}))
	ds := must(data.Roles{Label: "y", Weight: "w", Group: "g", Time: "t",
		Ignore: []string{"id", "id"}}.Apply(f))(t)
	if diff := cmp.Diff([]string{"x", "z"}, ds.Schema.Names()); diff != "" {
		t.Error(diff)
	}
	const day = 24 * 3600 * 1_000_000
	first := int64(19782 * day) // 29 February 2024
	want := data.Target{
		Name: "y", Task: data.Regression, Y: [][]float64{{0.5, 1.5, 2.5}},
		Roles:  data.RoleColumns{Weight: "w", Group: "g", Time: "t"},
		Weight: []float64{1, 0, 2.5},
		Group:  []int64{1, 0, 1}, Time: []int64{first + day, first,
			first + day - 3_600_000_000 + 500_000},
	}
	if diff := cmp.Diff(want, ds.Target); diff != "" {
		t.Error(diff)
	}
	if ds.Locate(1) != "t.csv:3" {
		t.Errorf("row 1 is at %s", ds.Locate(1))
	}
}

// A model's features keep their columns, also those to which another model gave a role.
func TestRolesLeaveFeaturesOfAModel(t *testing.T) {
	f := table(t,
		named("x", []float64{1, 2, 3}),
		named("w", []float64{1, 2, 2.5}),
		named("g", []float64{2, 1, 2}),
		named("t", []string{"2024-03-01", "2024-02-29", "2024-03-02"}),
		named("y", []float64{0.5, 1.5, 2.5}))
	like := must(data.Roles{Ignore: []string{"y"}}.Apply(f))(t).Schema
	for _, r := range []data.Roles{
		{Weight: "w"}, {Group: "g"}, {Time: "t"}, {Event: "w", Task: data.Survival},
		{Upper: "w"}, {Start: []string{"w"}}, {Weight: "w", Group: "g", Time: "t"},
	} {
		r.Label, r.Like = "y", &like
		f := f
		if r.Event != "" {
			f = table(t, named("x", []float64{1, 2, 3}), named("w", []float64{1, 0, 1}),
				named("g", []float64{2, 1, 2}),
				named("t", []string{"2024-03-01", "2024-02-29", "2024-03-02"}),
				named("y", []float64{0.5, 1.5, 2.5}))
		}
		ds := must(r.Apply(f))(t)
		if diff := cmp.Diff(like.Names(), ds.Schema.Names()); diff != "" {
			t.Errorf("%+v: %s", r, diff)
		}
		inBlocks, err := r.ApplyBlocks(t.Context(), f)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(like.Names(), inBlocks.Schema.Names()); diff != "" {
			t.Errorf("%+v in blocks: %s", r, diff)
		}
		for b, err := range inBlocks.Features.Blocks(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			for i := range b.Columns {
				if !b.Columns[i].Equal(ds.Columns[i]) {
					t.Errorf("%+v in blocks: column %q differs", r, like.Names()[i])
				}
			}
		}
	}
	ignored := must(data.Roles{Label: "y", Ignore: []string{"w"}, Like: &like}.Apply(f))(t)
	if ignored.Schema.Index("w") >= 0 {
		t.Error("an ignored column is a feature")
	}
}

func TestRolesWithoutLabel(t *testing.T) {
	f := table(t, named("x", []float64{1, 2}), named("g", []int{7, -3}),
		named("t", []int64{1 << 60, 5}))
	ds := must(data.Roles{Group: "g", Time: "t"}.Apply(f))(t)
	if diff := cmp.Diff([]int64{7, -3}, ds.Target.Group); diff != "" {
		t.Error(diff)
	}
	_, err := data.Roles{Task: data.Binary}.Apply(f)
	wantError(t, err, "no label column")
}

func TestRolesRefuseColumns(t *testing.T) {
	inf := math.Inf(1)
	f := table(t,
		named("income", []string{"a", "b"}),
		named("weight", []float64{1, 2}),
		named("text", []string{"1", "heavy"}),
		data.NamedColumn{Name: "codes", Values: []int{1, 2}, Categorical: true},
		named("holes", []float64{1, nan}),
		named("negative", []float64{-1, 2}),
		named("endless", []float64{1, inf}),
		named("zero", []float64{0, 0}),
		named("huge", []float64{1e308, 1e308}),
		named("half", []float64{1, 2.5}),
		named("late", []float64{1, 1e30}),
		named("blank", []string{"x", ""}),
		named("dates", []string{"2024-01-31", "31.1.2024"}))
	for _, c := range []struct {
		roles data.Roles
		want  string
	}{
		{data.Roles{Label: "incme"}, `no label column "incme": did you mean "income"?`},
		{data.Roles{Label: "income", Weight: "wieght"}, `no weight column "wieght": did you mean "weight"?`},
		{data.Roles{Label: "income", Ignore: []string{"qqqqqqqq"}}, `no ignored column "qqqqqqqq" among its 13 columns`},
		{data.Roles{Label: "income", Weight: "income"}, `column "income" cannot be both label and weight`},
		{data.Roles{Label: "income", Group: "weight", Time: "weight"}, `column "weight" cannot be both group and time`},
		{data.Roles{Label: "income", Ignore: []string{"income"}}, `column "income" cannot be both label and ignored`},
		{data.Roles{Weight: "text"}, `t.csv:3: the weight in column "text" is not a number: "heavy"`},
		{data.Roles{Weight: "codes"}, `the weight column "codes" is categorical, want numbers`},
		{data.Roles{Weight: "holes"}, `t.csv:3: the weight in column "holes" is missing`},
		{data.Roles{Weight: "negative"}, `t.csv:2: the weight in column "negative" is negative`},
		{data.Roles{Weight: "endless"}, `t.csv:3: the weight in column "endless" is infinite`},
		{data.Roles{Weight: "zero"}, `all weights in column "zero" are zero`},
		{data.Roles{Weight: "huge"}, `the weights in column "huge" have a sum that no number holds`},
		{data.Roles{Group: "half"}, `t.csv:3: the group in column "half" is 2.5, want an integer or a text`},
		{data.Roles{Group: "late"}, `t.csv:3: the group in column "late" is 1e+30`},
		{data.Roles{Group: "holes"}, `t.csv:3: the group in column "holes" is missing`},
		{data.Roles{Group: "blank"}, `t.csv:3: the group in column "blank" is missing`},
		{data.Roles{Time: "endless"}, `t.csv:3: the time in column "endless" is +Inf, want a number, a date`},
		{data.Roles{Time: "blank"}, `t.csv:2: the time in column "blank" is "x", want a number, a date`},
		{data.Roles{Time: "dates"}, `t.csv:3: the time in column "dates" is "31.1.2024", want a number, a date`},
		{data.Roles{Label: "weight", Task: data.Ranking}, `the ranking task needs a group column`},
	} {
		_, err := c.roles.Apply(f)
		wantError(t, err, c.want)
	}
	few := table(t, named("a", []int{1}), named("b", []int{1}))
	_, err := data.Roles{Label: "zzz"}.Apply(few)
	wantError(t, err, `no label column "zzz": its columns are "a", "b"`)
	_, err = data.Roles{}.Apply(table(t, named("a", []int{})))
	wantError(t, err, "the table has no rows")
}

func TestTimeTextsMayBeIntegers(t *testing.T) {
	f := table(t, data.NamedColumn{Name: "t", Values: []int64{1<<60 + 1, -7}, Categorical: true})
	ds := must(data.Roles{Time: "t"}.Apply(f))(t)
	if diff := cmp.Diff([]int64{1<<60 + 1, -7}, ds.Target.Time); diff != "" {
		t.Error(diff)
	}
}

// TestTimesAreInOrder checks the order of times of each kind, with equal ones in one place.
func TestTimesAreInOrder(t *testing.T) {
	categorical := func(texts ...string) data.NamedColumn {
		return data.NamedColumn{Name: "t", Values: texts, Categorical: true}
	}
	for _, c := range []struct {
		column data.NamedColumn
		want   []int // the place of each row in time
	}{
		{named("t", []float64{1998.42, -0.5, 1998, math.Copysign(0, -1), 0, -1e300, 1e300, 5e-324}),
			[]int{6, 2, 5, 3, 3, 1, 7, 4}},
		{named("t", []int64{1 << 60, 5, -7}), []int{3, 2, 1}},
		{categorical("1998.42", "1998", "2e3", "-3"), []int{3, 2, 4, 1}},
		{categorical("08:30", "8:30:00.25", "12:15 AM", "11:00 pm", "08:30:00"),
			[]int{2, 3, 1, 4, 2}},
		{categorical("2024-03-01 08:30", "2024-03-01", "2024-02-29T23:59"), []int{3, 2, 1}},
	} {
		ds := must(data.Roles{Time: "t"}.Apply(table(t, c.column)))(t)
		sorted := slices.Clone(ds.Target.Time)
		slices.Sort(sorted)
		sorted = slices.Compact(sorted)
		var got []int
		for _, v := range ds.Target.Time {
			at, _ := slices.BinarySearch(sorted, v)
			got = append(got, at+1)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%v: %s", c.column.Values, diff)
		}
	}
	_, err := data.Roles{Time: "t"}.Apply(table(t, categorical("08:30", "24:00")))
	wantError(t, err, `t.csv:2: the time in column "t" is "08:30", want a number, a date`)
}

func TestUnlabeledRows(t *testing.T) {
	f := table(t,
		named("x", []float64{1, 2, 3, 4, 5}),
		named("w", []float64{1, -1, 3, 4, 5}), // the negative weight is in a row without a label
		named("g", []string{"a", "", "b", "c", "a"}),
		named("y", []string{"no", "", "yes", "", "no"}))
	roles := data.Roles{Label: "y", Weight: "w", Group: "g"}
	_, err := roles.Apply(f)
	wantError(t, err, `t.csv:3: no label in column "y" (2 such rows): data.Roles.DropUnlabeled`)

	var n notes
	roles.DropUnlabeled, roles.Log = true, n.log
	ds := must(roles.Apply(f))(t)
	want := data.Target{
		Name: "y", Task: data.Binary, Class: []uint32{0, 1, 0}, Classes: []string{"no", "yes"},
		Roles:  data.RoleColumns{Weight: "w", Group: "g"},
		Weight: []float64{1, 3, 5}, Group: []int64{0, 1, 0},
	}
	if diff := cmp.Diff(want, ds.Target); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]float64{1, 3, 5}, ds.Columns[0].Numbers()); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]int32{0, 2, 4}, ds.Kept); diff != "" || ds.Number(1) != 2 {
		t.Errorf("row 1 has number %d: %s", ds.Number(1), diff)
	}
	if diff := cmp.Diff(notes{`left out 2 rows without a label in column "y"`}, n); diff != "" {
		t.Error(diff)
	}
	if ds.Locate(1) != "t.csv:4" || ds.Locate(2) != "t.csv:6" {
		t.Errorf("rows are at %s and %s", ds.Locate(1), ds.Locate(2))
	}

	one := table(t, named("x", []float64{1, 2}), named("y", []float64{3.5, nan}))
	_, err = data.Roles{Label: "y"}.Apply(one)
	wantError(t, err, `t.csv:3: no label in column "y": data.Roles.DropUnlabeled leaves the row out`)
	none := table(t, named("y", []float64{nan, nan}))
	_, err = data.Roles{Label: "y", DropUnlabeled: true}.Apply(none)
	wantError(t, err, `no row has a label in column "y"`)
}

func TestCheckTrainable(t *testing.T) {
	apply := func(roles data.Roles, columns ...data.NamedColumn) *data.Dataset {
		return must(roles.Apply(table(t, columns...)))(t)
	}
	y := data.Roles{Label: "y"}
	x := named("x", []float64{1, 2})
	for _, c := range []struct {
		ds   *data.Dataset
		want string
		is   error
	}{
		{apply(y, named("x", []int{1}), named("y", []string{"a"})), "t.csv:2: the table has only one row", data.ErrOneRow},
		{apply(y, x, named("y", []string{"a", "a"})), `column "y": the label has only one value, "a"`, data.ErrOneValue},
		{apply(y, x, named("y", []int{7, 7})), `column "y": the label has only one value, "7"`, data.ErrOneValue},
		{apply(y, x, named("y", []float64{.5, .5})), `column "y": the label has only one value, 0.5`, data.ErrOneValue},
		{apply(y, named("y", []int{1, 2})), "the table has no feature columns beside the label", data.ErrNoFeatures},
		{apply(data.Roles{Ignore: []string{"x"}}, x), "the table has no feature columns", data.ErrNoFeatures},
	} {
		err := data.CheckTrainable(c.ds)
		wantError(t, err, c.want)
		if !isError(err, c.is) {
			t.Errorf("%v is not %v", err, c.is)
		}
	}
	for _, ds := range []*data.Dataset{
		apply(y, x, named("y", []string{"a", "b"})), apply(data.Roles{}, x),
		apply(y, x, named("y", []float64{.5, 1})),
	} {
		if err := data.CheckTrainable(ds); err != nil {
			t.Error(err)
		}
	}
}
