package data_test

import (
	"fmt"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
)

// A slice of structs becomes a learning problem, and its rows are split for training and test.
func Example() {
	type Visit struct {
		Age    float64 `coppice:"age"`
		Ward   int     `coppice:"ward,categorical"`
		Result string  `coppice:"result"`
	}
	visits := []Visit{{61, 3, "well"}, {48, 3, "ill"}, {70, 1, "well"}, {55, 2, "ill"}}

	frame, err := data.FromStructs(visits)
	if err != nil {
		fmt.Println(err)
		return
	}
	problem, err := data.Roles{Label: "result"}.Apply(frame)
	if err != nil {
		fmt.Println(err)
		return
	}
	train, _, test, err := split.HoldOut{Seed: 1, Test: 0.5}.Dataset(problem)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(problem.Schema.Names(), problem.Target.Task, problem.Target.Classes,
		problem.Target.Class)
	fmt.Println(train.Rows(), test.Rows())
	// Output:
	// [age ward] binary [ill well] [1 0 1 0]
	// 2 2
}
