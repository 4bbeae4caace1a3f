package command

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn"
)

// auditReport is the object that cv --check-leakage --json prints.
type auditReport struct {
	Learner    string          `json:"learner"`
	Parameters json.RawMessage `json:"parameters"`
	Seed       uint64          `json:"seed"`
	Label      string          `json:"label"`
	Rows       int             `json:"rows"`
	Plan       data.PlanKind   `json:"plan"`
	*eval.LeakageCheck
}

// auditLeaks compares a learner's estimates with chance on shuffled labels. An estimate that is
// better than chance is an error.
func (o *cvCommand) auditLeaks(ctx context.Context, l learn.Learner, p *problem, paths []string, plan *data.Plan) error {
	o.progress.begin("auditing")
	a, err := eval.CheckLeakage(ctx, l, p.Dataset, plan, o.shuffles, eval.Options{Workers: o.threads, Memory: o.memoryLimit(), Seed: o.seed, Env: coppice.Env(o.threads),
		Observe: func(r learn.Round) error {
			r.Stage = "auditing"
			return o.progress.observe(r)
		}})
	if err != nil {
		return located(err, p.Frame)
	}
	o.progress.end()
	params, err := json.Marshal(l.Params())
	if err != nil {
		return err
	}
	r := &auditReport{Learner: o.learnerFlags.name, Parameters: params, Seed: o.seed, Label: o.label, Rows: p.Rows(), Plan: plan.Kind, LeakageCheck: a}
	if o.jsonFlag.json {
		err = o.console.json(r)
	} else {
		o.printAudit(r, p, paths, l)
	}
	if err != nil {
		return err
	}
	var found []string
	for _, e := range a.Leaks() {
		found = append(found, e.Of)
	}
	if len(found) > 0 {
		return fmt.Errorf("labels leak: on shuffled labels the estimate is better than chance on %s", strings.Join(found, "; on "))
	}
	return nil
}

func (o *cvCommand) printAudit(r *auditReport, p *problem, paths []string, l learn.Learner) {
	assigned := "freely"
	if p.Target.Group != nil && (r.Plan == data.GroupedPlan || r.Plan == data.LeaveOneOutPlan) {
		assigned = "group by group"
	}
	o.facts(
		fact{"data", fmt.Sprintf("%s: %s", pathWords(paths), tableWords(p.Dataset))},
		fact{"label", labelWords(&p.Target, p.Rows())},
		fact{"learner", settingWords(r.Learner, l.Params())},
		fact{"shuffles", fmt.Sprintf("%d, labels permuted %s, plan %s, seed %d", r.Shuffles, assigned, r.Plan, r.Seed)},
	)
	g := grid{columns: []column{{name: "estimate on shuffled labels"}, {name: r.Metric, right: true},
		{name: fmt.Sprintf("%g %% interval", 100*eval.Confidence)}, {name: "chance", right: true}, {name: "verdict"}}}
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
		g.add(humanize.Name(e.Of), humanize.Metric(e.Mean), interval, humanize.Metric(r.Chance), verdict)
	}
	o.printf("\n")
	g.print(o.out)
}
