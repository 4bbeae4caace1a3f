package rounds

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/internal/parallel"
)

// Trial is the result of a candidate on a fold. Checkpoints hold it.
type Trial struct {
	Value  float64   `json:"value"`            // the metric at its best round
	Best   int       `json:"best"`             // that round
	Rounds int       `json:"rounds"`           // trained
	Blocks []float64 `json:"blocks,omitempty"` // the metric there, of blocks of the validation set
	Work   float64   `json:"work"`             // of the rounds
	Cut    bool      `json:"cut,omitempty"`    // the budget ended it
	Behind bool      `json:"behind,omitempty"` // it ended because the default was clearly ahead
	Failed bool      `json:"failed,omitempty"` // training ended with an error
	Checks []Check   `json:"checks,omitempty"` // of the default
	done   bool
}

// place is a candidate on a fold, and the work that its trial may take.
type place struct {
	candidate *Candidate
	fold      int
	limit     float64
}

// trial is the result of a trial.
func (p *place) trial() *Trial { return &p.candidate.trials[p.fold] }

// places returns the trials of a candidate on folds, each with a limit on its work.
func (r *Race) places(c *Candidate, from, to int, limit float64) []place {
	if c.trials == nil {
		c.trials = make([]Trial, len(r.Folds))
	}
	var all []place
	for fold := from; fold < to; fold++ {
		all = append(all, place{c, fold, limit})
	}
	return all
}

// config is the training of a trial.
func (r *Race) config(p place, most, workers int) Config {
	c := Config{Settings: p.candidate.Settings, Fold: p.fold, Rate: r.Rate, Rounds: most,
		Patience: r.atRate(rehearsalStops), Limit: p.limit, Workers: workers}
	if c.Checked = p.isChecked(r); c.Checked {
		c.Default = r.tried[0].trials[p.fold].Checks
	}
	return c
}

// train carries trials out, all in parallel, and counts their work. Those that a checkpoint has are
// not repeated.
func (r *Race) train(ctx context.Context, places []place) error {
	r.prepare(places)
	most := r.atRate(mostTrialRound)
	if usual := r.tried[0]; usual.trials[0].done {
		most = min(most, mostTimesRounds*usual.mostRounds()+rehearsalStops)
	}
	var open []place
	for _, p := range places {
		if known := r.knownOf(p.candidate, p.fold); known != nil {
			p.candidate.trials[p.fold] = *known
		} else {
			open = append(open, p)
		}
	}
	own := r.own(open)
	workers := parallel.Workers(r.Workers)
	inner := max(1, workers/max(1, len(own)))
	curves, errs := make([]Curve, len(own)), make([]error, len(own))
	parallel.Each(workers, len(own), func(_, i int) {
		curves[i], errs[i] = r.Train(ctx, r.config(own[i], most, inner))
	})
	for i, p := range own {
		t := p.trial()
		*t = curves[i].Trial
		if t.Failed = errs[i] != nil; t.Failed {
			t.Value, t.Blocks = 0, nil
		}
		if p.candidate == r.tried[0] && p.fold == 0 && curves[i].Metric.Name != "" {
			r.Metric = curves[i].Metric
		}
	}
	if ctx.Err() != nil && slices.ContainsFunc(errs, func(err error) bool { return err != nil }) {
		return ctx.Err()
	}
	if err := r.exchange(ctx, open, inner); err != nil {
		return err
	}
	for _, p := range places {
		t := p.trial()
		t.done = true
		r.spent += t.Work
	}
	if len(open) == 0 || r.Observe == nil {
		return nil
	}
	n := 0
	for _, c := range r.tried {
		n += c.folds()
	}
	return r.Observe(n)
}

// prepare counts the work of what trials prepare, and notes their candidates.
func (r *Race) prepare(places []place) {
	if r.prepared == nil {
		r.prepared = map[Prepared]bool{}
	}
	for _, p := range places {
		if what, work := r.Preparation(p.candidate.Settings, p.fold); !r.prepared[what] {
			r.spent += work
			r.prepared[what] = true
		}
		if !slices.Contains(r.tried, p.candidate) {
			r.tried = append(r.tried, p.candidate)
		}
	}
}

// knownOf returns a trial of the checkpoint, nil if it has none of the candidate on the fold.
func (r *Race) knownOf(c *Candidate, fold int) *Trial {
	for i := range r.Known {
		k := &r.Known[i]
		if k.Fold == fold && slices.Equal(k.Settings, c.Settings) {
			t := k.Trial
			t.done = true
			return &t
		}
	}
	return nil
}
