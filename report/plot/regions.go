package plot

import (
	"fmt"
	"io"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
)

// RegionOptions are the choices of Regions. The zero value draws a model, with its first members
// where it has some.
type RegionOptions struct {
	// one numeric column or two, the first to the right; nil = those of Important
	Columns []int
	// numbers of rounds, or of members, ascending: each is a panel of the model with so many; nil =
	// the first members, and the whole model
	Rounds []int
	// numbers of trees, from 0: each is a panel of that tree alone; nil = none. It excludes Rounds.
	Trees []int
	// Reweigh returns the state of the rows of the table after each of some numbers of rounds, of
	// a learner that weighs rows anew in each round. The area of a point is its weight. nil = all
	// points are alike.
	Reweigh func(rounds []int) ([]training.Reweighted, error)
}

// MostPanels is the number of panels that a picture holds: of Rounds, or Trees.
const MostPanels = 8

// Regions draws what a model of any kind predicts over the plane of two numeric columns, or along
// the line of one, with the rows as points. All other columns are fixed at their median or most
// frequent category.
//
// Two columns: regions have the colour of the predicted class, deeper where its probability is
// higher, or of the predicted number, with level lines. One column: the function is a curve, of
// classes one for each. An ensemble is drawn as small multiples: its first members one by one, and
// all together; or the sums of its first rounds, where a member alone predicts nothing. Along a
// line the members' functions stand behind that of the ensemble. Rows without a finite value in a
// column drawn are left out, with a note.
//
// It fails if a column is categorical or named twice, if there are not one or two, and if Rounds or
// Trees are not those of the model.
func Regions(w io.Writer, s *Scene, o RegionOptions) error {
	if o.Columns == nil {
		var err error
		if o.Columns, err = s.important(2); err != nil {
			return err
		}
		if len(o.Columns) == 0 {
			return fmt.Errorf("predictions depend on no numeric column: name one or two")
		}
	}
	if err := checkColumns(s.Spec, o.Columns); err != nil {
		return err
	}
	if err := s.checkPanels(&o); err != nil {
		return err
	}
	r := &regions{Scene: s, columns: o.Columns, fixed: typical(s.Spec, s.Data.Frame)}
	for _, c := range o.Columns {
		r.fixed[c].Numbers()[0] = math.NaN()
	}
	r.chooseRows()
	if err := r.chooseViews(&o); err != nil {
		return err
	}
	if len(o.Columns) == 1 {
		return r.writeLine(w)
	}
	return r.writePlane(w)
}

// checkColumns checks the columns of a plane or a line.
func checkColumns(spec *model.Spec, columns []int) error {
	if len(columns) < 1 || len(columns) > 2 {
		return fmt.Errorf("a partition is drawn over one or two columns, not over %d", len(columns))
	}
	if len(columns) == 2 && columns[0] == columns[1] {
		return fmt.Errorf("column %q is named twice", spec.Schema.Fields[columns[0]].Name)
	}
	for _, c := range columns {
		if f := &spec.Schema.Fields[c]; f.Kind != data.Numeric {
			return fmt.Errorf("column %q is categorical: a partition is drawn over numeric columns",
				f.Name)
		}
	}
	return nil
}

// checkPanels checks the rounds and the trees of options.
func (s *Scene) checkPanels(o *RegionOptions) error {
	n, trees := s.roundCount(), s.treeCount()
	switch {
	case len(o.Rounds) > 0 && len(o.Trees) > 0:
		return fmt.Errorf("a picture is of rounds or of trees, not of both")
	case len(o.Rounds) > MostPanels || len(o.Trees) > MostPanels:
		return fmt.Errorf("%d panels are too many for a picture: name up to %d",
			max(len(o.Rounds), len(o.Trees)), MostPanels)
	case len(o.Rounds) > 0 && n == 0:
		return s.noRounds()
	case len(o.Trees) > 0 && trees == 0:
		return fmt.Errorf("a model of learner %s has no trees of its own", s.Spec.Learner)
	}
	for i, k := range o.Rounds {
		switch {
		case k < 1 || k > n:
			return fmt.Errorf("there is no round %d: the model has the rounds 1 to %d", k, n)
		case i > 0 && k <= o.Rounds[i-1]:
			return fmt.Errorf("round %d follows round %d: want ascending numbers", k, o.Rounds[i-1])
		}
	}
	for _, k := range o.Trees {
		if k < 0 || k >= trees {
			return fmt.Errorf("there is no tree %d: the model has the trees 0 to %d", k, trees-1)
		}
	}
	return nil
}

