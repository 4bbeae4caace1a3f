package linear_test

import (
	"context"
	"fmt"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/linear"
	"github.com/coppice-ml/coppice/model"
)

// The coefficients are in the model's description, in the units of the columns.
func ExampleLearner_coefficients() {
	type flat struct{ Area, Rent float64 }
	m, err := coppice.TrainStructs(context.Background(), linear.New(),
		[]flat{{30, 400}, {50, 600}, {80, 900}}, data.Label("Rent"))
	if err != nil {
		panic(err)
	}
	equation := m.Describe().Content.(model.Equation)
	fmt.Printf("%.2f", equation.Constant[0])
	for _, term := range equation.Terms {
		fmt.Printf(" + %.2f * %s", term.Coef[0], term.Name)
	}
	// Output: 100.00 + 10.00 * Area
}
