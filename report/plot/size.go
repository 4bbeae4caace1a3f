package plot

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/tree/prune"
)

// SizeError is the error of one subtree of a cost-complexity path.
type SizeError struct {
	Leaves          int
	Training, Table float64 // of the rows the tree was trained on; of the rows of the subject
}

// Sizes returns the errors of the subtrees on the tree's own cost-complexity path, from the largest
// to the root alone: of classes the fraction of misclassified weight, or the mean cost if the model
// has costs, else the mean loss by the criterion that the tree was grown by. The path is that of
// training errors, or of impurities if byImpurity. Training errors leave out rows that stop at
// inner nodes (tree.MissingStop). It is prune.ErrNoStats if the tree kept no statistics.
func (s *Subject) Sizes(byImpurity bool) ([]SizeError, error) {
	training, err := s.trainingError()
	if !s.Tree.Leaf.InnerValues() { // inner nodes have no values to become leaves with
		err = prune.ErrNoStats
	}
	if err != nil {
		return nil, fmt.Errorf("%w; the learner cart keeps them", err)
	}
	cost := training
	if byImpurity {
		if cost, err = prune.Impurity(s.Tree); err != nil {
			return nil, err
		}
	}
	path := prune.NewPath(s.Tree, cost, nil)
	sizes := make([]SizeError, len(path.Steps))
	alphas := make([]float64, len(sizes))
	for k, step := range path.Steps {
		sizes[k].Leaves, alphas[k] = step.Leaves, step.Alpha
	}
	parents := s.Tree.Parents()
	for n := range int32(s.Tree.Len()) {
		from, to := path.Levels(alphas, parents[n], n)
		for k := from; k < to; k++ {
			sizes[k].Training += training[n]
		}
	}
	total := 0.0
	for row := range int32(s.Data.Rows()) {
		w := s.Data.Target.WeightAt(row)
		total += w
		for k, l := range s.losses(path, alphas, parents, row) {
			sizes[k].Table += float64(w * l)
		}
	}
	for k := range sizes {
		if sizes[k].Table /= total; !finite(sizes[k].Table) || !finite(sizes[k].Training) {
			return nil, errors.New("errors need training statistics in the tree and positive " +
				"weights in the table")
		}
	}
	return sizes, nil
}

// trainingError is what each node costs on the training rows if it is a leaf.
func (s *Subject) trainingError() ([]float64, error) {
	if costs := s.Spec.Decision.Costs; costs != nil {
		return prune.ExpectedCost(s.Tree, costs)
	}
	return prune.TrainingError(s.Tree)
}

// losses returns what each subtree's prediction costs on a row. A row of which fractions go several
// ways gets the mean of their predictions.
func (s *Subject) losses(path *prune.Path, alphas []float64, parents []int32, row int32) []float64 {
	losses := make([]float64, len(alphas))
	var mixed [][]float64
	s.Tree.Over(s.Data.Columns).Visit(row, func(n int32, region float64, end bool) {
		from, to := path.Levels(alphas, parents[n], n)
		if end {
			from = 0
		}
		if region == 1 {
			for k := from; k < to; k++ {
				losses[k] = s.loss(s.response[n], row)
			}
			return
		}
		if mixed == nil {
			mixed = make([][]float64, len(alphas))
		}
		for k := from; k < to; k++ {
			mixed[k] = s.mix(mixed[k], n, region)
		}
	})
	for k, value := range mixed {
		if value != nil {
			losses[k] = s.loss(s.responder.respond(value), row)
		}
	}
	return losses
}

// mix adds a fraction of the value of node n.
func (s *Subject) mix(mixed []float64, n int32, region float64) []float64 {
	value := s.responder.value(n)
	if mixed == nil {
		mixed = make([]float64, len(value))
	}
	for i, v := range value {
		mixed[i] += float64(region * v)
	}
	return mixed
}

// series is a curve over tree sizes.
type series struct {
	name   string
	leaves []int
	value  []float64
	spread []float64 // half the height of a band around the curve; nil = none
}

func (c *series) add(leaves int, value float64) {
	c.leaves, c.value = append(c.leaves, leaves), append(c.value, value)
}

// sizes is the picture of errors against tree size.
type sizes struct {
	page
	curves []series
	chosen int // leaves of the tree that training chose, 0 = it kept no path
	// error up to which the one-standard-error rule accepts a tree; NaN = another rule
	limit float64
}

// Size draws training error and the error on the subject's rows against the number of leaves, along
// the tree's cost-complexity path. If training kept the path of the tree before pruning, the
// training curve is that one, with the cross-validated error, its standard error and the choice
// made. The errors are those of Sizes.
func Size(w io.Writer, s *Subject) error {
	all, err := s.Sizes(s.found.Path.Cost == "impurity")
	if err != nil {
		return err
	}
	p := &sizes{limit: math.NaN()}
	p.collect(all, &s.found.Path, s.classes())
	p.words(s, all)
	return p.write(w, func(f frame) { p.draw(f, s.lossWords()) })
}

