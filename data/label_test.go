package data_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/reference"
)

func isError(err, target error) bool { return errors.Is(err, target) }

func count(n int) []int {
	values := make([]int, n)
	for i := range values {
		values[i] = i
	}
	return values
}

// label returns a frame of one column, the label y.
func label(t *testing.T, values any) *data.Frame {
	t.Helper()
	return table(t, named("y", values))
}

func TestLabelDecidesTask(t *testing.T) {
	for _, c := range []struct {
		name    string
		values  any
		task    data.Task
		want    data.Task
		classes []string
		class   []uint32
		notes   int
	}{
		{"text", []string{"b", "a", "b", "B"}, data.Auto, data.Multiclass, []string{"B", "a", "b"}, []uint32{2, 1, 2, 0}, 0},
		{"boolean", []bool{true, false}, data.Auto, data.Binary, []string{"false", "true"}, []uint32{1, 0}, 0},
		{"integers", []float64{1, 0, 1, math.Copysign(0, -1)}, data.Auto, data.Binary, []string{"0", "1"}, []uint32{1, 0, 1, 0}, 1},
		{"two integers", []int{10, 9, 10}, data.Auto, data.Binary, []string{"9", "10"}, []uint32{1, 0, 1}, 1},
		{"one integer", []int{7, 7}, data.Auto, data.Multiclass, []string{"7"}, []uint32{0, 0}, 1},
		{"few rows of each integer", []int{-11, 7, 8, -8}, data.Auto, data.Regression, nil, nil, 1},
		{"12 integers in 12 rows", count(12), data.Auto, data.Regression, nil, nil, 1},
		{"5 rows of each integer", repeated(3, 15), data.Auto, data.Multiclass, []string{"0", "1", "2"}, nil, 1},
		{"almost 5 rows of each integer", repeated(3, 14), data.Auto, data.Regression, nil, nil, 1},
		{"5 rows on average", append(repeated(3, 15), 3), data.Auto, data.Regression, nil, nil, 1},
		{"grades", append(repeated(2, 20), 3, 3, 3, 3, 3), data.Auto, data.Multiclass, []string{"0", "1", "3"}, nil, 1},
		{"from -1", from(-1, 15), data.Auto, data.Multiclass, []string{"-1", "0", "1"}, nil, 1},
		{"from 1", from(1, 15), data.Auto, data.Multiclass, []string{"1", "2", "3"}, nil, 1},
		{"from 2", from(2, 15), data.Auto, data.Regression, nil, nil, 1},
		{"from -2", from(-2, 15), data.Auto, data.Regression, nil, nil, 1},
		{"integers by value", []int{10, 9, -1}, data.Multiclass, data.Multiclass, []string{"-1", "9", "10"}, []uint32{2, 1, 0}, 0},
		{"number texts by value", []string{"10", "9.5", "+10"}, data.Auto, data.Multiclass, []string{"9.5", "+10", "10"}, []uint32{2, 0, 1}, 0},
		{"mixed texts bytewise", []string{"10", "9", "x"}, data.Auto, data.Multiclass, []string{"10", "9", "x"}, []uint32{0, 1, 2}, 0},
		{"one value", []string{"a", "a"}, data.Auto, data.Multiclass, []string{"a"}, []uint32{0, 0}, 0},
		{"30 integers", count(30), data.Multiclass, data.Multiclass, nil, nil, 0},
		{"31 integers", count(31), data.Auto, data.Regression, nil, nil, 0},
		{"fractions", []float64{1, 1.5}, data.Auto, data.Regression, nil, nil, 0},
		{"fractions as classes", []float64{1.5, 0.1, 1.5}, data.Binary, data.Binary, []string{"0.1", "1.5"}, []uint32{1, 0, 1}, 0},
		{"two of many", []int{5, 3}, data.Multiclass, data.Multiclass, []string{"3", "5"}, []uint32{1, 0}, 0},
		{"integers as numbers", []int{5, 3}, data.Regression, data.Regression, nil, nil, 0},
		{"number texts as numbers", []string{"5", "3e2"}, data.Regression, data.Regression, nil, nil, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			var n notes
			ds := must(data.Roles{Label: "y", Task: c.task,
				Log: n.log}.Apply(label(t, c.values)))(t)
			if ds.Target.Task != c.want {
				t.Errorf("task %s, want %s", ds.Target.Task, c.want)
			}
			if (ds.Target.Y != nil) != (c.want == data.Regression) ||
				(ds.Target.Class != nil) != c.want.Classes() {
				t.Errorf("%s has Y %v and classes %v", c.want, ds.Target.Y, ds.Target.Class)
			}
			if c.classes != nil {
				if diff := cmp.Diff(c.classes, ds.Target.Classes); diff != "" {
					t.Error(diff)
				}
				if diff := cmp.Diff(c.class, ds.Target.Class); c.class != nil && diff != "" {
					t.Error(diff)
				}
			}
			if len(n) != c.notes || ds.Target.Guessed != (c.notes > 0) {
				t.Errorf("notes %q, want %d; guessed %v", n, c.notes, ds.Target.Guessed)
			}
		})
	}
}

