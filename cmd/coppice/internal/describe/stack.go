package describe

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/learn/stack"
	"github.com/coppice-ml/coppice/model"
)

// PrintHoldOut reports the metrics of a stack's members on the out-of-fold rows that trained its
// meta-learner.
func PrintHoldOut(c *cli.Console, spec *model.Spec) {
	var found stack.Summary
	if spec.Learner != stack.Name || json.Unmarshal(spec.Summary, &found) != nil {
		return
	}
	if found.HoldOut == 0 {
		c.Printf("\nToo few rows, groups or times for out-of-fold predictions: all members have equal weights.\n")
		return
	}
	g := cli.Grid{Columns: []cli.Column{{Name: "member"}, {Name: "learner"}, {Name: found.Metric, Right: true}}}
	weighed := found.Members[0].Weight != nil
	if weighed {
		g.Columns = append(g.Columns, cli.Column{Name: "weight", Right: true})
	}
	if found.Power != nil {
		g.Columns = append(g.Columns, cli.Column{Name: "exponent", Right: true})
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
		g.Add(row...)
	}
	c.Printf("\n")
	g.Print(c.Out)
	if found.Power != nil {
		c.Printf("Temperature scaling: the pooled probabilities have exponent %s%s.\n", humanize.Metric(*found.Power), biasWords(found.Bias, spec.Classes))
	}
	if found.Requested > 0 {
		c.Printf("Metrics are out of fold, in %s.\n", foldWords(found.Folds, found.Requested))
	}
	if found.Folds == 0 {
		c.Printf("The members were trained on these rows, so these losses are too low.\n")
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
