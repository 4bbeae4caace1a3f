package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/param"
)

// FlagKind is what of a value training had not.
type FlagKind = param.Enum[flagNames]

// The kinds of flags.
const (
	NewCategory FlagKind = iota // a category that no training row had
	NewMissing                  // a missing value, where no training row missed one
	OutOfRange                  // a number or a date beyond all of the training rows
	flagKinds   = iota
)

type flagNames struct{}

func (flagNames) Enum() (string, []string) {
	return "kind of flag", []string{"new", "missing", "range"}
}

// Flag is a value of a row that training had not.
type Flag struct {
	Column string // of the table: a date, not one of its parts
	Kind   FlagKind
}

// Checks are what prediction does with values that training had not: data.Learned accepts them,
// data.Flag reports them with the prediction, and data.Refuse returns an error. The zero value
// accepts all. New categories are known of every model; missing values and ranges of those that
// store a profile (Spec.Profile). What the schema refuses is refused whatever the checks are.
type Checks struct {
	New, Missing, Range data.Policy
	// Columns are the checks of single columns, by their names in tables, in place of the above.
	// Theirs are not used.
	Columns map[string]Checks
}

// FlagAll are the checks that report all values that training had not.
var FlagAll = Checks{New: data.Flag, Missing: data.Flag, Range: data.Flag}

// policies returns what is done with the values of a column, by kind.
func (c *Checks) policies(column string) [flagKinds]data.Policy {
	if own, has := c.Columns[column]; has {
		c = &own
	}
	return [flagKinds]data.Policy{NewCategory: c.New, NewMissing: c.Missing, OutOfRange: c.Range}
}

// trained is what a column of training had: the values within the limits, and perhaps missing ones.
type trained struct {
	column    string
	features  []int // of the model's schema that are made of it, the first for missing values
	ranged    int   // the one that the limits are of
	low, high float64
	complete  bool           // no training row missed a value
	profile   *ColumnProfile // nil: the model stores none
}

// trainedColumns returns the columns of tables that a model uses. Of a model of trees those that no
// tree uses are left out.
func trainedColumns(m Model) []trained {
	spec := m.Spec()
	fields := spec.Schema.Fields
	uses := func(int) bool { return true }
	if e := m.Describe().Ensemble; e != nil && len(e.Meta.Schema.Fields) == len(fields) {
		used := e.Uses()
		uses = func(i int) bool {
			_, found := slices.BinarySearch(used, int32(i))
			return found
		}
	}
	var all []trained
	place := map[string]int{}
	for i := range fields {
		name := fields[i].Source()
		if at, known := place[name]; known {
			all[at].features = append(all[at].features, i)
		} else if uses(i) {
			place[name] = len(all)
			all = append(all, trained{column: name, features: []int{i}})
		}
	}
	for i := range all {
		all[i].limit(&spec.Schema, spec.Profile)
	}
	return all
}

// limit sets what the profile has of a column. Of dates the limits are of the days, if the model
// has them; of texts there are none.
func (c *trained) limit(s *data.Schema, p *Profile) {
	c.ranged, c.low, c.high = c.features[0], math.Inf(-1), math.Inf(1)
	if c.profile = p.Column(c.column); c.profile == nil {
		return
	}
	c.complete = c.profile.Missing == 0 && p.Rows > 0
	for _, i := range c.features {
		if f := &s.Fields[i]; f.From != nil && f.From.Part == data.Days {
			c.ranged = i
		}
	}
	n, f := c.profile.Numbers, &s.Fields[c.ranged]
	calendar := f.From != nil && f.From.Part != data.Days
	if n == nil || n.Min == nil || n.Max == nil || f.Text != nil || calendar ||
		c.profile.Infinite > 0 {
		return
	}
	c.low, c.high = *n.Min, *n.Max
	if f.From != nil {
		c.low, c.high = f.From.Of(c.low), f.From.Of(c.high)
	}
}

// rows returns how many training rows had a value.
func (c *trained) rows(p *Profile) int { return p.Rows - c.profile.Missing }

// RowChecks finds values that training had not in rows of a schema. It is safe for concurrent use.
type RowChecks struct {
	limits []limit // of each check, apart, since most values need nothing else
	checks []rowCheck
}

// limit has the values of a column that are known without a further look.
type limit struct {
	low, high float64
	at        int // place of the value in a row
}

// rowCheck is a column of rows.
type rowCheck struct {
	by      [flagKinds]data.Policy
	trained *trained
	field   *data.Field     // of the schema that was bound
	numbers *data.CodeIndex // of numbers that are bare codes, and
	known   []bool          // by code of another dictionary: the model has the category
}