// The rarer of two classes is the second, unless the order of the classes is given; of equally many
// rows the order stays.
func TestRareLast(t *testing.T) {
	const note = `the rarer value of the label "y", "a" in 2 of 5 rows, is taken for the anomaly`
	for _, c := range []struct {
		name    string
		values  any
		known   []string
		classes []string
		class   []uint32
		notes   notes
	}{
		{"first is rare", []string{"b", "a", "b", "b", "a"}, nil, []string{"b", "a"}, []uint32{0, 1, 0, 0, 1}, notes{note}},
		{"second is rare", []string{"a", "a", "b"}, nil, []string{"a", "b"}, []uint32{0, 0, 1},
			notes{`the rarer value of the label "y", "b" in 1 of 3 rows, is taken for the anomaly`}},
		{"equal", []string{"a", "b"}, nil, []string{"a", "b"}, []uint32{0, 1},
			notes{`the rarer value of the label "y", "b" in 1 of 2 rows, is taken for the anomaly`}},
		{"known", []string{"b", "a", "b"}, []string{"a", "b"}, []string{"a", "b"}, []uint32{1, 0, 1}, nil},
		{"others", []string{"b", "a", "b", "b", "a"}, []string{"a", "c"}, []string{"b", "a"}, []uint32{0, 1, 0, 0, 1}, notes{note}},
		{"known numbers", []float64{1, 0, 1}, []string{"0.0", "1.0"}, []string{"0.0", "1.0"}, []uint32{1, 0, 1}, nil},
		{"three classes", []string{"b", "a", "b", "b", "c"}, nil, []string{"a", "b", "c"}, []uint32{1, 0, 1, 1, 2}, nil},
		{"numbers", []float64{0.5, 1.5}, nil, nil, nil, nil},
	} {
		var got notes
		ds := must(data.Roles{Label: "y", RareLast: true, Classes: c.known,
			Log: got.log}.Apply(label(t, c.values)))(t)
		if d := cmp.Diff(c.classes, ds.Target.Classes) + cmp.Diff(c.class,
			ds.Target.Class) + cmp.Diff(c.notes, got); d != "" {
			t.Errorf("%s: %s", c.name, d)
		}
	}
}

// repeated returns rows of 0 ... distinct-1, over and over.
func repeated(distinct, rows int) []int {
	values := make([]int, rows)
	for i := range values {
		values[i] = i % distinct
	}
	return values
}

// from returns rows of least ... least+2, over and over.
func from(least, rows int) []int {
	values := repeated(3, rows)
	for i := range values {
		values[i] += least
	}
	return values
}

// Where nothing but classes can be predicted, few integers are classes.
func TestIntegersWithoutRegression(t *testing.T) {
	for want, values := range map[data.Task][]int{data.Multiclass: from(7, 3), data.Regression: count(31)} {
		ds := must(data.Roles{Label: "y", NoRegression: true}.Apply(label(t, values)))(t)
		if ds.Target.Task != want {
			t.Errorf("%d integers: %s, want %s", len(values), ds.Target.Task, want)
		}
	}
}

func TestThirtyIntegersAreClasses(t *testing.T) {
	var n notes
	ds := must(data.Roles{Label: "y", Log: n.log}.Apply(label(t, repeated(30, 150))))(t)
	if ds.Target.Task != data.Multiclass || len(ds.Target.Classes) != 30 ||
		ds.Target.Classes[29] != "29" {
		t.Errorf("%s with classes %q", ds.Target.Task, ds.Target.Classes)
	}
	if diff := cmp.Diff(notes{`the label "y" has 30 integers from 0, the rarest in 5 rows, and is read as classes (data.Roles.Task regression reads numbers)`}, n); diff != "" {
		t.Error(diff)
	}
}

