package command

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn/stack"
	"github.com/coppice-ml/coppice/learn/vote"
	"github.com/coppice-ml/coppice/model"
)

// printHoldOut reports the metrics of a stack's members on the out-of-fold rows that trained its
// meta-learner.
func printHoldOut(c *console, spec *model.Spec) {
	var found stack.Summary
	if spec.Learner != stack.Name || json.Unmarshal(spec.Summary, &found) != nil {
		return
	}
	if found.HoldOut == 0 {
		c.printf("\nToo few rows, groups or times for out-of-fold predictions: all members have equal weights.\n")
		return
	}
	g := grid{columns: []column{{name: "member"}, {name: "learner"}, {name: found.Metric, right: true}}}
	weighed := found.Members[0].Weight != nil
	if weighed {
		g.columns = append(g.columns, column{name: "weight", right: true})
	}
	if found.Power != nil {
		g.columns = append(g.columns, column{name: "exponent", right: true})
	}
	for _, m := range found.Members {
		row := []string{humanize.Name(m.Name), humanize.Name(m.Learner), "-"}
		if m.Loss != nil {
			row[2] = humanize.Metric(*m.Loss)
		}
		if weighed {
			row = append(row, humanize.Metric(*m.Weight))
		}
		if found.Power != nil {
			row = append(row, humanize.Metric(*m.Power))
		}
		g.add(row...)
	}
	c.printf("\n")
	g.print(c.out)
	if found.Power != nil {
		c.printf("Temperature scaling: the pooled probabilities have exponent %s%s.\n", humanize.Metric(*found.Power), biasWords(found.Bias, spec.Classes))
	}
	if found.Requested > 0 {
		c.printf("Metrics are out of fold, in %s.\n", foldWords(found.Folds, found.Requested))
	}
	if found.Folds == 0 {
		c.printf("The members were trained on these rows, so these losses are too low.\n")
	}
}

// biasWords reports the factors by which biases multiply class probabilities: the smallest and the
// largest.
func biasWords(bias []float64, classes []string) string {
	if len(bias) != len(classes) || len(bias) == 0 {
		return ""
	}
	least, most := 0, 0
	for k, b := range bias {
		if b < bias[least] {
			least = k
		}
		if b > bias[most] {
			most = k
		}
	}
	return fmt.Sprintf("; class probabilities are multiplied by %s (%s) to %s (%s)", humanize.Metric(math.Exp(bias[least])), humanize.Name(classes[least]), humanize.Metric(math.Exp(bias[most])), humanize.Name(classes[most]))
}

// foldWords counts folds; requested is their requested number where there are fewer, else 0.
func foldWords(folds, requested int) string {
	text := humanize.Count(folds, "fold", "folds")
	if requested > 0 {
		text += fmt.Sprintf(", not %d: there are too few rows, groups or times", requested)
	}
	return text
}

// rankFacts reports the rows that a vote's rank scales are made of; for other models nothing.
func rankFacts(spec *model.Spec) []fact {
	var found vote.Summary
	if spec.Learner != vote.Name || json.Unmarshal(spec.Summary, &found) != nil || found.HoldOut == 0 {
		return nil
	}
	switch {
	case found.Folds == 0 && found.Requested > 0:
		return []fact{{"ranks", fmt.Sprintf("among the %s that members were trained on: too few rows, groups or times for out-of-fold predictions", humanize.Count(found.HoldOut, "row", "rows"))}}
	case found.Folds == 0:
		return nil
	}
	return []fact{{"ranks", fmt.Sprintf("among %s, out of fold in %s", humanize.Count(found.HoldOut, "row", "rows"), foldWords(found.Folds, found.Requested))}}
}
