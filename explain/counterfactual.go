package explain

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/explain/internal/counterfactual"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/model"
)

// CounterfactualOptions are the choices of Counterfactual. The zero value looks for any other
// class, changes any column, and takes as long as a proof takes.
type CounterfactualOptions struct {
	// Class is the wanted class; "" = any other than the predicted one.
	Class string
	// Above and Below are for models of numbers, where one of them is needed: the prediction must
	// be greater, or less. Of several numbers it is that of model.Spec.Median.
	Above, Below *float64
	// Like has the rows whose values are possible; nil = the table of the row.
	Like *data.Frame
	// Fix names features, or date columns, that keep their values. An offset keeps its value, too:
	// an exposure is nothing to change.
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
// unknown class, a class for a model of numbers or the reverse, and ctx.Err().
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
	before, err := responseOf(m, f, row)
	if err != nil {
		return nil, err
	}
	if m.Spec().Labels() {
		g.Own = m.Spec().Decision.Label(before)
	}
	if g.Reached(before) {
		return nil, ErrReached
	}
	if offset := m.Spec().Roles.Offset; offset != "" {
		o.Fix = append(slices.Clone(o.Fix), offset)
	}
	fixed, err := fixedFeatures(m, o.Fix)
	if err != nil {
		return nil, err
	}
	limited := ctx
	if o.Limit > 0 {
		var stop context.CancelFunc
		limited, stop = outside.WithTimeout(ctx, o.Limit, nil)
		defer stop()
	}
	found, err := counterfactual.Smallest(limited, &counterfactual.Task{Model: m, Frame: f, Row: row,
		Goal: g, Like: o.Like, Fixed: fixed, Workers: o.Workers})
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, err
	}
	changed := &ChangedRow{Cost: found.Cost, Exact: found.Exact, Ended: found.Ended, Before: before,
		After: found.After}
	for _, c := range found.Changes {
		changed.Changes = append(changed.Changes, Change(c))
	}
	return changed, nil
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

// fixedFeatures reports by feature of a model whether it keeps its value. A name is that of a
// feature, or of the column of dates or texts that it was made of.
func fixedFeatures(m model.Model, names []string) ([]bool, error) {
	fields := m.Spec().Schema.Fields
	fixed := make([]bool, len(fields))
	for _, name := range names {
		known := false
		for i := range fields {
			if fields[i].Name == name || fields[i].Source() == name {
				fixed[i], known = true, true
			}
		}
		if !known {
			return nil, &ColumnError{Column: name}
		}
	}
	return fixed, nil
}

// newGoal returns the wanted prediction of a model, or why it has none.
func newGoal(m model.Model, o *CounterfactualOptions) (*counterfactual.Goal, error) {
	g := &counterfactual.Goal{Spec: m.Spec(), Class: -1, Above: math.Inf(-1), Below: math.Inf(1)}
	numbers := o.Above != nil || o.Below != nil
	if g.Spec.Labels() {
		if numbers {
			return nil, errors.New("a prediction above or below a number is for models of numbers, " +
				"and this one predicts classes")
		}
		if o.Class == "" {
			return g, nil
		}
		for i, name := range g.Spec.Classes {
			if name == o.Class {
				g.Class = i
				return g, nil
			}
		}
		return nil, fmt.Errorf("the model has no class %q", o.Class)
	}
	switch {
	case o.Class != "":
		return nil, errors.New("a wanted class is for models of classes, and this one predicts numbers")
	case !numbers:
		return nil, ErrNoGoal
	}
	if o.Above != nil {
		g.Above = *o.Above
	}
	if o.Below != nil {
		g.Below = *o.Below
	}
	if !(g.Above < g.Below) {
		return nil, fmt.Errorf("no prediction is above %v and below %v", g.Above, g.Below)
	}
	return g, nil
}