// TestTextsThatAreNoClasses: a label of many texts is refused, unless the task or the classes are
// given.
func TestTextsThatAreNoClasses(t *testing.T) {
	for _, c := range []struct {
		distinct, rows int
		refused        bool
	}{
		{20, 20, false}, {11, 21, true}, {10, 21, false}, {12, 24, false}, {13, 24, true},
		{50, 100, false}, {51, 254, true}, {51, 255, false}, {300, 300, true}, {1000, 5000, false},
	} {
		texts := make([]string, c.rows)
		for i := range texts {
			texts[i] = fmt.Sprintf("%d,%03d", 427+i%c.distinct, i%c.distinct)
		}
		f := label(t, texts)
		_, err := data.Roles{Label: "y"}.Apply(f)
		want := fmt.Sprintf(`the label "y" has %d distinct texts in %d rows, which hardly are classes: data.Roles.Task multiclass insists on them, data.Roles.Label names another column`, c.distinct, c.rows)
		if (err != nil) != c.refused || err != nil && err.Error() != want {
			t.Errorf("%d texts in %d rows: %v", c.distinct, c.rows, err)
		}
		ds, err := data.Roles{Label: "y", Task: data.Multiclass}.Apply(f)
		if err != nil || len(ds.Target.Classes) != c.distinct {
			t.Errorf("%d texts in %d rows, multiclass: %v", c.distinct, c.rows, err)
			continue
		}
		if _, err := (data.Roles{Label: "y", Classes: ds.Target.Classes}).Apply(f); err != nil {
			t.Errorf("%d texts in %d rows, of a model: %v", c.distinct, c.rows, err)
		}
	}
}

func TestNumberTextsAsNumbers(t *testing.T) {
	ds := must(data.Roles{Label: "y", Task: data.Regression}.Apply(label(t,
		[]string{"5", "-3e2", "5"})))(t)
	if diff := cmp.Diff([][]float64{{5, -300, 5}}, ds.Target.Y); diff != "" {
		t.Error(diff)
	}
}

func TestClassesLeaveUnusedLevelsOut(t *testing.T) {
	f := label(t, []string{"a", "b", "c"}).Subset([]int32{2, 0})
	ds := must(data.Roles{Label: "y"}.Apply(f))(t)
	if diff := cmp.Diff([]string{"a", "c"}, ds.Target.Classes); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]uint32{1, 0}, ds.Target.Class); diff != "" {
		t.Error(diff)
	}
}

func TestLabelsRefused(t *testing.T) {
	for _, c := range []struct {
		values any
		roles  data.Roles
		want   string
	}{
		{[]string{"1", "x", "2"}, data.Roles{Task: data.Regression}, `t.csv:3: the label in column "y" is "x", the regression task needs numbers`},
		{[]string{"1", "0x1p3"}, data.Roles{Task: data.Regression}, `t.csv:3: the label in column "y" is "0x1p3"`},
		{[]string{"1", "Inf"}, data.Roles{Task: data.Regression}, `t.csv:3: the label in column "y" is "Inf"`},
		{[]string{"a", "b", "c"}, data.Roles{Task: data.Binary}, `the label "y" has 3 distinct values ("a", "b", "c"), the binary task needs 2`},
		{[]int{4, 4}, data.Roles{Task: data.Binary}, `the label "y" has 1 distinct values ("4"), the binary task needs 2`},
		{count(40), data.Roles{Task: data.Binary}, `"7" and 32 more), the binary task needs 2`},
		{[]float64{1, math.Inf(-1)}, data.Roles{}, `t.csv:3: the label in column "y" is infinite`},
		{[]float64{1, math.Inf(1)}, data.Roles{Task: data.Binary}, `t.csv:3: the label in column "y" is infinite`},
		{[]float64{1, 2}, data.Roles{Task: data.Anomaly}, `the anomaly task cannot be made from a label column alone`},
		{[]float64{1, 2}, data.Roles{Task: data.Regression, Classes: []string{"1", "2"}}, `the regression task has no classes, and the model has 2`},
	} {
		c.roles.Label = "y"
		_, err := c.roles.Apply(label(t, c.values))
		wantError(t, err, c.want)
	}
	f := label(t, []string{"a", "b"})
	f.Columns[0].Codes()[1] = data.UnseenCode
	_, err := data.Roles{Label: "y"}.Apply(f)
	wantError(t, err, `t.csv:3: the label in column "y" is not in the column's dictionary`)
}

