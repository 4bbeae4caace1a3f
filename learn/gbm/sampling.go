package gbm

import (
	"errors"

	"github.com/coppice-ml/coppice/grow/sample"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/param"
)

// Sampling is how the rows of a round are chosen: by name, or by a value that Go code gives, which
// may have any name.
type Sampling struct {
	Name string          // of sample.GradientTable, or of one's own
	Way  sample.Gradient // nil: none

	made sample.Gradient // what Choose made
}

// allRows is the sampling that takes all rows.
const allRows = "none"

// Chosen returns the sampling's name and parameters.
func (c *Sampling) Chosen() (string, param.Set) {
	if c.Way == nil {
		return c.Name, nil
	}
	return c.Name, c.Way.Params()
}

// Choose makes the sampling of a name.
func (c *Sampling) Choose(name string) (param.Set, func(), error) {
	row, ok := sample.GradientByName(name)
	if !ok {
		return nil, nil, param.Unknown("sampling", name, sample.GradientNames())
	}
	w := row.New()
	return w.Params(), func() { *c = Sampling{name, w, w} }, nil
}

// copy returns the choice with a value of its own if it was chosen by name; one that was given as a
// value is shared.
func (c *Sampling) copy() (Sampling, error) {
	if c.Way == nil || c.Way != c.made {
		return *c, nil
	}
	row, _ := sample.GradientByName(c.Name)
	w := row.New()
	return Sampling{c.Name, w, w}, w.Params().Assign(c.Way.Params())
}

// samples reports whether rounds are grown on some of the rows only.
func (l *Learner) samples() bool { return l.Subsample < 1 || l.Sampling.Name != allRows }

// rowSampler is the stage that samples the rows of a round.
type rowSampler struct {
	sampler sample.GradientSampler
	seed    uint64
	rows    *rowMap
	drawn   sample.Sampled // of the last round: its memory serves the next
}

// roundRows are the rows that a round is grown on.
type roundRows struct {
	*sample.Sampled         // their positions and factors
	matrix          []int32 // their matrix rows, ascending; nil: all
}

func newRowSampler(s *setup, rows *rowMap) (*rowSampler, error) {
	l := &s.learner
	way := l.Sampling.Way
	if l.Subsample < 1 {
		way = &sample.Uniform{Fraction: l.Subsample}
	}
	if way == nil {
		way = &sample.Everything{}
	}
	var group []int64
	if s.target.Group != nil {
		group = make([]int64, len(s.rows))
		for i, r := range s.rows {
			group[i] = s.target.Group[r]
		}
	}
	sampler, err := way.Bind(len(s.rows), group)
	return &rowSampler{sampler: sampler, seed: s.job.Seed, rows: rows}, err
}

// blind reports whether rows are sampled without their derivatives.
func (s *rowSampler) blind() bool { return sample.GradientFree(s.sampler) }

var errNoRows = errors.New("sampling drew no rows")

// draw samples the rows of a round, and multiplies their derivatives by the factors of the sample.
func (s *rowSampler) draw(d derivatives, round int) (*roundRows, error) {
	g, h := d.all()
	s.sampler.Sample(&s.drawn, g, h, rng.New(s.seed, purposeRows, uint64(round)))
	drawn := &roundRows{Sampled: &s.drawn}
	if drawn.All {
		drawn.matrix = s.rows.at
		return drawn, nil
	}
	if len(drawn.Rows) == 0 {
		return nil, errNoRows
	}
	d.scale(drawn)
	drawn.matrix = s.rows.matrixRows(drawn.Rows)
	return drawn, nil
}
