package model

import (
	"errors"
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/model/internal/engine"
)

// Layout is a way in which an Ensemble keeps its trees for prediction. All have the same results,
// bit for bit, and differ in speed. The zero value leaves the choice to the engine, which is right
// for all uses but measurements. Layouts lists the others.
type Layout uint8

// Layouts returns the layouts that Options may request.
func Layouts() []Layout { return layouts(engine.Layouts()) }

func layouts(of []engine.Layout) []Layout {
	var all []Layout
	for _, l := range of {
		all = append(all, Layout(l))
	}
	return all
}

// String returns the name that ParseLayout reads.
func (l Layout) String() string { return engine.Layout(l).String() }

// ParseLayout reads the name of one of Layouts.
func ParseLayout(name string) (Layout, error) {
	var names []string
	for _, l := range Layouts() {
		if l.String() == name {
			return l, nil
		}
		names = append(names, l.String())
	}
	return 0, fmt.Errorf("unknown layout %q: use %s", name, strings.Join(names, ", "))
}

// LayoutError reports that the trees of an Ensemble do not fit the layout that Options requested.
type LayoutError struct {
	Layout Layout
	Reason string // without the name of the layout
}

func (e *LayoutError) Error() string {
	return fmt.Sprintf("layout %s does not fit the model: %s", e.Layout, e.Reason)
}

// fit compiles a program for the layout that was requested, if any.
func fit(p *engine.Program) error {
	err := p.Fit()
	if unfit := (*engine.Unfit)(nil); errors.As(err, &unfit) {
		return &LayoutError{Layout(unfit.Layout), unfit.Reason}
	}
	return err
}

// LayoutsUsed returns the layouts that a predictor uses for batches of some rows, without
// repetition. One row stands for PredictRow. It returns nil of predictors that no Ensemble made.
func LayoutsUsed(p Predictor, rows int) []Layout {
	own, ok := p.(*predictor)
	if !ok || own.program == nil {
		return nil
	}
	if rows > 1 {
		rows, _ = own.split(rows)
	} else {
		rows = 0
	}
	return layouts(own.program.Uses(rows))
}
