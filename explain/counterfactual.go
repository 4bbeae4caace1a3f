package explain

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/model"
)

// CounterfactualOptions are the choices of Counterfactual. The zero value looks for any other
// class, changes any column, and takes as long as a proof takes.
type CounterfactualOptions struct {
	// Class is the wanted class; "" = any other than the predicted one.
	Class string
	// Above and Below are for models of numbers, where one of them is needed: the prediction must
	// be greater, or less.
	Above, Below *float64
	// Like has the rows whose values are possible; nil = the table of the row.
	Like *data.Frame
	// Fix names features, or date columns, that keep their values.
	Fix     []string
	Workers int // goroutines; 0 = one per processor. An exact result is the same for any number
	// Limit ends the search with the best change that was found; 0 = none. What is found within a
	// limit depends on the machine, unless it is exact.
	Limit time.Duration
}

// Change is one column of a Counterfactual.
type Change struct {
	Column string  `json:"column"`
	From   any     `json:"from"` // a float64, the string of a level, nil = missing or unseen
	To     any     `json:"to"`   // likewise
	Cost   float64 `json:"cost"` // |change| / interquartile range, or 1
}

// ChangedRow is the result of Counterfactual.
type ChangedRow struct {
	Changes []Change `json:"changes"` // in the order of the model's columns; nil: none was found
	Cost    float64  `json:"cost"`    // sum of those of the changes
	// no possible change has fewer columns, or as many and a lower cost; without Changes, none has
	// the wanted prediction
	Exact  bool      `json:"exact"`
	Ended  bool      `json:"ended"`  // the search ended before the limit
	Before []float64 `json:"before"` // the row's response
	After  []float64 `json:"after"`  // that of the changed row; nil without Changes
}

// Errors of Counterfactual.
var (
	// ErrNoGoal is for models of numbers without a wanted prediction.
	ErrNoGoal = errors.New("a model of numbers needs a wanted prediction, above or below a number")
	// ErrReached is for a row that has the wanted prediction already.
	ErrReached = errors.New("the row has the wanted prediction already")
)

// Counterfactual returns the smallest change of a row of a table that turns its prediction: into
// another class, or a number above or below a wanted one (Wachter, Mittelstadt & Russell 2018,
// "Counterfactual explanations without opening the black box"). The smallest change is of the
// fewest columns, and then of the lowest cost. A number costs its |change| divided by the
// interquartile range of the column in the reference table, or by its range where that is 0. A
// category costs 1, and so do changes to missing and from missing.
//
// Possible values lie between the least and the greatest of the reference, and have no more
// decimals than its numbers, if these have up to 6. Levels are those that occur there and that the
// model has. A value may become missing only where the reference has missing values. Columns of
// dates and texts keep their values. Of changes that cost the same it is the one of the first
// columns.
//
// For models of trees, only split points matter: all numbers between two of them predict the same.
// So the one that is nearest to the row's own stands for all. The search takes one column, then all
// pairs, and so on. It leaves out combinations whose costs exceed the best one so far, and those
// whose trees cannot add up to the wanted prediction, by the best leaf of each tree. If it ends
// before the limit, the result is Exact. Other models, and columns in equations of leaves or in
// splits on several columns, are tried at 32 quantiles of the reference, and are never Exact.
//
// The changed row has been predicted. Errors: a row that the table does not have (*data.RowError),
// those of Bind and Predict for both tables, *ColumnError for Fix, ErrNoGoal, ErrReached, an
// unknown class, a class for a model of numbers or the reverse, models of several numbers, and
// ctx.Err().
func Counterfactual(
	ctx context.Context, m model.Model, f *data.Frame, row int, o CounterfactualOptions,
) (*ChangedRow, error) {
	if err := f.CheckRows([]int32{int32(min(max(row, -1), math.MaxInt32))}); err != nil {
		return nil, err
	}
	g, err := newGoal(m, &o)
	if err != nil {
		return nil, err
	}
	f = expanded(m, f)
	if o.Like == nil {
		o.Like = f
	}
	o.Like = expanded(m, o.Like)
	if o.Like.Rows() == 0 {
		return nil, errNoRows
	}
	if _, err := m.Bind(&o.Like.Schema, model.Options{Workers: 1}); err != nil {
		return nil, err
	}
	changed := &ChangedRow{}
	if changed.Before, err = responseOf(m, f, row); err != nil {
		return nil, err
	}
	if err := g.start(changed.Before); err != nil {
		return nil, err
	}
	s, err := newSearch(m, f, row, g, &o)
	if err != nil {
		return nil, err
	}
	limited := ctx
	if o.Limit > 0 {
		var stop context.CancelFunc
		limited, stop = context.WithTimeout(ctx, o.Limit)
		defer stop()
	}
	if err := s.start(limited, o.Like); err != nil {
		return nil, err
	}
	ended, err := s.run(limited, parallel.Workers(o.Workers))
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	changed.Ended, changed.Exact = ended, ended && s.complete()
	if s.best == nil {
		return changed, nil
	}
	return changed, s.describe(changed, m)
}

