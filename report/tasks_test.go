package report_test

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report"
)

// Pages of rankings and of hazards have the metrics beside the stored ones, name what is predicted,
// and call no single row wrong.
func TestPagesOfRankingsAndHazards(t *testing.T) {
	const rows = 240
	r := rng.New(5)
	x, grade, event, query := make([]float64, rows), make([]float64, rows), make([]float64, rows), make([]float64, rows)
	for i := range rows {
		x[i], query[i] = 4*r.Float64(), float64(i/8)
		grade[i], event[i] = 1+math.Floor(x[i]+r.Float64()), float64(i%3&1)
	}
	for _, c := range []struct {
		loss, metric, words, predicted, scale string
		roles                                 data.Roles
	}{
		{"lambdamart", "ndcg@10", "NDCG@10", "score", "Contributions to the score by value",
			data.Roles{Label: "y", Group: "query", Task: data.Ranking}},
		{"cox", "concordance", "concordance", "relative hazard", "Contributions to the log hazard by value",
			data.Roles{Label: "y", Event: "event", Task: data.Survival}},
	} {
		columns := []data.NamedColumn{{Name: "x", Values: x}, {Name: "y", Values: grade}}
		if c.roles.Group != "" {
			columns = append(columns, data.NamedColumn{Name: "query", Values: query})
		} else {
			columns = append(columns, data.NamedColumn{Name: "event", Values: event})
		}
		f, err := data.FromColumns(columns...)
		if err != nil {
			t.Fatal(err)
		}
		ds, err := c.roles.Apply(f)
		if err != nil {
			t.Fatal(err)
		}
		m := train(t, "gbm", ds, "loss="+c.loss, "trees=5")
		m.Spec().Evaluations = []model.Evaluation{{Origin: model.OfTest, Rows: 90,
			Metrics: []model.Evaluated{{Name: c.metric, Value: 0.5, Low: new(0.4), High: new(0.6)}}}}
		page := html(t, m, ds, report.Options{})
		check := sectionOf(page, "check")
		if !strings.Contains(check, `<th scope="row">`+c.words+`</th>`) || strings.Contains(check, "No metrics") {
			t.Errorf("%s: the stored metric is not compared: %s", c.loss, check)
		}
		if rows := sectionOf(page, "rows"); !strings.Contains(rows, "chosen at random") ||
			strings.Contains(rows, ">error<") || strings.Contains(rows, "worst") {
			t.Errorf("%s: single rows are judged: %s", c.loss, rows[:2000])
		}
		if !strings.Contains(sectionOf(page, "dependence"), `data-up="`+c.predicted+`"`) {
			t.Errorf("%s: the dependence is not that of the %s", c.loss, c.predicted)
		}
		if !strings.Contains(sectionOf(page, "shap"), c.scale) {
			t.Errorf("%s: contributions are not to %q", c.loss, c.scale)
		}
		if trees := sectionOf(page, "trees"); strings.Count(trees, "<rect")+strings.Count(trees, "<path") < 20 {
			t.Errorf("%s: nodes of trees have no histograms", c.loss)
		}
	}
}

// Charts of Shapley values show rows of the whole table, also where it is in an order.
func TestChartsShowRowsOfTheWholeTable(t *testing.T) {
	const rows = 900
	x, y := make([]float64, rows), make([]float64, rows)
	for i := range rows {
		x[i], y[i] = float64(i), float64(2*i)
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: x}, data.NamedColumn{Name: "y", Values: y})
	if err != nil {
		t.Fatal(err)
	}
	ds, err := data.Roles{Label: "y"}.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	shap := sectionOf(html(t, train(t, "linear", ds), ds, report.Options{}), "shap")
	swarm, scatter, _ := strings.Cut(shap, "</figure>")
	for name, chart := range map[string]string{"swarm": swarm, "scatter": scatter} {
		_, ends, _ := strings.Cut(chart, `data-x="`)
		ends, _, _ = strings.Cut(ends, `"`)
		words := strings.Fields(ends)
		if len(words) != 5 || !strings.Contains(chart, "high") && name == "swarm" {
			t.Fatalf("%s: the axis is %q", name, ends)
		}
		marks := regexpMoves.FindAllStringSubmatch(chart, -1)
		least, most := math.Inf(1), math.Inf(-1)
		for _, mark := range marks {
			at := number(t, mark[1])
			least, most = min(least, at), max(most, at)
		}
		from, to := number(t, words[0]), number(t, words[1])
		if part := (most - least) / (to - from); part < 0.75 {
			t.Errorf("%s: points take %.2f of the axis", name, part)
		}
	}
}

// Models that are no trees show what they learned in place of trees.
func TestModelsThatAreNoTreesShowWhatTheyLearned(t *testing.T) {
	ds := table(t, false, false)
	for learner, want := range map[string]string{"linear": "(constant)", "cart": ""} {
		page := html(t, train(t, learner, ds), ds, report.Options{})
		learned, trees := sectionOf(page, "learned"), sectionOf(page, "trees")
		if (learned == "") != (want == "") || !strings.Contains(learned, want) || (trees == "") == (want == "") {
			t.Errorf("%s: learned %.200q, trees %.200q", learner, learned, trees)
		}
	}
}

var regexpMoves = regexp.MustCompile(`M([0-9.]+) [0-9.]+h0`)

func number(t *testing.T, text string) float64 {
	t.Helper()
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}
