package coppice_test

import (
	"context"
	"fmt"
	"log"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/gbm"
)

// Customer is a row of a table. Tags name the columns, else the fields do.
type Customer struct {
	Age   float64 `coppice:"age"`
	Plan  string  `coppice:"plan"`
	Calls *int    `coppice:"calls"` // nil is a missing value
	Churn string  `coppice:"churn"`
}

// Train on structs, predict a struct, by name. A Predictor is safe for concurrent use.
func Example() {
	ctx, customers := context.Background(), customers(400)

	m, err := coppice.TrainStructs(ctx, gbm.New(), customers, data.Label("churn"))
	check(err)
	p, err := coppice.NewPredictor[Customer](m) // checks the fields against the schema, once
	check(err)
	y, err := p.Predict(Customer{Age: 23, Plan: "monthly"})
	check(err)
	fmt.Printf("%s, %.2f\n", y.Class, y.Probability("yes"))

	rare, err := p.Predict(Customer{Age: 61, Plan: "lifetime"}) // an unseen category
	check(err)
	fmt.Println(rare.Class)

	err = p.PredictInto(&y, &customers[0]) // allocates nothing
	check(err)
	fmt.Println(y.Class)
	// Output:
	// yes, 0.96
	// no
	// no
}

// customers makes n customers: the young ones with a monthly plan leave.
func customers(n int) []Customer {
	rows := make([]Customer, n)
	for i := range rows {
		age, calls := 18+i*13%50, i*7%10
		rows[i] = Customer{Age: float64(age), Plan: []string{"yearly", "monthly"}[i%2], Calls: &calls, Churn: "no"}
		if age < 35 && i%2 == 1 || i%17 == 5 {
			rows[i].Churn = "yes"
		}
	}
	return rows
}

// check ends the program on an error.
func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
