package relations

import (
	"fmt"

	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

func onRounds() []relation {
	return []relation{
		{name: "continuation", says: "A training that stops after 2 rounds and resumes makes the " +
			"model of one that does not stop, byte for byte.",
			lacks: func(c *trial) string {
				if !c.Resume {
					return "the learner does not resume"
				}
				return ""
			}, sides: continued},
		{name: "staged", says: "The first 3 rounds of a model predict what a training of 3 rounds does.",
			lacks: func(c *trial) string {
				if c.rounds() == "" {
					return "the learner has no rounds"
				}
				return ""
			}, sides: staged},
	}
}

// rounds returns the parameter that is the number of rounds, "" if there is none, or if training
// chooses it.
func (c *trial) rounds() string {
	can := c.Capabilities
	for _, name := range []string{"trees", "rounds"} {
		if can.Rounds && !can.ChoosesRounds && c.has(name) {
			return name
		}
	}
	return ""
}

func continued(c *trial) (got, want []float64) {
	t := c.weighed
	var at *learn.Checkpoint
	job := t.job(c.seed)
	calls := 0
	job.Observe = func(r learn.Round) (err error) {
		if r.Checkpoint == nil {
			return nil
		}
		if calls++; calls < 2 {
			return nil
		}
		if at, err = r.Checkpoint(); err != nil {
			return err
		}
		return learn.Stop
	}
	c.train(t, job)
	if at == nil {
		c.Fatal("training offers no checkpoint")
	}
	job = t.job(c.seed)
	job.Start = at
	m := c.train(t, job)
	c.sameBytes(m, c.of(t))
	return c.everywhere(m, t, unchanged), c.everywhere(c.of(t), t, unchanged)
}

func staged(c *trial) (got, want []float64) {
	t := c.weighed.joined() // no validation set chooses the rounds
	all, few := c.fit(t), c.fit(t, fmt.Sprintf("%s=3", c.rounds()))
	return modeltest.Predict(c, all, t.Frame, model.Options{Rounds: 3}, nil), c.predict(few, t.Frame)
}
