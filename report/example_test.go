package report_test

import (
	"bytes"
	"context"
	"fmt"
	"log"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/report"
)

// A page with everything that a table allows. It would be written to a file.
func ExampleHTML() {
	type house struct{ Area, Age, Price float64 }
	var houses []house
	for i := range 200 {
		area, age := float64(50+i%40), float64(i*7%30)
		houses = append(houses, house{area, age, 3*area - age})
	}
	frame, err := data.FromStructs(houses)
	if err != nil {
		log.Fatal(err)
	}
	ds, err := data.Label("Price").Apply(frame)
	if err != nil {
		log.Fatal(err)
	}
	ctx := context.Background()
	m, err := coppice.Train(ctx, cart.New(), ds)
	if err != nil {
		log.Fatal(err)
	}

	var page bytes.Buffer
	err = report.HTML(ctx, &page, m, ds, report.Options{Model: "prices", Table: "houses"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(bytes.Contains(page.Bytes(), []byte("<title>Report of prices</title>")))
	// Output: true
}
