package boost

import (
	"errors"

	"github.com/coppice-ml/coppice/internal/invariant"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/sample"
)

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

// newRowSampler lets the fraction of rows win over a way of sampling: a fraction below 1 is
// Uniform, and the learner refuses both together. Groups are by position, as samplers number rows.
func newRowSampler(s *setup, rows *rowMap) (*rowSampler, error) {
	way := s.Config.Sampling
	if s.Config.Fraction < 1 {
		way = &sample.Uniform{Fraction: s.Config.Fraction}
	}
	if way == nil {
		way = &sample.Everything{}
	}
	var group []int64
	if s.Target.Group != nil {
		group = make([]int64, len(s.Rows))
		for i, r := range s.Rows {
			group[i] = s.Target.Group[r]
		}
	}
	sampler, err := way.Bind(len(s.Rows), group)
	return &rowSampler{sampler: sampler, seed: s.Job.Seed, rows: rows}, err
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
	if invariant.On {
		s.check(sampled)
	}
	return sampled, nil
}

// check checks what growers take for granted of rows: they ascend, each is there once and in the
// matrix, and has its factor.
func (s *rowSampler) check(sampled *roundRows) {
	last := int32(-1)
	for _, r := range sampled.matrix {
		invariant.Check(r > last && int(r) < s.rows.rows, "matrix row %d of %d follows %d", r,
			s.rows.rows, last)
		last = r
	}
	invariant.Check(sampled.Factor == nil || len(sampled.Factor) == len(sampled.matrix),
		"%d factors of %d rows", len(sampled.Factor), len(sampled.matrix))
}
