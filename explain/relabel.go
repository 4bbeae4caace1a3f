package explain

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// Relabel returns a table with a model's predictions as its label: the predicted classes, or the
// predicted numbers. A tree that is trained on it is a global surrogate of the model (Craven &
// Shavlik 1996, "Extracting tree-structured representations of trained networks"). Its accuracy, or
// r2, on rows that it was not trained on is its fidelity: how well it describes the model.
//
// The table has the model's features alone: of dates and texts their parts. Errors: those of Bind
// and Predict, models whose predictions are no classes and no numbers, and ctx.Err().
func Relabel(
	ctx context.Context, m model.Model, f *data.Frame, workers int,
) (*data.Dataset, error) {
	s := m.Spec()
	target := data.Target{Name: s.Label, Task: s.Task}
	output := model.Response
	switch {
	case s.Task.Classes():
		output, target.Classes = model.Label, s.Classes
	case s.Task == data.Regression && m.Outputs() > 1:
		return nil, fmt.Errorf("a surrogate needs one number for each row, and this model predicts %d",
			m.Outputs())
	case s.Task == data.Regression:
	default:
		return nil, fmt.Errorf("a surrogate needs predicted classes or numbers, not %s", s.Task)
	}
	p, err := m.Bind(&f.Schema, model.Options{Output: output, Workers: workers})
	if err != nil {
		return nil, err
	}
	features, err := Features(m, f)
	if err != nil {
		return nil, err
	}
	width := p.Width()
	predicted := make([]float64, f.Rows()*width)
	if err := p.Predict(predicted, f, nil); err != nil {
		return nil, err
	}
	if output == model.Label {
		target.Class = make([]uint32, f.Rows())
		for row, class := range predicted {
			target.Class[row] = uint32(class)
		}
	} else {
		target.Y = make([][]float64, width)
		for k := range target.Y {
			target.Y[k] = make([]float64, f.Rows())
			for row := range target.Y[k] {
				target.Y[k][row] = predicted[row*width+k]
			}
		}
	}
	return &data.Dataset{Frame: features, Target: target}, ctx.Err()
}
