package gbm

import (
	"errors"
	"reflect"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/sample"
	"github.com/coppice-ml/coppice/param"
)

// Sampling is how the rows of a round are chosen. The zero value takes all rows.
type Sampling struct {
	Way sample.Gradient // one of learn/sample, or one's own; nil: all rows
	// name of a Way of one's own, which models store; those of learn/sample have names
	Name string
}

// allRows is the sampling that takes all rows.
const allRows = "none"

// name returns the name of the way, "" for one of one's own without a name.
func (c *Sampling) name() string {
	switch {
	case c.Name != "":
		return c.Name
	case c.Way == nil:
		return allRows
	}
	for _, e := range sample.GradientTable() {
		if reflect.TypeOf(e.New()) == reflect.TypeOf(c.Way) {
			return e.Name
		}
	}
	return ""
}

// Chosen implements param.Chooser.
func (c *Sampling) Chosen() (string, param.Set) {
	if c.Way == nil {
		return c.name(), nil
	}
	return c.name(), c.Way.Params()
}

// Choose implements param.Chooser.
func (c *Sampling) Choose(name string) (param.Set, func(), error) {
	e, ok := sample.GradientByName(name)
	if !ok {
		return nil, nil, param.Unknown("sampling", name, sample.GradientNames())
	}
	w := e.New()
	return w.Params(), func() { *c = Sampling{Way: w} }, nil
}

// copy returns the choice with a value of its own if it is one of learn/sample; one that has a name
// of the user's own is shared.
func (c *Sampling) copy() (Sampling, error) {
	e, listed := sample.GradientByName(c.name())
	if c.Way == nil || c.Name != "" || !listed {
		return *c, nil
	}
	w := e.New()
	return Sampling{Way: w}, w.Params().Assign(c.Way.Params())
}

// rowSampler is the stage that samples the rows of a round.
type rowSampler struct {
	sampler sample.GradientSampler
	seed    uint64
	rows    *rowMap
	sampled sample.Sampled // of the last round: its memory serves the next
}

// roundRows are the rows that a round is grown on.
type roundRows struct {
	*sample.Sampled         // their positions and factors
	matrix          []int32 // their matrix rows, ascending; nil: all
}

func newRowSampler(s *setup, rows *rowMap) (*rowSampler, error) {
	way := s.config.Sampling
	if s.config.Fraction < 1 {
		way = &sample.Uniform{Fraction: s.config.Fraction}
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

// gradientFree reports whether rows are sampled without their derivatives.
func (s *rowSampler) gradientFree() bool { return sample.GradientFree(s.sampler) }

var errNoRows = errors.New("sampling chose no rows")

// sample chooses the rows of a round, and multiplies their derivatives by the factors of the
// sample.
func (s *rowSampler) sample(d derivatives, round int) (*roundRows, error) {
	g, h := d.all()
	s.sampler.Sample(&s.sampled, g, h, rng.Seed(s.seed, purposeRows, uint64(round)))
	sampled := &roundRows{Sampled: &s.sampled}
	if sampled.All {
		sampled.matrix = s.rows.at
		return sampled, nil
	}
	if len(sampled.Rows) == 0 {
		return nil, errNoRows
	}
	d.scale(sampled)
	sampled.matrix = s.rows.matrixRows(sampled.Rows)
	return sampled, nil
}
