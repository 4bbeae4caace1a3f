package data

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/param"
)

// Roles names the columns of a table that are not features but the label, the weights and so on,
// and how the label is to be read. The zero value makes a table of features without a label.
//
// The task follows from the label's values unless Task or Classes fixes it:
//
//   - A categorical column makes classes. It is an error if more than 50 texts have under 5 rows
//     each on average, or if a table of over 20 rows has more than half as many texts as rows.
//   - A numeric column makes classes if it holds nothing but integers, of which 2 differ, or at
//     most 30 that begin at -1, 0 or 1 and have 5 rows or more each. With NoRegression any 30 do.
//   - Any other numeric column is a regression target, but times where Event or Upper names a
//     column.
//   - Where the file states the queries of its rows (LibSVM's qid) and all labels are integers from
//     0 to 31, the rows are to be ranked, unless NoRanking.
//
// A file may state the weights or the groups of its rows (Field.Role). These columns have that role
// unless another column is named for it, and are never features.
//
// Two classes are Binary; one, or three and more, are Multiclass. Classes are sorted: by value
// where all are numbers, else bytewise. Numbers become class names in the shortest decimal form:
// "0", "1.5".
type Roles struct {
	Label string // the column to predict; "" = no label
	// observation weights: a numeric column, finite with a finite sum, not negative, not all zero;
	// "" = those that the file states, else all 1
	Weight string
	// rows that stay together in splits: integers or texts; "" = those that the file states, else
	// none
	Group string
	Time  string // order of rows in splits by time: numbers, dates or times of day; "" = none
	// survival: whether the event was observed at the label's time, 1 or 0, or the row left before:
	// true and false, yes and no; "" = all were observed
	Event string
	// survival: the upper ends of times, of which the label is the lower: a numeric column, missing
	// = no end; "" = none
	Upper string
	// survival: the event of every row was observed, without a column for it
	Observed bool
	// scores that boosting starts from, a numeric column for each output; nil = none
	Start  []string
	Ignore []string // columns that are neither features nor anything else

	// TimeFeature makes a feature of the column Time too.
	TimeFeature bool
	// Texts are columns of texts and how these become numbers; nil = only columns of the kind Text.
	Texts map[string]TextFormat
	// Like holds the features of a model or of an earlier table; nil = none. Date and text columns
	// become the parts that it has of them. A column that it has is a feature, whatever other role
	// it has too.
	Like *Schema

	Task Task // Auto lets the label's values decide
	// queries that the file states do not make the task Ranking
	NoRanking bool
	// few integers are classes, whatever they begin at
	NoRegression bool
	// label values to rename before anything else, old to new; a value renamed to "" is no label.
	// See ParseRename
	Rename        map[string]string
	DropUnlabeled bool // leave rows without a label out instead of refusing them
	// of two classes, the one of fewer rows is the second: what is rare is the anomaly. Where
	// Classes name all labels their order stays, else Classes are removed
	RareLast bool
	// the classes of a trained model: every label must be one of them; nil = the label's own
	Classes []string
	// Positive names the positive one of two classes, as text or as a number; "" =
	// Target.ChoosePositive chooses. With RareLast it is refused: what is rare is the anomaly.
	Positive string

	Log func(format string, args ...any) // receives notes, one line each; nil = none

	part   *partNotes // the table is some rows of one; nil: it is whole
	ranked bool       // the file states queries, and labels that are grades are ranked
}

// Label returns the roles of a table in which one column is to be predicted from all others.
func Label(column string) Roles { return Roles{Label: column} }

