package show

import (
	"strconv"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/cmd/coppice/internal/describe"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
)

// pathReport is the object that show --path --json prints.
type pathReport struct {
	Cost string `json:"cost"` // error or impurity
	// it is the path of the tree before pruning, which training stored
	Grown bool             `json:"grown"`
	Path  []training.Point `json:"path"`
}

// showPath prints the cost-complexity path that training stored, or else that of the tree as it is.
func (o *command) showPath(c *cli.Console, v *describe.View) error {
	e, stored := v.Ensemble, &v.Training.Path
	r := pathReport{Cost: stored.Cost, Grown: true, Path: stored.Points}
	if len(r.Path) == 0 {
		t := e.Trees[o.tree]
		cost, err := pathCost(e, t)
		if err != nil {
			return err
		}
		r = pathReport{Cost: "error"}
		for _, step := range prune.NewPath(t, cost, nil).Steps {
			r.Path = append(r.Path, training.Point{Step: step})
		}
	}
	if o.JSONFlag.JSON {
		return c.JSON(r)
	}
	r.print(c, e.Trees[o.tree])
	return nil
}

// pathCost returns the cost that each node of a tree has as a leaf.
func pathCost(e *model.Ensemble, t *tree.Tree) ([]float64, error) {
	if costs := e.Meta.Decision.Costs; costs != nil && t.Leaf.Kind == tree.Counts {
		return prune.ExpectedCost(t, costs)
	}
	return prune.TrainingError(t)
}

func (r *pathReport) print(c *cli.Console, t *tree.Tree) {
	cost, judged := "training error", "cv error"
	if t.Leaf.Kind != tree.Counts {
		cost, judged = "training squared error", "cv squared error"
	} else if r.Cost == "impurity" {
		cost = "training impurity"
	}
	of := "the tree as it was grown"
	if !r.Grown {
		of = "this tree (training stored no path of the unpruned one)"
	}
	c.Printf("Cost-complexity path of %s: the best subtree for penalties from alpha up.\n\n", of)
	g := cli.Grid{Columns: cli.Numbers("alpha", "leaves", cost)}
	validated := r.Path[0].Error != nil
	if validated {
		g.Columns = append(g.Columns, cli.Numbers(judged, "± se")...)
	}
	g.Columns = append(g.Columns, cli.Column{})
	for _, p := range r.Path {
		row := []string{humanize.Number(p.Alpha, 4), strconv.Itoa(p.Leaves),
			humanize.Metric(p.Cost)}
		if validated {
			row = append(row, humanize.Metric(*p.Error), humanize.Metric(*p.StdError))
		}
		mark := ""
		if p.Chosen {
			mark = "<- chosen"
		}
		g.Add(append(row, mark)...)
	}
	g.Print(c.Out)
}
