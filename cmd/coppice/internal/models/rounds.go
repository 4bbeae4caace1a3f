package models

import (
	"fmt"

	"github.com/spf13/pflag"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/model"
)

// RoundsFlag limits the predictions of a boosted model to its first rounds.
type RoundsFlag struct {
	Rounds int // 0 = the model's own number
	of     int // the rounds of the model, set by Check; 0 = all are used
	given  *pflag.FlagSet
}

// Define defines --rounds.
func (o *RoundsFlag) Define(f *pflag.FlagSet) {
	o.given = f
	f.IntVar(&o.Rounds, "rounds", 0,
		"of a boosted model, use its first `N` rounds (default: all, or those up to the "+
			"best iteration that another tool stored)")
}

// Check refuses the flag for a model without rounds, and numbers out of range.
func (o *RoundsFlag) Check(m model.Model) error {
	if !o.given.Changed("rounds") {
		return nil
	}
	rounds := roundsOf(m)
	switch offset := m.Spec().Roles.Offset; {
	case offset != "":
		return cli.Misusef("--rounds does not go with a model that has an offset: this one has %s",
			humanize.Name(offset))
	case rounds == 0:
		return cli.Misusef("--rounds is for models that were trained in rounds, by %s: this one "+
			"is of %s", humanize.Or(LearnersThat(TrainsInRounds)), m.Spec().Learner)
	case o.Rounds < 1 || o.Rounds > rounds:
		return cli.Misusef("--rounds %d: want a number from 1 to %d, the rounds of the model",
			o.Rounds, rounds)
	}
	o.of = rounds
	return nil
}

// roundsOf returns the number of rounds of a model, 0 if it has none.
func roundsOf(m model.Model) int {
	if e := m.Describe().Ensemble; e != nil && e.Origin != nil {
		return e.NumRounds()
	}
	return catalog.Training(m).Rounds
}

// Requested reports how many of the rounds are used. It is empty if all are.
func (o *RoundsFlag) Requested() []cli.Fact {
	if o.Rounds == 0 {
		return nil
	}
	return []cli.Fact{{Name: "rounds", Text: fmt.Sprintf("the first %d of %d", o.Rounds, o.of)}}
}
