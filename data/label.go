package data

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/option"
)

// What is taken as classes where the task is not given.
const (
	maxIntegerClasses = 30 // distinct integers, at most
	integerRows       = 5  // rows of each of more than two integers, at least: one for each of 5 folds
	textClasses       = 50 // so many distinct texts are classes, however few rows they have
	textRows          = 5  // rows of each of more texts on average, at least
	textTable         = 20 // rows of a table above which half of the texts must have another row
	greatestGrade     = 31 // of relevance: twice that of 30, and still far from the largest number
)

// labels is a label column: numbers, or texts with codes. Renaming may merge texts and turn numbers
// into texts.
type labels struct {
	name string
	num  []float64 // numbers, NaN where a row has no label; nil for texts
	code []uint32  // index into text, MissingCode where a row has no label; nil for numbers
	text []string
}

func readLabels(f *Frame, column int) (labels, error) {
	field, c := &f.Schema.Fields[column], &f.Columns[column]
	switch field.Kind {
	case Numeric:
		return labels{name: field.Name, num: c.Numbers()}, nil
	case Date:
		return labels{}, fmt.Errorf("%sthe label %q holds dates, and no model predicts dates: "+
			option.Expand("make days or another number of them, or read each date as a class ({categorical} ")+
			"%s)", f.place(), field.Name, field.Name)
	case Text:
		return labels{}, fmt.Errorf("%sthe label %q holds texts, and no model predicts texts: "+
			"read it as a category", f.place(), field.Name)
	}
	if row := slices.Index(c.code, UnseenCode); row >= 0 {
		return labels{}, fmt.Errorf("%s: the label in column %q is not in the column's dictionary",
			f.Locate(row), field.Name)
	}
	return labels{name: field.Name, code: c.code, text: field.Levels}, nil
}

// labeled returns the rows that have a label.
func (l *labels) labeled() []int32 {
	rows := make([]int32, 0, len(l.num)+len(l.code))
	for row, v := range l.num {
		if !math.IsNaN(v) {
			rows = append(rows, int32(row))
		}
	}
	for row, code := range l.code {
		if code != MissingCode {
			rows = append(rows, int32(row))
		}
	}
	return rows
}

// decide fills the target with classes or numbers, by Task, Classes or the rules of Roles.
func (r *Roles) decide(t *Target, f *Frame, l *labels) error {
	if r.Classes != nil {
		if t.Task == Auto {
			t.Task = classTask(len(r.Classes))
		}
		if !t.Task.Classes() {
			return fmt.Errorf("the %s task has no classes, and the model has %d", t.Task,
				len(r.Classes))
		}
		t.Classes = r.Classes
		return l.match(t, f)
	}
	switch t.Task {
	case Auto:
		return r.infer(t, f, l)
	case Binary:
		if l.classes(t); len(t.Classes) != 2 {
			return fmt.Errorf("the label %q has %d distinct values (%s), the binary task needs 2",
				l.name, len(t.Classes), quoteList(t.Classes))
		}
	case Multiclass:
		l.classes(t)
	case Regression, Ranking, Survival:
		return l.numbers(t, f)
	default:
		return fmt.Errorf("the %s task cannot be made from a label column alone: use binary, "+
			"multiclass, regression, ranking or survival", t.Task)
	}
	return nil
}

func classTask(classes int) Task {
	if classes == 2 {
		return Binary
	}
	return Multiclass
}

// infer chooses between classes and numbers by the labels, by the rules of Roles.
func (r *Roles) infer(t *Target, f *Frame, l *labels) error {
	rows := len(l.num) + len(l.code)
	if r.ranked && !r.NoRanking && grades(l.num) {
		r.Log("the file states the queries of its rows, and the label %q holds grades, whole numbers up to %d: "+
			option.Expand("rows are ranked ({task} sets another task)"), l.name, greatestGrade)
		t.Task = Ranking
		return l.numbers(t, f)
	}
	if l.num == nil {
		l.classes(t)
		t.Task = classTask(len(t.Classes))
		return tooManyTexts(l.name, len(t.Classes), rows)
	}
	n, few := fewIntegers(l.num)
	t.Guessed = few
	switch {
	case few && (r.NoRegression || n.codes()):
		l.classes(t)
		t.Task = classTask(len(t.Classes))
		r.Log(option.Expand("the label %q has %s and is read as classes ({task} regression reads numbers)"),
			l.name, n)
		return nil
	case few:
		r.Log(option.Expand("the label %q has %s and is read as numbers ({task} multiclass reads classes)"),
			l.name, n)
	}
	t.Task = Regression
	return l.numbers(t, f)
}

// tooManyTexts returns an error where so many texts are distinct that they are hardly the names of
// classes.
func tooManyTexts(name string, distinct, rows int) error {
	many := distinct > textClasses && rows < textRows*distinct
	if !many && (rows <= textTable || 2*distinct <= rows) {
		return nil
	}
	return fmt.Errorf("the label %q has %d distinct texts in %d rows, which hardly are classes: "+
		option.Expand("{task} multiclass insists on them, {label} names another column"), name, distinct, rows)
}

