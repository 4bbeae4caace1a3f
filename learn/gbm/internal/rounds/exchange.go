package rounds

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/coppice-ml/coppice/ranks"
)

// own returns those of some trials that a rank carries out: every one of as many as there are
// ranks.
//
//	trials      0   1   2   3   4
//	rank 0      *       *       *      all ranks then get all results
//	rank 1          *       *
func (r *Race) own(open []place) []place {
	g := ranks.Of(r.Ranks)
	var own []place
	for i := g.Rank(); i < len(open); i += g.Size() {
		own = append(own, open[i])
	}
	return own
}

// exchange gets the results of the trials that other ranks have carried out.
func (r *Race) exchange(ctx context.Context, open []place, workers int) error {
	g := ranks.Of(r.Ranks)
	if g.Size() == 1 || len(open) == 0 {
		return nil
	}
	own := []Trial{}
	for _, p := range r.own(open) {
		own = append(own, *p.trial())
	}
	text, err := json.Marshal(own)
	if err != nil {
		return err
	}
	all, err := g.Gather(ctx, text)
	if err != nil {
		return err
	}
	for rank, text := range all {
		var found []Trial
		if err := json.Unmarshal(text, &found); err != nil {
			return fmt.Errorf("the trials of rank %d: %w", rank, err)
		}
		for i := rank; i < len(open); i += len(all) {
			if i/len(all) >= len(found) {
				return fmt.Errorf("rank %d sent %d trials", rank, len(found))
			}
			*open[i].trial() = found[i/len(all)]
		}
	}
	for _, p := range open {
		if p.candidate == r.tried[0] && p.fold == 0 && r.Metric.Name == "" && !p.trial().Failed {
			c := r.config(p, mostTrialRound, workers)
			c.Begin = true
			made, err := r.Train(ctx, c)
			r.Metric = made.Metric
			return err
		}
	}
	return nil
}