// Bind returns the checks for rows of a schema that the model was bound to; nil: all values are
// accepted.
func (c Checks) Bind(m Model, s *data.Schema) *RowChecks {
	fields := m.Spec().Schema.Fields
	r := &RowChecks{}
	all := trainedColumns(m)
	for i := range all {
		t := &all[i]
		x, l := rowCheck{by: c.policies(t.column), trained: t}, limit{low: t.low, high: t.high}
		own := &fields[t.ranged]
		at := s.Index(own.Name)
		if at < 0 && own.From != nil {
			if at = s.Index(t.column); at >= 0 && t.low > math.Inf(-1) { // dates as they were read
				l.low, l.high = *t.profile.Numbers.Min, *t.profile.Numbers.Max
			}
		}
		if at < 0 {
			continue // texts as they were read have no numbers
		}
		l.at, x.field = at, &s.Fields[at]
		if own.Kind == data.Categorical {
			l.low, l.high = x.categories(own), math.Inf(1)
		} else if days := x.field.From; days != nil && t.low > math.Inf(-1) {
			l.low, l.high = days.Of(*t.profile.Numbers.Min), days.Of(*t.profile.Numbers.Max)
		}
		if x.checks(own) {
			r.limits, r.checks = append(r.limits, l), append(r.checks, x)
		}
	}
	if len(r.checks) == 0 {
		return nil
	}
	return r
}

// categories sets how categories are found: by their codes if the dictionary is the model's. It
// returns the least code that is known by itself.
func (x *rowCheck) categories(own *data.Field) (low float64) {
	switch {
	case x.field.Kind != data.Categorical:
		x.numbers = own.CodeIndex()
	case slices.Equal(own.Levels, x.field.Levels):
		return 0
	default:
		index := data.IndexLevels(own)
		for _, level := range x.field.Levels {
			x.known = append(x.known, index.Find(level) != data.UnseenCode)
		}
	}
	return math.Inf(1)
}

// checks reports whether any value of the column is not accepted.
func (x *rowCheck) checks(own *data.Field) bool {
	return own.Kind == data.Categorical && x.by[NewCategory] != data.Learned ||
		x.trained.complete && x.by[NewMissing] != data.Learned ||
		x.trained.low > math.Inf(-1) && x.by[OutOfRange] != data.Learned
}

// Row appends to flags those of a row, in the order of the model's columns. Values are as in
// Predictor.PredictRow. The error is a *ValueError.
func (r *RowChecks) Row(flags []Flag, row []float64) ([]Flag, error) {
	if r == nil {
		return flags, nil
	}
	for i := range r.limits {
		l := &r.limits[i]
		v := row[l.at]
		if v >= l.low && v <= l.high {
			continue
		}
		x := &r.checks[i]
		kind, found := x.find(v)
		if !found {
			continue
		}
		switch x.by[kind] {
		case data.Flag:
			flags = append(flags, Flag{x.trained.column, kind})
		case data.Refuse:
			return flags, x.trained.refusal(kind, v, x.field, -1)
		}
	}
	return flags, nil
}

// find returns what training had not of a value beyond the limits.
func (x *rowCheck) find(v float64) (kind FlagKind, found bool) {
	switch {
	case v != v:
		return NewMissing, x.trained.complete
	case x.numbers != nil:
		return NewCategory, x.numbers.Find(v) < 0
	case x.known != nil:
		return NewCategory, !(v >= 0 && int(v) < len(x.known) && x.known[int(v)])
	case x.field.Kind == data.Categorical:
		return NewCategory, v < 0
	}
	return OutOfRange, true
}

// refusal returns the error of a value of a row, -1 = of none.
func (c *trained) refusal(kind FlagKind, v float64, f *data.Field, row int) error {
	what := "category never seen in training"
	switch kind {
	case NewMissing:
		what = "missing value, and no training row missed one"
	case OutOfRange:
		what = fmt.Sprintf("%s is out of the range of training, %s", numberText(f, v), c.rangeText())
	}
	return &ValueError{Column: c.column, Row: row, What: what}
}

// rangeText describes the range of training.
func (c *trained) rangeText() string {
	n := c.profile.Numbers
	if c.profile.Kind == data.Date {
		return data.DateText(*n.Min) + " to " + data.DateText(*n.Max)
	}
	return humanize.Number(*n.Min, 6) + " to " + humanize.Number(*n.Max, 6)
}

// numberText writes a value of a field: dates as dates.
func numberText(f *data.Field, v float64) string {
	if text, ok := f.DateText(v); ok {
		return text
	}
	return humanize.Exact(v)
}
