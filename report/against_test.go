package report_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/report"
)

// pair is the content of the section that compares two models.
type pair struct {
	Facts           []struct{ Name, A, B string }
	Rows, Different int
	Labels          *int
	Metrics         []struct{ Name, Better string }
	Agreement       [][]int
	A, B            [][]float64
	Slices, Most    []struct{ Rows, Row int }
	Importances     []struct{ A, B float64 }
	Classes         []string
	Largest, Mean   float64
}

// The section counts all rows, and lists parameters in which the models differ.
func TestTwoModelsAreCompared(t *testing.T) {
	for _, classes := range []bool{true, false} {
		ds := table(t, classes, false)
		a, b := train(t, "gbm", ds, "trees=20"), train(t, "gbm", ds, "trees=1")
		var r pair
		found(t, a, ds, report.Options{Against: &report.Against{Model: b, Name: "old"}}, "against", &r)
		if !strings.Contains(fmt.Sprint(r.Facts), "{trees 20 1}") {
			t.Errorf("facts %v lack the parameter trees", r.Facts)
		}
		if r.Rows != ds.Rows() || r.Different == 0 || len(r.Metrics) == 0 || len(r.Most) == 0 ||
			len(r.Importances) == 0 {
			t.Errorf("classes %v: %+v", classes, r)
		}
		if classes != (r.Labels != nil) {
			t.Fatalf("classes %v: labels %v", classes, r.Labels)
		}
		sum, different := 0, 0
		for i, line := range r.Agreement {
			for j, n := range line {
				sum += n
				if i != j {
					different += n
				}
			}
		}
		if classes && (sum != r.Rows || different != *r.Labels) {
			t.Errorf("the table of labels %v has %d rows, %d off its diagonal; want %d and %d",
				r.Agreement, sum, different, r.Rows, *r.Labels)
		}
	}
}

// A model compared with itself differs nowhere.
func TestModelEqualsItself(t *testing.T) {
	ds := table(t, true, false)
	m := train(t, "knn", ds)
	var r pair
	found(t, m, ds, report.Options{Against: &report.Against{Model: m}}, "against", &r)
	if r.Different != 0 || *r.Labels != 0 || r.Slices != nil || r.Most != nil || r.Mean != 0 {
		t.Errorf("a model differs from itself: %+v", r)
	}
}

// Without another model the page has no such section, and without a table it names what is missing.
// Models of other classes are an error.
func TestComparisonNeedsTwoModelsAndATable(t *testing.T) {
	ds, numbers := table(t, true, false), table(t, false, false)
	m := train(t, "cart", ds)
	if sectionOf(html(t, m, ds, report.Options{}), "against") != "" {
		t.Error("one model is compared")
	}
	text := sectionOf(html(t, m, nil, report.Options{Against: &report.Against{Model: m}}), "against")
	if !strings.Contains(text, "A table is missing") {
		t.Errorf("the section %q does not name the table", text)
	}
	other := train(t, "cart", numbers)
	var b bytes.Buffer
	err := report.HTML(context.Background(), &b, m, ds,
		report.Options{Model: "new", Against: &report.Against{Model: other, Name: "old"}})
	want := "new has 2 outputs and old has 1"
	if err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("error %v, want %q", err, want)
	}
}

// Each model may read the table in its own way, where the rows are the same.
func TestComparisonWithOtherTable(t *testing.T) {
	ds, numbers := table(t, true, false), table(t, true, false)
	a := train(t, "cart", ds)
	numbers.Schema.Fields[0].Name = "years"
	b := train(t, "gbm", numbers, "trees=3")
	var r pair
	found(t, a, ds, report.Options{Against: &report.Against{Model: b, Data: numbers}}, "against", &r)
	if len(r.Metrics) == 0 || r.Different == 0 {
		t.Errorf("%+v", r)
	}
	short := &data.Dataset{Frame: numbers.Subset([]int32{1, 2})}
	var out bytes.Buffer
	err := report.HTML(context.Background(), &out, a, ds,
		report.Options{Against: &report.Against{Model: b, Data: short}})
	if err == nil || !strings.Contains(err.Error(), "reads 250 rows of the table and gbm reads 2") {
		t.Errorf("error %v", err)
	}
}
