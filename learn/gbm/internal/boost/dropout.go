package boost

import (
	"context"
	"slices"

	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/gbm/internal/table"
	"github.com/coppice-ml/coppice/model"
)

// Dropout is how earlier rounds are dropped (Vinayak & Gilad-Bachrach 2015).
type Dropout struct {
	Drop float64 // probability of each round to be dropped
	Most int     // rounds dropped at once; 0 = no limit
	Skip float64 // probability that a round drops none
}

// sample returns the rounds to drop of so many.
func (d *Dropout) sample(rounds int, s *rng.Stream) []int {
	if s.Float64() < d.Skip {
		return nil
	}
	var all []int
	for n := range rounds {
		if s.Float64() < d.Drop {
			all = append(all, n)
		}
	}
	if d.Most > 0 && len(all) > d.Most {
		s.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
		all = all[:d.Most]
		slices.Sort(all)
	}
	return all
}

// earlierRounds is the stage of the rounds before the one that is trained: which of them its scores
// hold.
type earlierRounds interface {
	// drop takes rounds from all scores, of so many that this training has.
	drop(rounds int) error
	// weight returns that of the trees which are grown by a learning rate without those rounds.
	weight(rate float64) float64
	// restore adds what drop took to the scores again, with the weights from now on.
	restore(rate float64)
}

// plainRounds keeps all rounds: the parameter boosting=plain.
type plainRounds struct{}

func (plainRounds) drop(int) error         { return nil }
func (plainRounds) weight(float64) float64 { return 1 }
func (plainRounds) restore(float64)        {}

// dropout drops rounds at random: the parameter boosting=dart. Of d dropped rounds and learning
// rate r, their trees get the factor d/(d+r) and the new ones 1/(d+r). So the new trees, of rate r,
// take the place of one round among d+r.
type dropout struct {
	dart     *Dropout
	seed     uint64
	table    *table.Table
	scores   *scores
	ensemble *ensemble

	// what drop took
	rounds     []int     // of this training, ascending
	raw, valid []float64 // what they add to the scores by matrix row, and of the validation set
}

func newEarlierRounds(s *setup, t *table.Table, sc *scores, e *ensemble) earlierRounds {
	if !s.dart() {
		return plainRounds{}
	}
	return &dropout{dart: s.Config.Dropout, seed: s.Job.Seed, table: t, scores: sc,
		ensemble: e}
}

// drop draws by the number of the round in the whole model, so a training that is resumed does not
// repeat the draws of its beginning. What it takes from the scores is kept: restore adds that very
// sum times a factor, and walks no tree again.
func (d *dropout) drop(rounds int) error {
	e := d.ensemble
	d.rounds = d.dart.sample(rounds, rng.New(d.seed, purposeDrop, uint64(e.before+rounds)))
	if len(d.rounds) == 0 {
		return nil
	}
	dropped := d.trees()
	d.raw = make([]float64, len(d.scores.raw))
	round := func(tree int) int { return e.before + d.rounds[tree/e.width] }
	if err := d.table.AddScores(context.Background(), d.raw, d.table.Rows(), dropped,
		round); err != nil {
		return err
	}
	subtract(d.scores.raw, d.raw)
	d.scores.collect()
	valid := d.scores.valid
	if valid == nil {
		return nil
	}
	d.valid = make([]float64, len(valid.Raw))
	if err := d.table.AddValidScores(d.valid, valid.Rows, dropped); err != nil {
		return err
	}
	subtract(valid.Raw, d.valid)
	return nil
}

// trees returns a model of the trees of the dropped rounds.
func (d *dropout) trees() *model.Ensemble {
	e, m := d.ensemble, d.ensemble.empty()
	for _, n := range d.rounds {
		from, to := e.from(n), e.from(n+1)
		m.Trees = append(m.Trees, e.model.Trees[from:to]...)
		m.Output = append(m.Output, e.model.Output[from:to]...)
		m.Weights = append(m.Weights, e.model.Weights[from:to]...)
	}
	return m
}

func (d *dropout) weight(rate float64) float64 {
	n := float64(len(d.rounds))
	if n == 0 {
		return 1
	}
	return 1 / (n + rate)
}

// restore changes the weights of the dropped trees in the model by the same factor as their part of
// the scores. The two must agree, since the next round takes the scores for what the model
// predicts.
func (d *dropout) restore(rate float64) {
	n := float64(len(d.rounds))
	if n == 0 {
		return
	}
	factor := n / (n + rate)
	addTimes(d.scores.raw, d.raw, factor)
	if d.scores.valid != nil {
		addTimes(d.scores.valid.Raw, d.valid, factor)
	}
	e := d.ensemble
	for _, n := range d.rounds {
		for i := e.from(n); i < e.from(n+1); i++ {
			e.model.Weights[i] *= factor
		}
	}
	d.raw, d.valid = nil, nil
}

func subtract(dst, x []float64) {
	for i, v := range x {
		dst[i] -= v
	}
}

func addTimes(dst, x []float64, factor float64) {
	for i, v := range x {
		dst[i] += float64(v * factor)
	}
}