// Apply takes the columns that have a role out of a table. It returns the remaining columns, the
// features, with the target that the others make. The columns are those of f, without a copy,
// unless unlabeled rows are dropped. Date and text columns become numeric ones (see Expand), and
// notes name them.
//
// Errors name the file, line and column where there is one:
//
//   - a column that is missing in the table (with the nearest name) or that has two roles;
//   - a row without a label; an infinite label or weight; a negative or missing weight;
//   - a value that is no number, group or time where one is needed;
//   - a column of Texts that is no feature or holds no texts;
//   - a label that does not fit the task; and, with Classes, labels that are none of them
//     (*UnknownLabelError);
//   - a positive class that the label does not have, with the nearest one, or of a label that has
//     not two classes (*PositiveError).
func (r Roles) Apply(f *Frame) (*Dataset, error) {
	if err := r.survival(); err != nil {
		return nil, err
	}
	r.state(&f.Schema)
	at, err := r.find(&f.Schema)
	if err != nil {
		return nil, err
	}
	if f.Rows() == 0 {
		return nil, fmt.Errorf("the table has no rows")
	}
	if err := r.checkPositive(); err != nil {
		return nil, err
	}
	if r.Log == nil {
		r.Log = func(string, ...any) {}
	}
	r.ranked = r.queries(&f.Schema)
	t := Target{Name: r.Label, Task: r.Task, Roles: r.columns()}
	var kept []int32
	if at.label >= 0 {
		if f, kept, err = r.readTarget(&t, f, at.label); err != nil {
			return nil, err
		}
	} else if r.Task != Auto || r.Classes != nil {
		return nil, fmt.Errorf("a task or classes are given but no label column")
	}
	if err := t.readBeside(f, &at); err != nil {
		return nil, err
	}
	if r.Observed {
		t.Event = slices.Repeat([]uint8{1}, f.Rows())
	}
	if t.Weight != nil && r.part == nil {
		if err := checkWeightSum(kernel.Sum(t.Weight), inColumn(r.Weight)); err != nil {
			return nil, err
		}
	}
	features, err := r.expand(f.Select(at.features))
	return &Dataset{Frame: features, Target: t, Kept: kept}, err
}

// checkPositive checks that a positive class may be named.
func (r *Roles) checkPositive() error {
	switch {
	case r.Positive == "":
		return nil
	case r.RareLast:
		return fmt.Errorf("a positive class is named where the anomaly is, which is the rarer class")
	case r.Label == "":
		return fmt.Errorf("a positive class is named and no label column")
	}
	return nil
}

// readBeside reads the columns beside the label: weights, groups, times and initial scores.
func (t *Target) readBeside(f *Frame, at *positions) (err error) {
	if at.weight >= 0 {
		if t.Weight, err = readWeights(f, at.weight); err != nil {
			return err
		}
	}
	if at.group >= 0 {
		if t.Group, err = readGroups(f, at.group); err != nil {
			return err
		}
	}
	if at.time >= 0 {
		if t.Time, err = readTimes(f, at.time); err != nil {
			return err
		}
	}
	if at.event >= 0 {
		if t.Event, err = readEvents(f, at.event); err != nil {
			return err
		}
	}
	if at.upper >= 0 {
		if t.Upper, err = readUpper(f, at.upper, t.Y[0]); err != nil {
			return err
		}
	}
	if t.Offset, err = readStart(f, at.start); err != nil {
		return err
	}
	if t.Task == Ranking && t.Group == nil {
		return fmt.Errorf("the ranking task needs a group column, which identifies the queries")
	}
	return nil
}

// positions are the places of the columns by role, -1 for a role that no column has.
type positions struct {
	label, weight, group, time, event, upper int
	start, features                          []int
}

// find looks up the columns of all roles and checks that each has one role only.
func (r *Roles) find(s *Schema) (at positions, err error) {
	role := make([]string, len(s.Fields))
	take := func(what, column string) int {
		if column == "" || err != nil {
			return -1
		}
		i := s.Index(column)
		switch {
		case i < 0:
			err = unknownColumn(what, column, s)
		case role[i] != "" && role[i] != what:
			err = fmt.Errorf("column %q cannot be both %s and %s", column, role[i], what)
		default:
			role[i] = what
		}
		return i
	}
	at.label = take("label", r.Label)
	at.weight = take("weight", r.Weight)
	at.group = take("group", r.Group)
	at.time = take("time", r.Time)
	at.event = take("event", r.Event)
	at.upper = take("upper", r.Upper)
	for _, column := range r.Start {
		at.start = append(at.start, take("initial score", column))
	}
	for _, column := range r.Ignore {
		take("ignored", column)
	}
	for i := range role {
		both := i == at.time && r.TimeFeature || role[i] != "ignored" && r.Like.uses(s.Fields[i].Name)
		if role[i] == "" || both {
			at.features = append(at.features, i)
		}
	}
	return at, err
}

