package gbm

import (
	"errors"

	"github.com/coppice-ml/coppice/grow/sample"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/param"
)

// Sampling is how the rows of a round are chosen: by name, or by a value that Go code gives, which
// names it as it likes.
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

// startSampling makes what draws the rows of rounds.
func (b *boost) startSampling() error {
	l := &b.learner
	way := l.Sampling.Way
	if l.Subsample < 1 {
		way = &sample.Uniform{Fraction: l.Subsample}
	}
	if way == nil {
		way = &sample.Everything{}
	}
	var group []int64
	if b.target.Group != nil {
		group = make([]int64, len(b.train.Rows))
		for i, r := range b.train.Rows {
			group[i] = b.target.Group[r]
		}
	}
	var err error
	if b.sampler, err = way.Bind(len(b.train.Rows), group); err != nil {
		return err
	}
	return nil
}

var errNoRows = errors.New("sampling drew no rows")

// draw returns the matrix rows that a round is grown on, ascending; nil = all. It multiplies their
// derivatives by the factors that they were drawn with.
func (b *boost) draw(round int) ([]int32, error) {
	b.sampler.Draw(&b.drawn, b.g, b.h, rng.New(b.Seed, purposeRows, uint64(round)))
	d, n := &b.drawn, len(b.train.Rows)
	if d.All {
		return b.at, nil
	}
	if len(d.Rows) == 0 {
		return nil, errNoRows
	}
	if d.Factor != nil {
		for at := 0; at < len(b.g); at += n {
			for i, r := range d.Rows {
				b.g[at+int(r)] *= d.Factor[i]
				b.h[at+int(r)] *= d.Factor[i]
			}
		}
	}
	if b.at == nil {
		return d.Rows, nil
	}
	rows := make([]int32, len(d.Rows))
	for i, r := range d.Rows {
		rows[i] = b.at[r]
	}
	return rows, nil
}