// integers are the distinct values of a label of few integers, and the rows of each.
type integers struct {
	values []float64
	rows   []int
}

// fewIntegers counts the rows of each value; false if a value is no integer, or if more than
// maxIntegerClasses differ.
func fewIntegers(values []float64) (n integers, few bool) {
	for _, v := range values {
		if v != math.Trunc(v) {
			return integers{}, false
		}
		at := slices.Index(n.values, v)
		if at < 0 {
			if len(n.values) == maxIntegerClasses {
				return integers{}, false
			}
			at, n.values, n.rows = len(n.values), append(n.values, v), append(n.rows, 0)
		}
		n.rows[at]++
	}
	return n, true
}

// codes reports whether the integers are taken for codes of classes. So are two, and more that
// begin at -1, 0 or 1, as codes do, and have rows enough for each fold of a cross-validation.
func (n integers) codes() bool {
	if len(n.values) <= 2 {
		return true
	}
	least := slices.Min(n.values)
	return least >= -1 && least <= 1 && slices.Min(n.rows) >= integerRows
}

// String counts the integers, and gives the reason for what codes reports.
func (n integers) String() string {
	if len(n.values) <= 2 {
		return fmt.Sprintf("%d distinct values, all integers,", len(n.values))
	}
	rarest := fmt.Sprintf("%d rows", slices.Min(n.rows))
	if rarest == "1 rows" {
		rarest = "1 row"
	}
	return fmt.Sprintf("%d integers from %s, the rarest in %s,", len(n.values),
		NumberText(slices.Min(n.values), 64), rarest)
}

// grades reports whether all labels are grades of relevance.
func grades(values []float64) bool {
	for _, v := range values {
		if v != math.Trunc(v) || v < 0 || v > greatestGrade {
			return false
		}
	}
	return len(values) > 0
}

// numbers makes the labels a regression target. Texts are read as numbers, for a column may be
// categorical only because that was requested; the first text that is none is an error.
func (l *labels) numbers(t *Target, f *Frame) error {
	if l.num != nil {
		t.Y = [][]float64{l.num}
		return nil
	}
	value := make([]float64, len(l.text))
	known := make([]bool, len(l.text))
	for i, text := range l.text {
		value[i], known[i] = parseNumber(text)
	}
	y := make([]float64, len(l.code))
	for row, code := range l.code {
		if !known[code] {
			return fmt.Errorf("%s: the label in column %q is %q, the %s task needs numbers",
				f.Locate(row), l.name, l.text[code], t.Task)
		}
		y[row] = value[code]
	}
	t.Y = [][]float64{y}
	return nil
}

// classes makes a class of each distinct label.
func (l *labels) classes(t *Target) {
	if l.num != nil {
		distinct := distinctNumbers(l.num)
		t.Classes = numberTexts(distinct)
		t.Class = numberCodes(l.num, distinct)
		return
	}
	used := make([]bool, len(l.text))
	for _, code := range l.code {
		used[code] = true
	}
	for i, text := range l.text {
		if used[i] {
			t.Classes = append(t.Classes, text)
		}
	}
	sortClasses(t.Classes)
	place := make(map[string]uint32, len(t.Classes))
	for i, name := range t.Classes {
		place[name] = uint32(i)
	}
	t.Class = make([]uint32, len(l.code))
	for row, code := range l.code {
		t.Class[row] = place[l.text[code]]
	}
}

// sortClasses sorts by value if all names are numbers, equal numbers and all other names bytewise.
func sortClasses(names []string) {
	value := make(map[string]float64, len(names))
	for _, name := range names {
		v, ok := parseNumber(name)
		if !ok {
			slices.Sort(names)
			return
		}
		value[name] = v
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(value[a], value[b]), cmp.Compare(a, b))
	})
}

// distinctNumbers returns the values that are present, ascending.
func distinctNumbers(values []float64) []float64 {
	distinct := make([]float64, 0, len(values))
	for _, v := range values {
		if !math.IsNaN(v) {
			distinct = append(distinct, v)
		}
	}
	slices.Sort(distinct)
	return slices.Compact(distinct)
}

func numberTexts(values []float64) []string {
	texts := make([]string, len(values))
	for i, v := range values {
		texts[i] = NumberText(v, 64)
	}
	return texts
}

// numberCodes returns the place of each value in the ascending distinct ones, MissingCode for NaN.
func numberCodes(values, distinct []float64) []uint32 {
	codes := make([]uint32, len(values))
	for row, v := range values {
		if i, ok := slices.BinarySearch(distinct, v); ok {
			codes[row] = uint32(i)
		} else {
			codes[row] = MissingCode
		}
	}
	return codes
}