// mostPoints is the number of points up to which a picture stays readable and small.
const mostPoints = 2500

// regions is the picture of Regions while it is made.
type regions struct {
	page
	*Scene
	columns []int
	fixed   []data.Column
	ends    [2][2]float64 // by column drawn: the least and the greatest value on its axis
	rows    []int32       // those that are drawn
	known   int           // rows that could be
	views   []*view
	behind  []*view // along a line: members behind the first of views
	rounds  bool    // the views are first rounds
	all     int     // members of the model
	alone   bool    // the views are single trees
	weighed bool    // points have the area of their weights
}

func (r *regions) field(i int) *data.Field { return &r.Spec.Schema.Fields[r.columns[i]] }
func (r *regions) name(i int) string       { return columnName(r.field(i)) }

// chooseRows finds the rows with finite values, and the ends of the axes. A few rows far from all
// others would leave these in a corner: where one row of a hundred takes most of an axis, the axis
// ends before them.
func (r *regions) chooseRows() {
	n := r.Data.Rows()
	for i, c := range r.columns {
		r.ends[i] = ends(r.Data.Columns[c].Numbers())
	}
	unknown, beyond := 0, 0
	for row := range n {
		known, within := true, true
		for i, c := range r.columns {
			v := r.Data.Columns[c].Number(row)
			known = known && finite(v)
			within = within && v >= r.ends[i][0] && v <= r.ends[i][1]
		}
		switch {
		case !known:
			unknown++
		case !within:
			beyond++
		default:
			r.rows = append(r.rows, int32(row))
		}
	}
	r.known = len(r.rows)
	if unknown > 0 {
		r.notes = append(r.notes, fmt.Sprintf("Left out: %s without a finite value.",
			humanize.Count(unknown, "row", "rows")))
	}
	if beyond > 0 {
		r.notes = append(r.notes, fmt.Sprintf("Left out: %s beyond the axes.",
			humanize.Count(beyond, "row", "rows")))
	}
}

// ends returns the least and the greatest of the finite values, or those without the farthest
// hundredth at each side where that is less than a third of the axis.
func ends(values []float64) [2]float64 {
	known := make([]float64, 0, len(values))
	for _, v := range values {
		if finite(v) {
			known = append(known, v)
		}
	}
	if len(known) == 0 {
		return [2]float64{}
	}
	slices.Sort(known)
	last := len(known) - 1
	all := [2]float64{known[0], known[last]}
	most := [2]float64{known[last/100], known[last-last/100]}
	if width := mean(most[1], -most[0]); width > 0 && 3*width < mean(all[1], -all[0]) {
		return most
	}
	return all
}

// axisOf returns the axis of a column drawn.
func (r *regions) axisOf(i, ticks int) axis {
	a := span(r.ends[i][:])
	a.markOf(r.field(i), ticks)
	return a
}

// thin leaves every k-th row where there are too many to be told apart.
func (r *regions) thin(most int) {
	every := (len(r.rows) + most - 1) / most
	if every < 2 {
		return
	}
	var some []int32
	for i := 0; i < len(r.rows); i += every {
		some = append(some, r.rows[i])
	}
	r.rows = some
	r.notes = append(r.notes, fmt.Sprintf("Points: %d of %d rows, evenly chosen.", len(some),
		r.known))
}

// The numbers of members and of rounds that are drawn where the caller names none.
const (
	firstMembers       = 5
	lineMembers        = 40 // behind the curve of an ensemble
	lineMembersByClass = 12 // behind those of three classes and more
	lineRounds         = 4  // curves of a line
)

