package serve

import (
	"context"
	"errors"
	"math"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/model"
)

// changeTime is the longest search for the smallest change of a row.
const changeTime = 2 * time.Second

// reference is a table whose columns are those of training as the profile has them, one by one: the
// values that a changed row may have.
type reference struct {
	frame *data.Frame
	fixed []string // columns of which no values are known
}

// newReference makes the reference of a model. Each quantile occurs equally often, so that the
// quartiles are those of training; the last row is missing where a row of training was.
func newReference(m *Model) (*reference, error) {
	profile := m.spec.Profile
	if profile == nil || len(profile.Columns) == 0 {
		return nil, newProblem(http.StatusUnprocessableEntity, kindModel, "the model stores no "+
			"profile of its training rows, so no change is known to be possible: models of other tools have "+
			"none, and those trained with "+option.Expand("{no-profile}"))
	}
	most := model.ProfileQuantiles * ((model.ProfileLevels + model.ProfileQuantiles - 1) /
		model.ProfileQuantiles)
	rows := make([]rowScratch, most+1)
	for i := range rows {
		rows[i].row = make([]float64, len(m.rows.Schema().Fields))
	}
	r := &reference{}
	for column := range m.rows.Columns() {
		f := m.rows.Field(column)
		c := profile.Column(f.Name)
		known := f.Kind == data.Numeric || f.Kind == data.Categorical
		for i := range rows {
			known = m.put(rows[i].row, column, c, i, most) && known
		}
		if !known {
			r.fixed = append(r.fixed, f.Name)
		}
	}
	var err error
	r.frame, err = data.RowsFrame(m.rows.Schema(), len(rows), func(i int) []float64 { return rows[i].row })
	return r, err
}

// put writes value i of a column of the reference, which has so many and a missing one, and reports
// whether there is one.
func (m *Model) put(row []float64, column int, c *model.ColumnProfile, i, most int) bool {
	m.rows.Missing(row, column)
	switch {
	case c == nil:
		return false
	case i == most && c.Missing > 0:
		return true
	case m.rows.Field(column).Kind == data.Categorical && len(c.Levels) > 0:
		return m.rows.Text(row, column, []byte(c.Levels[i%len(c.Levels)].Level)) == nil
	case m.rows.Field(column).Kind == data.Numeric && c.Numbers != nil && c.Numbers.Quantiles != nil:
		q := c.Numbers.Quantiles
		return m.rows.Number(row, column, q[min(i, most-1)*len(q)/most]) == nil
	}
	return false
}

// changes is how smallest changes of rows are looked for.
type changes struct {
	*reference
	options explain.CounterfactualOptions
}

// giveChanges adds the smallest change to each prediction that turns it into what is wanted: a
// class, or a number as '>5' or '<5'; "" is any other class, or the other side of the median.
func (q *rowRequest) giveChanges(want string) error {
	r, err := q.model.reference()
	if err != nil {
		return err
	}
	q.change = &changes{reference: r}
	o := &q.change.options
	o.Like, o.Fix, o.Limit = r.frame, r.fixed, changeTime
	spec := q.model.spec
	if spec.Labels() {
		if o.Class = want; want != "" && !slices.Contains(spec.Classes, want) {
			return syntaxf("want=%s: the model has the classes %q", want, spec.Classes)
		}
		return nil
	}
	if _, known := q.median(); want == "" && known {
		return nil
	}
	if want == "" {
		return syntaxf("why=1: the model stores no median, so say what to turn it into: want=>5 or want=<5, " +
			"which an address has as %%3E5 or %%3C5")
	}
	bound, err := strconv.ParseFloat(strings.TrimLeft(want, "<>"), 64)
	switch {
	case err != nil || math.IsInf(bound, 0) || math.IsNaN(bound) || want[0] != '<' && want[0] != '>':
		return syntaxf("want=%s: want a bound as >5 or <5, which an address has as %%3E5 or %%3C5",
			want)
	case want[0] == '>':
		o.Above = &bound
	default:
		o.Below = &bound
	}
	return nil
}

// median returns the median of what the model predicts for rows that it was not trained on, of
// several numbers that of model.Spec.Median, or else of the labels of training, if it stores them.
func (q *rowRequest) median() (median float64, known bool) {
	p := q.model.spec.Profile
	columns := p.Predictions
	if columns == nil {
		columns = p.Label
	}
	at := q.model.spec.Median()
	if len(columns) != q.model.bound.Width() || columns[at].Numbers == nil {
		return 0, false
	}
	all := columns[at].Numbers.Quantiles
	if len(all) == 0 {
		return 0, false
	}
	return all[len(all)/2], true
}

// of returns the smallest change of a row; nil: it has the wanted prediction already.
func (c *changes) of(ctx context.Context, q *rowRequest, r *rowScratch) (*explain.ChangedRow, error) {
	f, err := data.RowsFrame(q.model.schema, 1, func(int) []float64 { return r.row })
	if err != nil {
		return nil, err
	}
	o := c.options
	if !q.model.spec.Labels() && o.Above == nil && o.Below == nil {
		if median, _ := q.median(); r.response[q.model.spec.Median()] > median {
			o.Below = &median
		} else {
			o.Above = &median
		}
	}
	changed, err := explain.Counterfactual(ctx, q.model.model, f, 0, o)
	switch {
	case errors.Is(err, explain.ErrReached):
		return nil, nil
	case err != nil && ctx.Err() == nil:
		return nil, newProblem(http.StatusUnprocessableEntity, kindModel,
			"no smallest change is known: "+err.Error())
	case err != nil:
		return nil, err
	}
	for i := range changed.Changes {
		if one := &changed.Changes[i]; one.From == nil && q.model.unknown(r, one.Column) {
			one.From = UnknownCategory // nil is missing
		}
	}
	return changed, nil
}

// appendChange appends the smallest change of a row, and what is predicted then.
func (p *prediction) appendChange(b []byte) []byte {
	b = append(b, '{')
	c := p.change
	if c == nil {
		return append(b, `"reached":true}`...)
	}
	if len(c.Changes) > 0 {
		changed := prediction{model: p.model, response: c.After}
		b = changed.appendPredicted(b)
	}
	b = append(field(b, "changes"), '[')
	for i, one := range c.Changes {
		if i > 0 {
			b = append(b, ',')
		}
		b = appendText(append(b, `{"column":`...), one.Column)
		b = appendValue(append(b, `,"from":`...), one.From)
		b = appendValue(append(b, `,"to":`...), one.To)
		b = append(appendNumber(append(b, `,"cost":`...), one.Cost), '}')
	}
	b = append(b, ']')
	if len(c.Changes) > 0 {
		b = appendNumber(field(b, "cost"), c.Cost)
	}
	if offset := p.model.spec.Roles.Offset; offset != "" {
		b = appendText(field(b, "fixed"), offset)
	}
	return append(strconv.AppendBool(field(b, "exact"), c.Exact), '}')
}

// appendValue appends a number or a level; nil is missing.
func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case float64:
		return appendNumber(b, v)
	case string:
		return appendText(b, v)
	}
	return append(b, "null"...)
}

// changeText is a smallest change as one field: "age 31 -> 35; plan basic -> gold".
func (p *prediction) changeText() string {
	if p.change == nil {
		return ""
	}
	texts := make([]string, len(p.change.Changes))
	for i, c := range p.change.Changes {
		texts[i] = c.Column + " " + valueText(c.From) + " -> " + valueText(c.To)
	}
	return strings.Join(texts, "; ")
}

func valueText(v any) string {
	switch v := v.(type) {
	case float64:
		return numberText(number(v))
	case string:
		return v
	}
	return "missing"
}
