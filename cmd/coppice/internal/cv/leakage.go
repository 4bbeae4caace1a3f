package cv

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/tables"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/metric"
)

// leakageReport is the object that cv --check-leakage --json prints.
type leakageReport struct {
	Learner    string          `json:"learner"`
	Parameters json.RawMessage `json:"parameters"`
	Seed       uint64          `json:"seed"`
	Label      string          `json:"label"`
	Rows       int             `json:"rows"`
	Plan       split.Kind      `json:"plan"`
	*eval.LeakageCheck
}

// checkLeaks compares the estimates of a learner on shuffled labels with chance. An estimate that
// is better than chance is an error.
func (o *command) checkLeaks(
	ctx context.Context, l learn.Learner, p *tables.Problem, paths []string, plan *split.Plan,
) error {
	o.Progress.Begin("checking for leakage")
	a, err := eval.CheckLeakage(ctx, l, p.Dataset, plan, o.shuffles, eval.Options{
		Workers: o.Threads, Memory: o.MemoryLimit(), Seed: o.Seed, Env: coppice.Env(o.Threads),
		Observe: func(r learn.Round) error {
			r.Stage = "checking for leakage"
			return o.Progress.Observe(r)
		}})
	if err != nil {
		return cli.Located(err, p.Frame)
	}
	o.Progress.End()
	params, err := json.Marshal(l.Params())
	if err != nil {
		return err
	}
	r := &leakageReport{Learner: o.Choice.Name, Parameters: params, Seed: o.Seed, Label: o.Label,
		Rows: p.Rows(), Plan: plan.Kind, LeakageCheck: a}
	err = o.JSONFlag.Show(o.Console, r, func() { o.printLeaks(r, p, paths, l) })
	if err != nil {
		return err
	}
	var found []string
	for _, e := range a.Leaks() {
		found = append(found, e.Of)
	}
	if len(found) > 0 {
		return fmt.Errorf(
			"labels leak: on shuffled labels the estimate is better than chance on %s",
			strings.Join(found, "; on "))
	}
	return nil
}

// answer is the result in one sentence.
func (r *leakageReport) answer() string {
	for _, e := range r.Estimates {
		if e.Leaks {
			return "Labels leak: after permuting them, an estimate is better than chance."
		}
	}
	return "No leak was found: after permuting the labels, no estimate is better than chance."
}

func (o *command) printLeaks(r *leakageReport, p *tables.Problem, paths []string, l learn.Learner) {
	assigned := "freely"
	if p.Target.Group != nil {
		assigned = "group by group"
	}
	o.Text(r.answer())
	o.Printf("\n")
	o.Facts(p.Facts(paths)...)
	o.Facts(describe.LearnerFact(r.Learner, l.Params()),
		cli.Fact{Name: "shuffles", Text: fmt.Sprintf("%d, labels permuted %s, plan %s, seed %d",
			r.Shuffles, assigned, r.Plan, r.Seed)},
	)
	g := cli.Grid{Columns: []cli.Column{{Name: "estimate on shuffled labels"},
		{Name: metric.Words(r.Metric), Right: true},
		{Name: fmt.Sprintf("%g %% interval", 100*eval.Confidence)}, {Name: "chance", Right: true},
		{Name: "verdict"}}}
	for _, e := range r.Estimates {
		verdict := "at chance"
		switch {
		case e.Leaks:
			verdict = "LEAK: better than chance"
		case e.High < r.Chance:
			verdict = "below chance"
		}
		interval := humanize.Metric(e.Low) + " to " + humanize.Metric(e.High)
		if e.Needed > 0 {
			interval = fmt.Sprintf("none, of %d shuffles", len(e.Values))
			if !e.Leaks {
				verdict = fmt.Sprintf("too few shuffles: use --shuffles %d", e.Needed)
			}
		}
		g.Add(humanize.Name(e.Of), humanize.Metric(e.Mean), interval, humanize.Metric(r.Chance),
			verdict)
	}
	o.Printf("\n")
	g.Print(o.Out)
}