// expand makes numeric columns of the dates and texts among the features.
func (r *Roles) expand(features *Frame) (*Frame, error) {
	features, err := features.withTexts(r.Texts)
	if err != nil {
		return nil, err
	}
	expanded, err := Expand(features, r.Like)
	if err != nil {
		return nil, err
	}
	for i := range features.Columns {
		field := &features.Schema.Fields[i]
		if field.Kind != Date && field.Kind != Text || field.Kind == Text && r.Like.hasTexts() {
			continue // of a model's texts nothing is new
		}
		var names []string
		for _, made := range expanded.Schema.madeOf(field.Name) {
			names = append(names, made.Name)
		}
		if more := len(names) - maxListed; more > 0 {
			names = append(names[:maxListed], fmt.Sprintf("and %d more", more))
		}
		r.Log("column %q holds %ss and becomes %s", field.Name, field.Kind,
			strings.Join(names, ", "))
	}
	return expanded, nil
}

func unknownColumn(what, column string, s *Schema) error {
	names := s.Names()
	if meant := param.Meant(": ", column, names); meant != "" {
		return fmt.Errorf("the table has no %s column %q%s", what, column, meant)
	}
	if len(names) <= maxListed {
		return fmt.Errorf("the table has no %s column %q: its columns are %s", what, column,
			quoteList(names))
	}
	return fmt.Errorf("the table has no %s column %q among its %d columns", what, column,
		len(names))
}

// readTarget reads the label column into t and returns the table of the labeled rows, which is f
// itself unless rows were dropped; then it lists those that are left.
func (r *Roles) readTarget(
	t *Target, f *Frame, column int,
) (labeled *Frame, left []int32, err error) {
	l, err := readLabels(f, column)
	if err != nil {
		return nil, nil, err
	}
	t.Format = f.Schema.Fields[column].Format
	if unused := l.rename(r.Rename); r.part != nil {
		r.part.unused = unused
	} else {
		r.noteUnused(unused)
	}
	kept := l.labeled()
	if missing := f.Rows() - len(kept); missing > 0 {
		if !r.DropUnlabeled {
			return nil, nil, newUnlabeledError(f, l.name, kept)
		}
		if len(kept) == 0 && r.part == nil {
			return nil, nil, noLabelError(l.name)
		}
		r.noteDropped(missing)
		f, left = f.Subset(kept), kept
		l.num, l.code = Pick(l.num, kept), Pick(l.code, kept)
	}
	for row, v := range l.num {
		if math.IsInf(v, 0) {
			return nil, nil, fmt.Errorf("%s: the label in column %q is infinite",
				f.Locate(row), l.name)
		}
	}
	return f, left, r.take(t, f, &l, nil)
}

// noteUnused notes old values of labels that no label has.
func (r *Roles) noteUnused(unused []string) {
	for _, old := range unused {
		r.Log("no label in column %q has the value %q that is to be renamed", r.Label, old)
	}
}

func (r *Roles) noteDropped(rows int) {
	r.Log("left out %d rows without a label in column %q", rows, r.Label)
}

func noLabelError(column string) error {
	return fmt.Errorf("no row has a label in column %q", column)
}

// take fills the target with labels, each of so many rows; nil = 1.
func (r *Roles) take(t *Target, f *Frame, l *labels, times []int) error {
	if r.RareLast && !l.known(r.Classes) {
		r.Classes = nil
	}
	if err := r.decide(t, f, l); err != nil {
		return err
	}
	if r.RareLast && r.Classes == nil && t.Task == Binary {
		r.rareLast(t, times)
	}
	if r.Positive != "" {
		return t.namePositive(r.Positive)
	}
	return nil
}