func TestRename(t *testing.T) {
	for _, c := range []struct {
		name    string
		values  any
		rename  map[string]string
		classes []string
		class   []uint32
		y       []float64
		notes   int
	}{
		{"merge texts", []string{"a", "b", "c"}, map[string]string{"b": "a"}, []string{"a", "c"}, []uint32{0, 0, 1}, nil, 0},
		{"swap texts", []string{"a", "b"}, map[string]string{"b": "a", "a": "b"}, []string{"a", "b"}, []uint32{1, 0}, nil, 0},
		{"nothing to rename", []string{"a", "b"}, map[string]string{"A": "x"}, []string{"a", "b"}, []uint32{0, 1}, nil, 1},
		{"numbers to texts", []float64{1, 0, 2.5}, map[string]string{"1.0": "yes", "0": "no"}, []string{"2.5", "no", "yes"}, []uint32{2, 1, 0}, nil, 0},
		{"numbers to numbers", []float64{-1, 1}, map[string]string{"-1": "0"}, []string{"0", "1"}, []uint32{0, 1}, nil, 1},
		{"numbers stay numbers", []float64{-1, 1.5}, map[string]string{"-1": "0", "x": "y", "7": "8"}, nil, nil, []float64{0, 1.5}, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			var n notes
			ds := must(data.Roles{Label: "y", Rename: c.rename,
				Log: n.log}.Apply(label(t, c.values)))(t)
			if c.y != nil {
				if diff := cmp.Diff([][]float64{c.y}, ds.Target.Y); diff != "" {
					t.Error(diff)
				}
			}
			if diff := cmp.Diff(c.classes, ds.Target.Classes); diff != "" {
				t.Error(diff)
			}
			if diff := cmp.Diff(c.class, ds.Target.Class); diff != "" {
				t.Error(diff)
			}
			if len(n) != c.notes {
				t.Errorf("notes %q, want %d", n, c.notes)
			}
		})
	}
}

func TestRenameToNoLabel(t *testing.T) {
	for _, values := range []any{[]string{"1", "?", "3"}, []float64{1, 99, 3}} {
		rename := map[string]string{"?": "", "99": ""}
		_, err := data.Roles{Label: "y", Rename: rename}.Apply(label(t, values))
		wantError(t, err, `t.csv:3: no label in column "y"`)
		ds := must(data.Roles{Label: "y", Rename: rename,
			DropUnlabeled: true}.Apply(label(t, values)))(t)
		if diff := cmp.Diff([]string{"1", "3"}, ds.Target.Classes); diff != "" {
			t.Error(diff)
		}
	}
}

func TestRenameLeavesOtherLabelsAlone(t *testing.T) {
	roles := data.Roles{Label: "y", Rename: map[string]string{"1": "2"}}
	_, err := roles.Apply(label(t, []float64{1, math.Inf(1)}))
	wantError(t, err, `t.csv:3: the label in column "y" is infinite`)
	_, err = roles.Apply(label(t, []float64{1, nan, 4}))
	wantError(t, err, `t.csv:3: no label in column "y"`)
	roles.DropUnlabeled = true
	for _, values := range []any{[]float64{1, nan, 4.5}, []string{"1", "", "4.5"}} {
		roles.Task = data.Regression
		ds := must(roles.Apply(label(t, values)))(t)
		if diff := cmp.Diff([][]float64{{2, 4.5}}, ds.Target.Y); diff != "" {
			t.Error(diff)
		}
	}
}

