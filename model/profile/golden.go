package profile

import (
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
)

// forGolden is the stream of golden rows of a seed.
const forGolden = 0x601d

// Golden returns rows that no table has, with the model's predictions: each value is drawn alone
// from the profile of its column, so that rows reveal no more than the profile. It returns nil
// where the profile has no columns, and where the model refuses a row or predicts no finite number.
func Golden(m model.Model, p *model.Profile, seed uint64) *model.Golden {
	s := &m.Spec().Schema
	g := &model.Golden{Rows: model.GoldenCount(m)}
	if p == nil || len(p.Columns) == 0 || g.Rows == 0 {
		return nil
	}
	all := Sources(s.Fields)
	for r := range g.Rows {
		row := make([]float64, len(s.Fields))
		for i, of := range all {
			c := p.Column(of.Name)
			if c == nil {
				return nil
			}
			drawn := drawing{rng.New(seed, forGolden, uint64(r), uint64(i)), c, p.Rows}
			drawn.fill(row, s.Fields, of)
		}
		g.Values = append(g.Values, row...)
	}
	return g.Predicted(m)
}

// LeastHashes returns the positions of rows that stand for n others: the k with the least hashes,
// all of fewer, ascending.
func LeastHashes(n, k int) []int32 {
	if n <= k {
		return data.AllRows(n)
	}
	return leastHashes(n, k)
}

// drawing draws a value from the profile of a column.
type drawing struct {
	*rng.Stream
	profile *model.ColumnProfile
	rows    int
}

// fill sets the fields of a row that are made of a column.
func (d *drawing) fill(row []float64, fields []data.Field, of Source) {
	f := &fields[of.Field]
	missing := d.Intn(max(1, d.rows)) < d.profile.Missing && f.Missing != data.Refuse
	switch {
	case of.Kind == data.Categorical && missing:
		row[of.Field] = math.NaN()
	case of.Kind == data.Categorical:
		row[of.Field] = d.category(f)
	case of.Kind == data.Numeric && missing:
		row[of.Field] = math.NaN()
	case of.Kind == data.Numeric:
		row[of.Field] = d.number()
	default:
		value := d.number()
		for i := range fields {
			part := &fields[i]
			switch {
			case !part.Derived() || part.Source() != of.Name:
			case part.From != nil && missing:
				row[i] = math.NaN()
			case part.From != nil:
				row[i] = part.From.Of(value)
			case part.Text.Bucket == data.WordCount && missing:
				row[i] = math.NaN()
			case part.Text.Bucket == data.WordCount:
				row[i] = value
			case !missing:
				row[i] = float64(max(0, d.Intn(4)-2)) // counts of n-grams, most of which are 0
			}
		}
	}
}

// number draws a number between two quantiles that follow each other; it is whole if all are.
func (d *drawing) number() float64 {
	n := d.profile.Numbers
	switch {
	case n == nil:
		return 0
	case n.Quantiles == nil:
		return n.Mean
	}
	at := d.Float64() * float64(len(n.Quantiles)-1)
	i := int(at)
	at -= float64(i)
	v := float64(n.Quantiles[i]*(1-at)) + float64(n.Quantiles[i+1]*at)
	if !slices.ContainsFunc(n.Quantiles, func(q float64) bool { return q != math.Trunc(q) }) {
		v = math.Round(v)
	}
	return v
}

// category draws the code of a level: a frequent one in proportion to its rows, else any.
func (d *drawing) category(f *data.Field) float64 {
	if len(f.Levels) == 0 {
		return math.NaN()
	}
	at := d.Intn(max(1, d.rows-d.profile.Missing))
	for _, l := range d.profile.Levels {
		if at -= l.Rows; at < 0 {
			if code := slices.Index(f.Levels, l.Level); code >= 0 {
				return float64(code)
			}
			break
		}
	}
	return float64(d.Intn(len(f.Levels)))
}