// collect makes the curves.
func (p *sizes) collect(all []SizeError, path *training.Path, classes bool) {
	training, table, validated := series{name: "training error"},
		series{name: "error on this table"},
		series{name: "cross-validated error ± one standard error"}
	for _, e := range all {
		training.add(e.Leaves, e.Training)
		table.add(e.Leaves, e.Table)
	}
	if len(path.Points) > 0 && (path.Cost != "impurity" || !classes) {
		training.leaves, training.value = nil, nil
		for _, e := range path.Points {
			training.add(e.Leaves, e.Cost)
		}
	}
	least := math.Inf(1)
	for _, e := range path.Points {
		if e.Chosen {
			p.chosen = e.Leaves
		}
		if e.Error == nil || e.StdError == nil {
			continue
		}
		validated.add(e.Leaves, *e.Error)
		validated.spread = append(validated.spread, *e.StdError)
		if *e.Error <= least && path.Method == "cv" {
			least = *e.Error
			p.limit = *e.Error + *e.StdError
		}
	}
	p.curves = []series{training, table}
	if len(validated.leaves) > 0 {
		p.curves = append(p.curves, validated)
	}
}

func (p *sizes) words(s *Subject, all []SizeError) {
	p.title = "Error against tree size"
	if s.Spec.Label != "" {
		p.title = s.Spec.Label + ": error against tree size"
	}
	best := all[0]
	for _, e := range all {
		if e.Table <= best.Table {
			best = e
		}
	}
	p.subtitle = fmt.Sprintf("Subtrees on the cost-complexity path. On this table of %s the "+
		"least error is %s, with %s.",
		humanize.Count(s.Data.Rows(), "row", "rows"), humanize.Number(best.Table, 4),
		humanize.Count(best.Leaves, "leaf", "leaves"))
	for i, c := range p.curves {
		p.legend = append(p.legend, entry{lineSample(svg.OkabeIto[i], dashes[i]), c.name})
	}
	if !math.IsNaN(p.limit) {
		p.notes = append(p.notes, "Training chose the smallest tree whose cross-validated error "+
			"is within one standard error of the least (thin line).")
	}
	if most := slices.Max(p.curves[0].leaves); most > all[0].Leaves {
		p.notes = append(p.notes, fmt.Sprintf("The model keeps %s of the %d that were grown: the "+
			"error on this table is known only up to there.",
			humanize.Count(all[0].Leaves, "leaf", "leaves"), most))
	}
}

func (p *sizes) draw(f frame, label string) {
	most := 1
	var heights []float64
	for _, c := range p.curves {
		most = max(most, slices.Max(c.leaves))
		for i, v := range c.value {
			if heights = append(heights, v); c.spread != nil {
				heights = append(heights, v+c.spread[i])
			}
		}
	}
	x, y := countAxis(most), heightAxis(slices.Max(heights))
	g := f.inner(&x, &y, true)
	p.grid(g, &y)
	for i, c := range p.curves {
		if c.spread != nil {
			p.band(&c, &x, &y, svg.OkabeIto[i])
		}
	}
	p.axes(g, &x, &y, "leaves", label)
	if !math.IsNaN(p.limit) {
		p.line(svg.Tenths(10*g.x), y.at(p.limit), svg.Tenths(10*(g.x+g.w)), y.at(p.limit),
			svg.OkabeIto[2], 10, "")
	}
	for _, i := range []int{0, 2, 1} { // dashes stay visible on a line
		if i < len(p.curves) {
			p.curve(&p.curves[i], &x, &y, i)
		}
	}
	if p.chosen > 0 {
		p.choice(g, &x)
	}
}

// choice marks the size that training chose.
func (p *sizes) choice(g frame, x *axis) {
	at := x.at(float64(p.chosen))
	p.line(at, svg.Tenths(10*g.y), at, svg.Tenths(10*(g.y+g.h)), svg.Ink, 12,
		` stroke-dasharray="5 4"`)
	text, anchor, shift := "chosen: "+humanize.Count(p.chosen, "leaf", "leaves"), "start", 8
	if int(at)/10+shift+labelStyle.Width(text) > g.x+g.w {
		anchor, shift = "end", -8
	}
	p.Text(labelStyle, int(at)/10+shift, g.y+14, anchor, text)
}

// band fills what is within the spread of a curve.
func (p *sizes) band(c *series, x, y *axis, colour svg.Colour) {
	var places []place
	for i, n := range c.leaves {
		places = append(places, place{x.at(float64(n)), y.at(c.value[i] + c.spread[i])})
	}
	for i := len(c.leaves) - 1; i >= 0; i-- {
		places = append(places, place{x.at(float64(c.leaves[i])), y.at(c.value[i] - c.spread[i])})
	}
	fmt.Fprintf(p, "<path d=\"%sz\" fill=\"%s\"/>\n", path(places), svg.Tint(colour, 18))
}

// mostDots is the number of sizes on a curve up to which each has a dot.
const mostDots = 25

func (p *sizes) curve(c *series, x, y *axis, i int) {
	var places []place
	for k, n := range c.leaves {
		places = append(places, place{x.at(float64(n)), y.at(c.value[k])})
	}
	stroke(p.Pen, places, svg.OkabeIto[i], 25, dashes[i])
	if slices.ContainsFunc(p.curves, func(c series) bool { return len(c.leaves) > mostDots }) {
		return
	}
	for _, at := range places {
		dot(p.Pen, at.x, at.y, i, svg.OkabeIto[i], svg.White)
	}
}
