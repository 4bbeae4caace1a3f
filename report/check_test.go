package report_test

import (
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report"
)

// The section marks what is unlike the training rows, and names what it cannot compare.
func TestTableBesideTrainingRows(t *testing.T) {
	ds := table(t, true, false)
	m := train(t, "cart", ds)
	section := func(ds *data.Dataset) string { return sectionOf(html(t, m, ds, report.Options{}), "check") }
	if same := section(ds); !strings.Contains(same, "<p>No drift.</p>") || strings.Contains(same, "<mark>") ||
		!strings.Contains(same, "label left") || !strings.Contains(same, "stores no predictions") {
		t.Error(same)
	}
	older := *ds
	age := make([]float64, ds.Rows())
	for i, v := range ds.Columns[0].Numbers() {
		age[i] = v + 40
	}
	var err error
	older.Frame, err = data.NewFrame(ds.Schema, append([]data.Column{data.Numbers(age)}, ds.Columns[1:]...))
	if err != nil {
		t.Fatal(err)
	}
	m.Spec().Evaluations = []model.Evaluation{{Origin: model.OfTest, Rows: 90, Positive: "yes",
		Metrics: []model.Evaluated{{Name: "accuracy", Value: 1, Low: new(0.99), High: new(1.0)}}}}
	drifted := section(&older)
	first, rest, _ := strings.Cut(drifted, `<th scope="row">age</th>`)
	for _, want := range []string{"<p>1 of 3 columns drifted.</p>", "test, 90 rows", "the distribution changed; 85.2% outside"} {
		if !strings.Contains(drifted, want) {
			t.Errorf("%q is not in %s", want, drifted)
		}
	}
	if strings.Contains(first, "calls") || !strings.Contains(rest, "calls") || strings.Count(rest, "<mark>") != 2 {
		t.Errorf("the shifted column and accuracy are to be marked: %s", drifted)
	}
	if none := section(nil); !strings.Contains(none, "A table is missing") {
		t.Error(none)
	}
	m.Spec().Profile = nil
	if none := section(ds); !strings.Contains(none, "coppice profile MODEL DATA") {
		t.Error(none)
	}
}