// responseOf returns the response of one row.
func responseOf(m model.Model, f *data.Frame, row int) ([]float64, error) {
	p, err := m.Bind(&f.Schema, model.Options{Workers: 1})
	if err != nil {
		return nil, err
	}
	response := make([]float64, p.Width())
	return response, p.Predict(response, f, []int32{int32(row)})
}

// describe fills in what was found.
func (s *search) describe(changed *ChangedRow, m model.Model) error {
	b := s.best
	for i, c := range b.columns {
		x := &s.columns[c]
		changed.Changes = append(changed.Changes,
			Change{x.name, x.from, x.text(b.at[i]), x.cost[b.at[i]]})
	}
	changed.Cost = b.cost
	v := newVariants(s, 1)
	v.set(0, b.columns, b.at)
	var err error
	changed.After, err = responseOf(m, v.frame(1), 0)
	return err
}

// goal is a wanted prediction.
type goal struct {
	spec         *model.Spec
	class        int // -1: any other than own
	own          int
	above, below float64 // of numbers; infinite: no bound
}

func newGoal(m model.Model, o *CounterfactualOptions) (*goal, error) {
	g := &goal{spec: m.Spec(), class: -1, above: math.Inf(-1), below: math.Inf(1)}
	numbers := o.Above != nil || o.Below != nil
	if g.spec.Labels() {
		if numbers {
			return nil, errors.New("a prediction above or below a number is for models of numbers, " +
				"and this one predicts classes")
		}
		if o.Class == "" {
			return g, nil
		}
		for i, name := range g.spec.Classes {
			if name == o.Class {
				g.class = i
				return g, nil
			}
		}
		return nil, fmt.Errorf("the model has no class %q", o.Class)
	}
	switch {
	case o.Class != "":
		return nil, errors.New("a wanted class is for models of classes, and this one predicts numbers")
	case m.Outputs() != 1:
		return nil, fmt.Errorf("a smallest change is for one number, and this model predicts %d",
			m.Outputs())
	case !numbers:
		return nil, ErrNoGoal
	}
	if o.Above != nil {
		g.above = *o.Above
	}
	if o.Below != nil {
		g.below = *o.Below
	}
	if !(g.above < g.below) {
		return nil, fmt.Errorf("no prediction is above %v and below %v", g.above, g.below)
	}
	return g, nil
}

// start notes the prediction of the row.
func (g *goal) start(response []float64) error {
	if g.spec.Labels() {
		g.own = g.spec.Decision.Label(response)
	}
	if g.reached(response) {
		return ErrReached
	}
	return nil
}

// reached reports whether a response is wanted.
func (g *goal) reached(response []float64) bool {
	if !g.spec.Labels() {
		return response[0] > g.above && response[0] < g.below
	}
	label := g.spec.Decision.Label(response)
	if g.class >= 0 {
		return label == g.class
	}
	return label != g.own
}