// chooseViews chooses the panels.
func (r *regions) chooseViews(o *RegionOptions) error {
	line, n := len(r.columns) == 1, r.roundCount()
	whole := &view{model: r.Model}
	switch {
	case len(o.Trees) > 0:
		e := r.ensemble()
		for _, i := range o.Trees {
			r.views = append(r.views, treeView(e, i))
		}
		r.alone = true
		return nil
	case len(o.Rounds) == 0 && n > 1 && r.sums():
		o.Rounds = someRounds(n, firstMembers+1)
		if line {
			o.Rounds = someRounds(n, lineRounds)
		}
	}
	if r.rounds = len(o.Rounds) > 0; r.rounds {
		for _, k := range o.Rounds {
			r.views = append(r.views, &view{title: r.after(k), model: r.Model, rounds: k})
		}
		return r.weigh(o, o.Rounds)
	}
	r.views = []*view{whole}
	if r.sums() {
		return nil
	}
	if line {
		most := lineMembers
		if r.classes() && r.Spec.Positive() < 0 { // each member has a curve for each class
			most = lineMembersByClass
		}
		r.behind, r.all = r.members(most)
		return nil
	}
	first, all := r.members(firstMembers)
	r.all = all
	if len(first) == 0 {
		return nil
	}
	r.views = append(first, whole)
	if whole.title = fmt.Sprintf("all %d members", all); all == 1 {
		whole.title = "calibrated"
	}
	var starts []int
	for k := range first {
		starts = append(starts, k)
	}
	return r.weigh(o, append(starts, min(n, all)))
}

// after names the model with its first rounds, or with its first members.
func (s *Scene) after(rounds int) string {
	if s.found.Rounds == 0 {
		return humanize.Count(rounds, "member", "members")
	}
	return "after " + humanize.Count(rounds, "round", "rounds")
}

// someRounds returns up to so many numbers from 1 to n, at even distances of their logarithms.
func someRounds(n, most int) []int {
	var rounds []int
	for i := range most {
		k := kernel.Exp(kernel.Log(float64(n)) * float64(i) / float64(most-1))
		rounds = append(rounds, int(math.Round(k)))
	}
	return slices.Compact(rounds)
}

// weigh gives the views the weights of the rows after some numbers of rounds, one for each view.
func (r *regions) weigh(o *RegionOptions, rounds []int) error {
	if o.Reweigh == nil || r.roundCount() == 0 {
		return nil
	}
	states, err := o.Reweigh(rounds)
	if err != nil {
		return err
	}
	r.weighed = true
	for i, v := range r.views {
		v.weights = make([]float64, r.Data.Rows())
		for row, w := range states[i].Weight {
			v.weights[row] = w * float64(len(v.weights))
		}
		if !r.rounds && i < len(r.views)-1 {
			v.title = fmt.Sprintf("round %d: e %s, α %s", i+1,
				humanize.Number(states[i].Error, 3), humanize.Number(states[i].Vote, 3))
		}
	}
	return nil
}

// wrong returns which rows a view misclassifies, by place in rows; nil where no class is predicted.
func (r *regions) wrong(v *view) ([]bool, error) {
	if !v.classes() || r.Data.Target.Class == nil {
		return nil, nil
	}
	values, width, err := r.predict(v, r.rows)
	if err != nil {
		return nil, err
	}
	decide := &v.model.Spec().Decision
	wrong := make([]bool, len(r.rows))
	for i, row := range r.rows {
		wrong[i] = decide.Label(values[i*width:(i+1)*width]) != int(r.Data.Target.Class[row])
	}
	return wrong, nil
}

// classLegend has an entry for each class.
func (r *regions) classLegend() []entry {
	var all []entry
	for k, name := range r.Data.Target.Classes {
		all = append(all, entry{dotSample(k, svg.ClassColour(k), svg.White), name})
	}
	return all
}
