package report_test

import (
	"fmt"
	escapes "html"
	"regexp"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/report"
)

var scripts = regexp.MustCompile(`(?s)<script.*?</script>`)

// Without its scripts a page has the numbers of each section, and a drawing for each chart.
func TestPageIsCompleteWithoutScripts(t *testing.T) {
	for _, c := range []struct {
		classes  bool
		learner  string
		captions map[string][]string // of charts, by section
	}{
		{true, "gbm", map[string][]string{"errors": {"ROC curve", "Precision and recall", "Gain", "Lift",
			"Calibration: expected error"}, "shap": {"Contributions to the log odds of yes", "age", "plan"},
			"dependence": {"age", "plan", "calls"}, "against": {"Predictions of both models"}}},
		{false, "forest", map[string][]string{"errors": {"Labels and predictions",
			"Residuals by prediction", "Distribution of residuals"},
			"shap": {"Contributions to the prediction of left", "age", "plan"}, "dependence": {"age", "plan"},
			"against": {"Predictions of both models"}, "training": {""}}},
	} {
		ds := table(t, c.classes, false)
		m := train(t, c.learner, ds, "trees=20")
		o := report.Options{Against: &report.Against{Model: train(t, "cart", ds)}}
		page := scripts.ReplaceAllString(html(t, m, ds, o), "")
		for section, captions := range c.captions {
			text := sectionOf(page, section)
			for _, caption := range captions {
				if !regexp.MustCompile(`<figcaption>` + caption + `[^<]*</figcaption><svg [^>]*>\s*` +
					`(?s:.*?)<path d="M`).MatchString(text) {
					t.Errorf("%s: section %s has no chart %q", c.learner, section, caption)
				}
			}
		}
		if n := strings.Count(sectionOf(page, "trees"), `<svg class="tree"`); n != 3 {
			t.Errorf("%s: %d trees are drawn, want 3", c.learner, n)
		}
		if strings.Contains(page, "NaN") || strings.Contains(page, "ZgotmplZ") {
			t.Errorf("%s: the page has a value that cannot be written", c.learner)
		}
		for _, section := range []string{"overview", "errors", "against", "importances"} {
			if strings.Contains(sectionOf(page, section), "balanced_accuracy") {
				t.Errorf("%s: section %s calls a metric by its identifier", c.learner, section)
			}
		}
		for section, numbers := range numbersOf(t, m, ds) {
			text := escapes.UnescapeString(sectionOf(page, section))
			for _, n := range numbers {
				if !strings.Contains(text, n) {
					t.Errorf("%s: section %s does not show %q", c.learner, section, n)
				}
			}
		}
	}
}

// numbersOf returns what sections of a page must show.
func numbersOf(t *testing.T, m interface {
	Outputs() int
}, ds *data.Dataset) map[string][]string {
	t.Helper()
	want := map[string][]string{
		"columns":  {fmt.Sprintf("Columns of the table, of %d rows", ds.Rows()), "calls"},
		"overview": {"3 columns", fmt.Sprint(ds.Rows(), " rows")},
		"trees":    {fmt.Sprint(ds.Rows(), " rows")},
	}
	if ds.Target.Class != nil {
		counts := make([]int, len(ds.Target.Classes))
		for _, class := range ds.Target.Class {
			counts[class]++
		}
		want["columns"] = append(want["columns"], fmt.Sprintf("yes: %d", counts[1]))
		want["errors"] = []string{"balanced accuracy", "log loss", "true positives"}
		return want
	}
	want["errors"] = []string{"RMSE", "the median is"}
	return want
}

// Of many columns, classes and rows a page stays small enough for a mail.
func TestPageStaysSmall(t *testing.T) {
	random := rng.New(5)
	const numbers, classes = 40, 12
	rows := 1500
	if testing.Short() {
		rows = 300
	}
	var columns []data.NamedColumn
	label := make([]string, rows)
	for k := range numbers {
		values := make([]float64, rows)
		for i := range values {
			values[i] = random.Float64()
		}
		columns = append(columns, data.NamedColumn{Name: fmt.Sprintf("measured_quantity_%d", k),
			Values: values})
		if k == 0 {
			for i, v := range values {
				label[i] = fmt.Sprintf("class %d", int(v*classes))
			}
		}
	}
	f, err := data.FromColumns(append(columns, data.NamedColumn{Name: "kind", Values: label})...)
	if err != nil {
		t.Fatal(err)
	}
	ds, err := data.Roles{Label: "kind"}.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	page := html(t, train(t, "forest", ds, "trees=10"), ds, report.Options{})
	const most = 600_000
	if len(page) > most {
		t.Errorf("the page has %d bytes, want at most %d", len(page), most)
	}
	_, scatters, _ := strings.Cut(sectionOf(page, "shap"), "<h3>")
	for _, chart := range strings.Split(sectionOf(page, "errors")+scatters, "<svg") {
		if dots := strings.Count(chart, "h0"); dots > 500 {
			t.Errorf("a chart has %d dots, want at most 500", dots)
		}
	}
}
