package committee

import (
	"fmt"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Bind matches the columns of the committee and of every member, by name, to those of a table.
// Response is what Combine defines. Raw is the scores of a Sum or Product, else the response. Label
// is the class that the committee's own decision chooses by the response. Leaf is the members'
// leaves, one member after the other, or the error of a member without leaves. Beside an offset it
// is those of the first member alone. Options.Rounds counts members, for each score separately.
// There are no Quantiles.
func (c *Committee) Bind(s *data.Schema, o model.Options) (model.Predictor, error) {
	if o.Output == model.Quantiles {
		return nil, model.ErrNoQuantiles
	}
	return model.BindTexts(&c.Meta.Schema, s, func(s *data.Schema) (model.Predictor, error) {
		return c.bind(s, o)
	})
}

// bind is Bind to a table that has the columns that the committee has of texts.
func (c *Committee) bind(s *data.Schema, o model.Options) (model.Predictor, error) {
	p := &predictor{committee: c, used: c.Used(o.Rounds), workers: o.Workers,
		outputs: c.Outputs(),
		leaf:    o.Output == model.Leaf, label: o.Output == model.Label && c.Meta.Labels(),
		raw: o.Output == model.Raw}
	p.scores = p.outputs
	if c.Combine == Sum {
		p.scores = c.Scores()
		// an ensemble without trees, for its link
		frame := model.Ensemble{Meta: c.Meta, Bias: make([]float64, p.scores), Link: c.Link}
		p.link = frame.Responder()
	}
	wanted := model.Options{Output: model.Response, Workers: 1}
	switch {
	case p.leaf:
		wanted.Output = model.Leaf
		if c.Meta.Roles.Offset != "" { // which the last member adds
			p.used = p.used[:1]
		}
	case c.Combine == Vote:
		wanted.Output = model.Label
	}
	var err error
	if p.guard, err = model.Guard(&c.Meta.Schema, s); err != nil {
		return nil, err
	}
	for _, i := range p.used {
		bound, err := c.Members[i].Bind(s, wanted)
		if err != nil {
			return nil, fmt.Errorf("member %d: %w", i, err)
		}
		p.members = append(p.members, bound)
		p.width += bound.Width() // of leaves
	}
	switch {
	case p.label:
		p.width = 1
	case p.raw:
		p.width = p.scores
	case !p.leaf:
		p.width = p.outputs
	}
	return p, nil
}

// Used returns the places of the first n members of each score, of all if n is 0: those that
// predictions with so many rounds use.
func (c *Committee) Used(n int) []int {
	var used []int
	seen := map[int32]int{}
	for i := range c.Members {
		o := c.output(i)
		if seen[o]++; n <= 0 || seen[o] <= n {
			used = append(used, i)
		}
	}
	return used
}

// predictor is a committee bound to a table.
type predictor struct {
	committee *Committee
	used      []int // places of the members that count, ascending
	guard     model.Predictor
	members   []model.Predictor // those of used
	outputs   int               // of the committee
	scores    int               // before the link
	link      func(dst, raw []float64)
	leaf      bool
	label     bool // of a class, by the committee's decision
	raw       bool
	width     int
	workers   int
	buffers   sync.Pool // of *buffer
}

// Width returns the number of values per row.
func (p *predictor) Width() int { return p.width }

// none are no rows: only the columns of a table are checked.
var none = []int32{}

// Predict predicts rows in blocks, several blocks at a time.
func (p *predictor) Predict(dst []float64, f *data.Frame, rows []int32) error {
	rows = f.Chosen(rows)
	if len(dst) < len(rows)*p.width {
		return &model.SizeError{Want: len(rows) * p.width, Got: len(dst)}
	}
	// before any work, and where there are no rows
	if err := p.guard.Predict(nil, f, none); err != nil {
		return err
	}
	return model.InBlocks(len(rows), p.workers, func(lo, hi int) error {
		block := rows[lo:hi]
		if err := p.guard.Predict(nil, f, block); err != nil {
			return err
		}
		return p.combine(dst[lo*p.width:hi*p.width], len(block),
			func(m model.Predictor, values []float64) error {
				return m.Predict(values, f, block)
			})
	})
}

// PredictRow predicts one row given in the order of the bound schema.
func (p *predictor) PredictRow(dst, row []float64) error {
	return p.one(dst, func(m model.Predictor, values []float64) error {
		return m.PredictRow(values, row)
	})
}

// PredictSparse predicts one row given as values of some columns of the bound schema.
func (p *predictor) PredictSparse(dst []float64, index []int32, value []float64) error {
	return p.one(dst, func(m model.Predictor, values []float64) error {
		return m.PredictSparse(values, index, value)
	})
}

// one predicts one row.
func (p *predictor) one(dst []float64, predict predictFunc) error {
	if len(dst) < p.width {
		return &model.SizeError{Want: p.width, Got: len(dst)}
	}
	if err := predict(p.guard, nil); err != nil {
		return err
	}
	return p.combine(dst[:p.width], 1, predict)
}

// predictFunc predicts some rows by a member.
type predictFunc func(m model.Predictor, values []float64) error

// combine writes the committee's predictions for n rows.
func (p *predictor) combine(dst []float64, n int, predict predictFunc) error {
	b, _ := p.buffers.Get().(*buffer)
	if b == nil {
		b = new(buffer)
	}
	defer p.buffers.Put(b)
	c := call{n, predict, b}
	switch {
	case p.leaf:
		return p.leaves(dst, c)
	case p.raw:
		return p.score(dst, c)
	case !p.label:
		return p.respond(dst, c)
	}
	response := sized(&c.response, n*p.outputs)
	if err := p.respond(response, c); err != nil {
		return err
	}
	for i := range dst {
		dst[i] = float64(p.committee.Meta.Decision.Label(response[i*p.outputs : (i+1)*p.outputs]))
	}
	return nil
}

// leaves writes the leaves of all members beside each other.
func (p *predictor) leaves(dst []float64, c call) error {
	at := 0
	for _, m := range p.members {
		w := m.Width()
		values := sized(&c.values, c.rows*w)
		if err := c.predict(m, values); err != nil {
			return err
		}
		for i := range c.rows {
			copy(dst[i*p.width+at:], values[i*w:(i+1)*w])
		}
		at += w
	}
	return nil
}
