package command

import (
	"encoding/json"

	"github.com/coppice-ml/coppice/learn/stack"
	"github.com/coppice-ml/coppice/model"
)

// printHeldBack tells of a stack what its members are worth on the rows that the combiner learned from.
func printHeldBack(c *console, spec *model.Spec) {
	var found stack.Summary
	if spec.Learner != stack.Name || json.Unmarshal(spec.Summary, &found) != nil {
		return
	}
	if found.Held == 0 {
		c.printf("\nToo few rows to hold any back: all members count alike.\n")
		return
	}
	g := grid{columns: []column{{name: "on rows that taught the combiner"}, {name: "learner"}, {name: found.Metric, right: true}}}
	weighed := found.Members[0].Weight != nil
	if weighed {
		g.columns = append(g.columns, column{name: "weight", right: true})
	}
	if found.Power != nil {
		g.columns = append(g.columns, column{name: "power", right: true})
	}
	for _, m := range found.Members {
		row := []string{plain(m.Name), m.Learner, "-"}
		if m.Loss != nil {
			row[2] = measure(*m.Loss)
		}
		if weighed {
			row = append(row, measure(*m.Weight))
		}
		if found.Power != nil {
			row = append(row, measure(*m.Power))
		}
		g.add(row...)
	}
	c.printf("\n")
	g.print(c.out)
	if found.Power != nil {
		c.printf("The weighted mean of the shares, each to its power, is raised to the power %s.\n", measure(*found.Power))
	}
	if found.Asked > 0 {
		c.printf("%d folds were asked for, there are rows, groups or times for %d.\n", found.Asked, found.Folds)
	}
	if found.Folds == 0 {
		c.printf("No row was held back from the members, so these losses are too low.\n")
	}
}
