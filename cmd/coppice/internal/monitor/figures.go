package monitor

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/cmd/coppice/internal/cli"
	"github.com/coppice-ml/coppice/metric"
)

// figures are what --fail-if may name.
func (o *command) figures() []string {
	names := []string{"rows", "labeled", "flagged", "calibration", "drifted"}
	for _, m := range metric.Table() {
		names = append(names, m.Name)
	}
	for _, id := range o.ids {
		fields := o.models[id].Spec().Schema.Fields
		for i := range fields {
			if name := "psi(" + fields[i].Source() + ")"; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// holds returns the error of a condition that holds for a model of the last window. A model without
// the figures, such as one that has no label yet, is passed over if another one has them.
func (o *command) holds(r *findings) error {
	var undefined error
	last, without := r.last(), 0
	for _, w := range last {
		err := o.FailIfFlag.Holds(w.figure)
		if held := (*cli.HeldError)(nil); errors.As(err, &held) {
			return err
		}
		if err != nil {
			undefined, without = err, without+1
		}
	}
	if without < len(last) {
		return nil
	}
	return undefined
}

// figure returns a figure of a window, or why it has no value.
func (w *window) figure(name string) (float64, error) {
	switch name {
	case "rows":
		return float64(w.Rows), nil
	case "labeled":
		return float64(w.Labeled), nil
	case "flagged":
		return w.Flagged, nil
	case "calibration":
		if w.Calibration == nil {
			return 0, fmt.Errorf("%s has no value: it needs labels, and probabilities of classes", name)
		}
		return *w.Calibration, nil
	case "drifted":
		if w.Drifted == nil {
			return 0, fmt.Errorf("%s has no value: --model names no model with a profile", name)
		}
		return float64(*w.Drifted), nil
	}
	if column, is := strings.CutPrefix(name, "psi("); is {
		for i := range w.Columns {
			if c := &w.Columns[i]; c.Name+")" == column && c.PSI != nil {
				return *c.PSI, nil
			}
		}
		return 0, fmt.Errorf("%s has no value: the column is not logged, or has too few values", name)
	}
	if v, defined := w.Metrics.Get(name); defined {
		return v, nil
	}
	return 0, fmt.Errorf("%s is not defined on the %d rows with labels of the last window", name,
		w.Labeled)
}
