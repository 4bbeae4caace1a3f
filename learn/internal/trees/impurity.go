package trees

import (
	"cmp"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/criterion"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
)

// Judge describes candidates by a criterion.
type Judge struct {
	Frame     *data.Frame
	Rows      *grow.Population // of the node
	Criterion criterion.Definition
	// KnownOnly reports that splits are judged by the rows with a value, whatever becomes of others
	KnownOnly bool
	Chi2      float64 // as tree.Candidates.Chi2

	criterion criterion.Criterion // nil for Values
	order     []int               // positions in Rows, ascending by Y for Values
	whole     []float64           // statistics of all rows
}

// dust is the fraction of a node's impurity, or of scores, up to which a gain is rounding.
const dust = 1e-12

// mostVisits is how often rows may be visited to describe all candidates of a node.
const mostVisits = 200_000_000

// Describe computes the branches of the candidates that an engine listed, and marks the one that a
// tree has at the node. Candidates of criteria in bits get their split information and gain ratio,
// unless the engine has set them.
func (j *Judge) Describe(c *tree.Candidates, t *tree.Tree, node int32) {
	j.begin()
	c.Criterion, c.Chi2 = j.Criterion.Name, j.Chi2
	c.Whole = j.wholeNode()
	for _, list := range c.Columns {
		for k := range list {
			if j.KnownOnly {
				list[k].Missing = tree.MissingMajority
			}
		}
	}
	Choose(c, j.Frame, j.Rows.Rows, t, node, j.judge)
	visits := 0
	for i := range c.Columns {
		visits += len(c.Columns[i]) * len(j.Rows.Rows)
	}
	c.Described = visits <= mostVisits
	none := float64(dust * c.Whole.Impurity * c.Whole.Weight)
	for i, list := range c.Columns {
		for k := range list {
			if math.Abs(list[k].Gain) <= none {
				list[k].Gain, list[k].Ratio = 0, 0
			}
			if one := &list[k]; c.Described || one.Best || one.Chosen {
				j.describe(i, one, c.Whole.Weight)
			}
		}
	}
}

// begin makes what the branches of all candidates share. A deviance takes its sample in ascending
// order of Y, so the rows are put in this order once, and no branch sorts.
func (j *Judge) begin() {
	n := len(j.Rows.Rows)
	j.order = make([]int, n)
	for i := range j.order {
		j.order[i] = i
	}
	width := j.Criterion.Family.Width(j.Rows.Classes)
	if j.Criterion.New != nil {
		j.criterion = j.Criterion.New(width)
	}
	if j.Criterion.Family == criterion.Values {
		slices.SortStableFunc(j.order,
			func(a, b int) int { return cmp.Compare(j.Rows.Y[a], j.Rows.Y[b]) })
	}
	if j.Criterion.Family == criterion.Classes {
		j.whole = make([]float64, width)
		for i, class := range j.Rows.Class {
			j.whole[class] += j.Rows.WeightAt(i)
		}
	}
}

// wholeNode returns what all rows sum up to.
func (j *Judge) wholeNode() tree.Branch {
	return j.branch(func(int) bool { return true })
}

// branch returns what the rows at some positions sum up to.
func (j *Judge) branch(has func(i int) bool) tree.Branch {
	var b tree.Branch
	var sample criterion.Sample
	if j.whole != nil {
		b.Classes = make([]float64, len(j.whole))
	}
	for _, i := range j.order {
		if !has(i) {
			continue
		}
		w := j.Rows.WeightAt(i)
		b.Rows += j.Rows.Multiplicity(i)
		b.Weight += w
		if b.Classes != nil {
			b.Classes[j.Rows.Class[i]] += w
			continue
		}
		sample.Y, sample.Weight = append(sample.Y, j.Rows.Y[i]), append(sample.Weight, w)
	}
	total := []float64{0}
	switch {
	case b.Rows == 0:
	case b.Classes != nil:
		j.criterion.Impurity(total, b.Classes, j.whole)
	default:
		stats := make([]float64, j.Criterion.Family.Width(0))
		nd := j.Criterion.Deviance.Describe(stats, sample)
		total[0], b.Value = nd.Impurity, []float64{nd.Value}
	}
	if b.Weight > 0 {
		b.Impurity = total[0] / b.Weight
	}
	return b
}

// judge computes the gain of a split.
func (j *Judge) judge(feature int, c *tree.Candidate) {
	c.Branches = j.branches(feature, c)
	kept := j.branch(func(i int) bool {
		return Child(c, &j.Frame.Columns[feature], j.Rows.Rows[i]) >= 0
	})
	c.Gain = float64(kept.Impurity * kept.Weight)
	for i := range c.Branches {
		c.Gain -= float64(c.Branches[i].Impurity * c.Branches[i].Weight)
	}
}

// branches returns what the children of a candidate sum up to.
func (j *Judge) branches(feature int, c *tree.Candidate) []tree.Branch {
	column := &j.Frame.Columns[feature]
	child := make([]int, len(j.Rows.Rows))
	for i, row := range j.Rows.Rows {
		child[i] = Child(c, column, row)
	}
	all := make([]tree.Branch, Arity(c, &j.Frame.Schema.Fields[feature]))
	for to := range all {
		all[to] = j.branch(func(i int) bool { return child[i] == to })
	}
	return all
}

// describe completes one candidate, of a node of the given weight.
func (j *Judge) describe(feature int, c *tree.Candidate, weight float64) {
	if c.Branches == nil {
		c.Branches = j.branches(feature, c)
	}
	if j.Chi2 > 0 {
		var table []float64
		for i := range c.Branches {
			table = append(table, c.Branches[i].Classes...)
		}
		if c.PValue = criterion.Independence(table, len(j.whole)); c.PValue > j.Chi2 {
			c.Refused = "chi2"
		}
	}
	if name := j.Criterion.Name; c.SplitInfo > 0 || name != "entropy" && name != "gain_ratio" {
		return
	}
	c.SplitInfo = SplitInfo(c.Branches)
	if c.SplitInfo > 0 {
		c.Ratio = c.Gain / weight / c.SplitInfo
	}
}

// SplitInfo returns the entropy of the weights of branches in bits (Quinlan 1993, section 2.2).
func SplitInfo(branches []tree.Branch) float64 {
	total, info := 0.0, 0.0
	for i := range branches {
		total += branches[i].Weight
	}
	for i := range branches {
		if w := branches[i].Weight; w > 0 && w < total {
			info += float64(w / total * kernel.Log2(total/w))
		}
	}
	return info
}
