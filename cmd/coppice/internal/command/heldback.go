package command

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/learn/stack"
	"github.com/coppice-ml/coppice/learn/vote"
	"github.com/coppice-ml/coppice/model"
)

// printHoldOut tells of a stack what its members are worth on the rows that the meta-learner
// learned from.
func printHoldOut(c *console, spec *model.Spec) {
	var found stack.Summary
	if spec.Learner != stack.Name || json.Unmarshal(spec.Summary, &found) != nil {
		return
	}
	if found.HoldOut == 0 {
		c.printf("\nToo few rows, groups or times to hold any back: all members count alike.\n")
		return
	}
	g := grid{columns: []column{{name: "on rows that taught the meta-learner"}, {name: "learner"}, {name: found.Metric, right: true}}}
	weighed := found.Members[0].Weight != nil
	if weighed {
		g.columns = append(g.columns, column{name: "weight", right: true})
	}
	if found.Power != nil {
		g.columns = append(g.columns, column{name: "power", right: true})
	}
	for _, m := range found.Members {
		row := []string{plain(m.Name), plain(m.Learner), "-"}
		if m.Loss != nil {
			row[2] = metricText(*m.Loss)
		}
		if weighed {
			row = append(row, metricText(*m.Weight))
		}
		if found.Power != nil {
			row = append(row, metricText(*m.Power))
		}
		g.add(row...)
	}
	c.printf("\n")
	g.print(c.out)
	if found.Power != nil {
		c.printf("The weighted mean of the shares, each to its power, is raised to the power %s%s.\n", metricText(*found.Power), biasWords(found.Bias, spec.Classes))
	}
	if found.Requested > 0 {
		c.printf("Rows were held back in %s.\n", foldWords(found.Folds, found.Requested))
	}
	if found.Folds == 0 {
		c.printf("No row was held back from the members, so these losses are too low.\n")
	}
}

// biasWords tells by how much biases multiply the shares of classes: of the class that loses and of
// the one that gains most.
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
	return fmt.Sprintf(", and each class's share multiplied: by %s (%s) to %s (%s)", metricText(math.Exp(bias[least])), plain(classes[least]), metricText(math.Exp(bias[most])), plain(classes[most]))
}

// foldWords counts folds; asked is how many they were to be where there are fewer, else 0.
func foldWords(folds, requested int) string {
	text := count(folds, "fold", "folds")
	if requested > 0 {
		text += fmt.Sprintf(", not %d: there are rows, groups or times for no more", requested)
	}
	return text
}

// rankFacts tells of a vote by ranks what its members' scales were made of; of others nothing.
func rankFacts(spec *model.Spec) []fact {
	var found vote.Summary
	if spec.Learner != vote.Name || json.Unmarshal(spec.Summary, &found) != nil || found.HoldOut == 0 {
		return nil
	}
	switch {
	case found.Folds == 0 && found.Requested > 0:
		return []fact{{"ranks", fmt.Sprintf("among the %s that members were trained on: there are too few rows, groups or times to hold any back", count(found.HoldOut, "row", "rows"))}}
	case found.Folds == 0:
		return nil
	}
	return []fact{{"ranks", fmt.Sprintf("among %s, held back in %s", count(found.HoldOut, "row", "rows"), foldWords(found.Folds, found.Requested))}}
}