// rareLast exchanges two classes where the second has more rows. Each label is one of so many rows;
// nil = 1.
func (r *Roles) rareLast(t *Target, times []int) {
	second, all := 0, 0
	for i, c := range t.Class {
		n := 1
		if times != nil {
			n = times[i]
		}
		second, all = second+int(c)*n, all+n
	}
	if 2*second > all {
		second = all - second
		t.Classes = []string{t.Classes[1], t.Classes[0]}
		class := make([]uint32, len(t.Class))
		for i, c := range t.Class {
			class[i] = 1 - c
		}
		t.Class = class
	}
	r.Log("the rarer value of the label %q, %q in %d of %d rows, is taken for the anomaly", t.Name,
		t.Classes[1], second, all)
}

// unlabeledError reports rows without a label.
type unlabeledError struct {
	first  string // where the first one is
	column string
	rows   int
}

func (e *unlabeledError) Error() string {
	if e.rows > 1 {
		return fmt.Sprintf(option.Expand("%s: no label in column %q (%d such rows): {drop-unlabeled} ")+
			"leaves them out", e.first, e.column, e.rows)
	}
	return fmt.Sprintf(option.Expand("%s: no label in column %q: {drop-unlabeled} leaves the row out"),
		e.first, e.column)
}

// newUnlabeledError names the first row that is not among the labeled ones.
func newUnlabeledError(f *Frame, column string, labeled []int32) error {
	first := len(labeled)
	for i, row := range labeled {
		if int(row) != i {
			first = i
			break
		}
	}
	return &unlabeledError{f.Locate(first), column, f.Rows() - len(labeled)}
}

// readWeights checks the weights; the column itself becomes Target.Weight.
func readWeights(f *Frame, column int) ([]float64, error) {
	field, c := &f.Schema.Fields[column], &f.Columns[column]
	if field.Kind != Numeric {
		return nil, notNumeric(f, column, "weight")
	}
	weights := c.Numbers()
	return weights, checkWeights(f, weights, inColumn(field.Name))
}

func inColumn(name string) string { return fmt.Sprintf(" in column %q", name) }

// checkWeights checks the weight of each row of a table. place is where they are, for messages.
func checkWeights(f *Frame, weight []float64, place string) error {
	for row, w := range weight {
		what := ""
		switch {
		case math.IsNaN(w):
			what = "missing"
		case math.IsInf(w, 0):
			what = "infinite"
		case w < 0:
			what = "negative"
		default:
			continue
		}
		return fmt.Errorf("%s: the weight%s is %s", f.Locate(row), place, what)
	}
	return nil
}

// checkWeightSum checks the sum of the weights of a table.
func checkWeightSum(sum float64, place string) error {
	switch {
	case sum == 0:
		return fmt.Errorf("all weights%s are zero", place)
	case math.IsInf(sum, 0):
		return fmt.Errorf("the weights%s have a sum that no number holds: divide them all "+
			"by one number", place)
	}
	return nil
}

// Weighted returns the data set with another observation weight for each row: finite, not negative,
// not all zero. The columns are shared.
func (d *Dataset) Weighted(weight []float64) (*Dataset, error) {
	if len(weight) != d.Rows() {
		return nil, fmt.Errorf("%d weights for %d rows", len(weight), d.Rows())
	}
	if err := checkWeights(d.Frame, weight, ""); err != nil {
		return nil, err
	}
	if err := checkWeightSum(kernel.Sum(weight), ""); err != nil {
		return nil, err
	}
	own := *d
	own.Target.Weight, own.Target.Roles.Weight = weight, ""
	return &own, nil
}

// notNumeric names the first text of a categorical column that is no number, or reports that the
// column holds dates or was requested to be categorical.
func notNumeric(f *Frame, column int, what string) error {
	field, codes := &f.Schema.Fields[column], f.Columns[column].code
	if field.Kind == Date {
		return fmt.Errorf("%sthe %s column %q holds dates, want numbers", f.place(), what,
			field.Name)
	}
	for row, code := range codes {
		if uint(code) < uint(len(field.Levels)) {
			if _, ok := parseNumber(field.Levels[code]); !ok {
				return fmt.Errorf("%s: the %s in column %q is not a number: %q", f.Locate(row),
					what, field.Name, field.Levels[code])
			}
		}
	}
	return fmt.Errorf("the %s column %q is categorical, want numbers", what, field.Name)
}