func TestParseRename(t *testing.T) {
	f := table(t, named("y", []string{"<=50K.", ">50K.", "a", "a=b"}),
		named("n", []float64{1, 2, 2, 1}))
	for _, c := range []struct {
		label string
		pairs []string
		want  map[string]string
	}{
		{"y", nil, nil},
		{"y", []string{"<=50K.=<=50K", ">50K.=>50K"}, map[string]string{"<=50K.": "<=50K", ">50K.": ">50K"}},
		{"y", []string{" > 5 = >=5 ", "x="}, map[string]string{"> 5": ">=5", "x": ""}},
		{"n", []string{"1.0=yes=no"}, map[string]string{"1.0": "yes=no"}},
		{"absent", []string{"p=q=r"}, map[string]string{"p": "q=r"}},
		{"y", []string{"==x"}, map[string]string{"=": "x"}},
	} {
		got := must(data.ParseRename(c.pairs, f, c.label))(t)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%q: %s", c.pairs, diff)
		}
	}
	for pair, want := range map[string]string{
		"ab":    `"ab": want OLD=NEW`,
		"=ab":   `"=ab": want OLD=NEW`,
		"a=b=c": `"a=b=c": several label values fit before "="`,
	} {
		_, err := data.ParseRename([]string{pair}, f, "y")
		wantError(t, err, want)
	}
	_, err := data.ParseRename([]string{"k=l", "k=m"}, f, "y")
	wantError(t, err, `"k" is renamed to both "l" and "m"`)
}

func TestKnownClasses(t *testing.T) {
	for _, c := range []struct {
		values  any
		classes []string
		want    []uint32
		task    data.Task
	}{
		{[]string{"b", "a", "b"}, []string{"b", "a"}, []uint32{0, 1, 0}, data.Binary},
		{[]float64{1, 2, 1}, []string{"0", "1", "2"}, []uint32{1, 2, 1}, data.Multiclass},
		{[]float64{1, 0}, []string{"0.0", "1.0"}, []uint32{1, 0}, data.Binary},
		{[]string{"1.0", "01", "1"}, []string{"1", "1.0"}, []uint32{1, 0, 0}, data.Binary},
	} {
		ds := must(data.Roles{Label: "y", Classes: c.classes}.Apply(label(t, c.values)))(t)
		if diff := cmp.Diff(data.Target{Name: "y", Task: c.task, Class: c.want, Classes: c.classes},
			ds.Target); diff != "" {
			t.Errorf("%v: %s", c.values, diff)
		}
	}
}

func TestUnknownLabels(t *testing.T) {
	for _, c := range []struct {
		values  any
		classes []string
		want    string
	}{
		{[]string{"yes", "Yes", "no"}, []string{"no", "yes"}, `t.csv:3: label "Yes" of column "y" occurs once, but the model has only "no", "yes": use data.Roles.Rename 'Yes=yes'`},
		{[]float64{0, 7, 7}, []string{"no", "yes"}, `t.csv:3: label "7" of column "y" occurs 2 times, "0" once, but the model has only "no", "yes": use data.Roles.Rename 'OLD=NEW' to rename labels`},
		{[]string{"it's", "its"}, []string{"its", "x"}, `use data.Roles.Rename 'it'\''s=its'`},
	} {
		_, err := data.Roles{Label: "y", Classes: c.classes}.Apply(label(t, c.values))
		wantError(t, err, c.want)
		var unknown *data.UnknownLabelError
		if !errors.As(err, &unknown) || unknown.Column != "y" {
			t.Errorf("%v is no UnknownLabelError of column y", err)
		}
	}
	_, err := data.Roles{Label: "y", Classes: []string{"a", "b"}}.Apply(label(t, count(50)))
	wantError(t, err, `label "0" of column "y" occurs once, "1" once`,
		"and 42 more values, but the model has")
}

// The labels of adult's test file end in a full stop, those of its training file do not.
func TestAdultTestLabels(t *testing.T) {
	r := csv.NewReader(reference.Open(t, "../testdata/adult/adult-test.csv.gz"))
	var incomes []string
	for {
		record, err := r.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		incomes = append(incomes, strings.TrimSpace(record[len(record)-1]))
	}
	f := must(data.FromColumns(named("income", incomes[1:])))(t)
	roles := data.Roles{Label: "income", Classes: []string{"<=50K", ">50K"}}
	_, err := roles.Apply(f)
	wantError(t, err,
		`label "<=50K." of column "income" occurs 12435 times, ">50K." 3846 times, but the model has only "<=50K", ">50K": `+
			`use data.Roles.Rename '<=50K.=<=50K' data.Roles.Rename '>50K.=>50K'`)
	roles.Rename = must(data.ParseRename([]string{"<=50K.=<=50K", ">50K.=>50K"}, f, "income"))(t)
	ds := must(roles.Apply(f))(t)
	var rows [2]int
	for _, class := range ds.Target.Class {
		rows[class]++
	}
	if rows != [2]int{12435, 3846} {
		t.Errorf("class sizes %v", rows)
	}
}
