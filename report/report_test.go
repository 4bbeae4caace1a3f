package report_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	escapes "html"
	"math"
	"regexp"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/report"
)

// The names that pages must show as text.
const (
	hostile  = `</script><script>alert(1)</script>`
	hostile2 = `"><img src=x onerror=alert(2)>`
)

// table makes a table of two classes or of numbers. Names are hostile on request.
func table(t *testing.T, classes, attack bool) *data.Dataset {
	t.Helper()
	names := []string{"age", "plan", "calls", "left"}
	levels := []string{"monthly", "yearly", "other"}
	labels := []string{"no", "yes"}
	if attack {
		names = []string{hostile, hostile2, "calls", "a." + hostile}
		levels = []string{hostile, "<!--", "]]>\u2028"}
		labels = []string{"<b>no</b>", hostile2}
	}
	random := rng.New(3)
	rows := 250
	age, calls, y := make([]float64, rows), make([]float64, rows), make([]float64, rows)
	plan, class := make([]string, rows), make([]string, rows)
	for i := range rows {
		k := random.Intn(3)
		age[i], calls[i], plan[i] = float64(18+random.Intn(50)), random.Float64(), levels[k]
		y[i] = float64(age[i]*float64(k+1)) + random.Float64()
		class[i] = labels[0]
		if y[i]+float64(40*random.Float64()) > 90 {
			class[i] = labels[1]
		}
	}
	columns := []data.NamedColumn{{Name: names[0], Values: age}, {Name: names[1], Values: plan},
		{Name: names[2], Values: calls}, {Name: names[3], Values: y}}
	if classes {
		columns[3].Values = class
	}
	f, err := data.FromColumns(columns...)
	if err != nil {
		t.Fatal(err)
	}
	ds, err := data.Roles{Label: names[3]}.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// train trains a learner of the catalog on all rows.
func train(t *testing.T, learner string, ds *data.Dataset, parameters ...string) model.Model {
	t.Helper()
	l, err := catalog.New(learner)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Params().Set(parameters); err != nil {
		t.Fatal(err)
	}
	m, err := coppice.Train(context.Background(), l, ds)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// html returns the page of a model.
func html(t *testing.T, m model.Model, ds *data.Dataset, o report.Options) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.HTML(context.Background(), &b, m, ds, o); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// found decodes what a section finds.
func found(
	t *testing.T, m model.Model, ds *data.Dataset, o report.Options, section string, into any,
) {
	t.Helper()
	content, err := report.Content(context.Background(), m, ds, o, section)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(content)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, into); err != nil {
		t.Fatalf("section %q: %v", section, err)
	}
}

// sectionOf returns a section of a page as HTML; "" where there is none.
func sectionOf(page, id string) string {
	_, text, _ := strings.Cut(page, `<section id="`+id+`"`)
	text, _, _ = strings.Cut(text, "</section>")
	return text
}

// Names of columns, categories and classes are shown as text, where nothing of them can end the
// element that they are in.
func TestHostileNamesStayText(t *testing.T) {
	ds := table(t, true, true)
	page := html(t, train(t, "gbm", ds, "trees=5"), ds, report.Options{Model: hostile,
		Table: hostile, TrainingLog: hostile})
	for _, bad := range []string{"<script>alert", "<img src=x", "<b>no"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
	for section, names := range map[string][]string{"overview": {hostile},
		"columns": {hostile, hostile2, "<!--", "]]>"}, "rows": {hostile}, "errors": {"<b>no</b>"},
		"shap": {hostile}, "dependence": {hostile}, "trees": {"<b>no</b>"},
		"check": {hostile, hostile2}, "importances": {hostile, hostile2}, "training": {hostile}} {
		text := escapes.UnescapeString(sectionOf(page, section))
		for _, name := range names {
			if !strings.Contains(text, name) {
				t.Errorf("section %s does not show %q", section, name)
			}
		}
	}
}

// The policy forbids everything but the page's own scripts and style, whose hashes it has.
func TestPolicyAllowsOwnScriptsAlone(t *testing.T) {
	ds := table(t, true, false)
	page := html(t, train(t, "cart", ds), nil, report.Options{})
	policy := regexp.MustCompile(`http-equiv="Content-Security-Policy" content="([^"]*)"`).
		FindStringSubmatch(page)
	if policy == nil || !strings.HasPrefix(policy[1], "default-src 'none';") ||
		strings.Contains(policy[1], "unsafe") {
		t.Fatalf("the policy is %q", policy)
	}
	inline := regexp.MustCompile(`(?s)<(script|style)>(.*?)</(?:script|style)>`)
	all := inline.FindAllStringSubmatch(page, -1)
	if len(all) != 2 {
		t.Fatalf("the page has %d scripts and styles, want 2", len(all))
	}
	for _, f := range all {
		sum := sha256.Sum256([]byte(f[2]))
		hash := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		if !strings.Contains(policy[1], hash) {
			t.Errorf("the policy lacks %s of a %s", hash, f[1])
		}
	}
	if bad := regexp.MustCompile(`<(link|img|iframe|object)|\ssrc=|@import|url\(`).
		FindString(page); bad != "" {
		t.Errorf("the page contains %q", bad)
	}
}

// Without a table the page names what is missing, and has the sections about the model.
func TestPageWithoutTable(t *testing.T) {
	page := html(t, train(t, "gbm", table(t, false, false), "trees=5"), nil, report.Options{})
	without := map[string]bool{"overview": true, "importances": true, "trees": true, "columns": true,
		"glossary": true}
	for _, id := range []string{"overview", "errors", "slices", "importances", "shap", "dependence",
		"rows", "trees", "columns", "glossary"} {
		text := sectionOf(page, id)
		missing := strings.Contains(text, `class="note">A table is missing: coppice report MODEL DATA `+
			`computes`)
		if text == "" || missing == without[id] {
			t.Errorf("section %s: table missing is %v", id, missing)
		}
	}
}

// The counts of the threshold that the model decides by are those of the confusion table, and the
// metrics of the page are those of the table.
func TestThresholdsAgreeWithConfusion(t *testing.T) {
	ds := table(t, true, false)
	var e struct {
		Classes   []string
		Confusion [][]float64
		Threshold float64
		Metrics   []struct {
			Name             string
			Value, Low, High float64
		}
		Curves []struct {
			Class      string
			Thresholds []float64
			TP, FP     []float64
		}
	}
	found(t, train(t, "gbm", ds, "trees=10"), ds, report.Options{}, "errors", &e)
	c := e.Curves[0]
	positive := 0
	if c.Class == e.Classes[1] {
		positive = 1
	}
	for i, x := range c.Thresholds {
		if x == e.Threshold && (c.TP[i] != e.Confusion[positive][positive] ||
			c.FP[i] != e.Confusion[1-positive][positive]) {
			t.Errorf("at %v: %v and %v, the confusion is %v", x, c.TP[i], c.FP[i], e.Confusion)
		}
		if i > 0 && (c.TP[i] > c.TP[i-1] || c.FP[i] > c.FP[i-1]) {
			t.Errorf("counts rise at %v", x)
		}
	}
	for _, m := range e.Metrics {
		if !(m.Low <= m.Value && m.Value <= m.High) {
			t.Errorf("%s is %v, outside of %v to %v", m.Name, m.Value, m.Low, m.High)
		}
	}
}

// The rows in the nodes of a tree add up to those of their parents, and each chosen row has a path.
func TestTreesCountRows(t *testing.T) {
	for _, learner := range []string{"cart", "forest", "gbm"} {
		ds := table(t, true, false)
		var r struct {
			Rows  []int
			Trees []struct {
				Nodes []struct {
					Parent, Rows int
					Split        string
					Counts       []int
				}
				Ends []int
			}
		}
		found(t, train(t, learner, ds), ds, report.Options{}, "trees", &r)
		for k, tree := range r.Trees {
			below := make([]int, len(tree.Nodes))
			for _, n := range tree.Nodes {
				sum := 0
				for _, count := range n.Counts {
					sum += count
				}
				if sum != n.Rows {
					t.Errorf("%s, tree %d: %d labels of %d rows", learner, k, sum, n.Rows)
				}
				if n.Parent >= 0 {
					below[n.Parent] += n.Rows
				}
			}
			for i, n := range tree.Nodes {
				if n.Split != "" && below[i] != n.Rows {
					t.Errorf("%s, tree %d, node %d: %d rows, %d below", learner, k, i, n.Rows, below[i])
				}
			}
			if tree.Nodes[0].Rows != ds.Rows() || len(tree.Ends) != len(r.Rows) {
				t.Errorf("%s, tree %d: %d rows, %d paths of %d", learner, k, tree.Nodes[0].Rows,
					len(tree.Ends), len(r.Rows))
			}
		}
	}
}

// The rows of the section are the worst ones first, each with its label and reasons.
func TestRowsBeginWithTheWorst(t *testing.T) {
	ds := table(t, false, false)
	var r struct {
		Scale string
		Rows  []struct {
			Row               int
			Label, Prediction float64
			Wrong             float64
			Reasons           []struct{ Feature, Value string }
		}
	}
	found(t, train(t, "forest", ds, "trees=10"), ds, report.Options{}, "rows", &r)
	if r.Scale != "prediction" || len(r.Rows) < 60 {
		t.Fatalf("scale %q, %d rows", r.Scale, len(r.Rows))
	}
	for i, l := range r.Rows {
		if i > 0 && i < 40 && l.Wrong > r.Rows[i-1].Wrong {
			t.Errorf("row %d is worse than the one before", l.Row)
		}
		if y := ds.Target.Y[0][l.Row-1]; math.Abs(l.Label-y) > 1e-3*y {
			t.Errorf("row %d has label %v, want %v", l.Row, l.Label, y)
		}
		if len(l.Reasons) == 0 {
			t.Errorf("row %d has no reasons", l.Row)
		}
	}
}

// A slice in which the label is random is found, and none where errors are alike everywhere.
func TestSlicesAreFound(t *testing.T) {
	random := rng.New(8)
	rows := 2000
	at, noise, y := make([]float64, rows), make([]string, rows), make([]float64, rows)
	for i := range rows {
		at[i], noise[i] = random.Float64(), "quiet"
		y[i] = at[i]
		if i%5 == 0 {
			noise[i] = "noisy"
			y[i] += random.Float64()
		}
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "x", Values: at},
		data.NamedColumn{Name: "kind", Values: noise}, data.NamedColumn{Name: "y", Values: y})
	if err != nil {
		t.Fatal(err)
	}
	ds, err := data.Roles{Label: "y"}.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	var r struct {
		Overall float64
		Slices  []struct {
			Column, Values string
			Rows           int
			Mean           float64
		}
	}
	found(t, train(t, "cart", ds, "depth=3"), ds, report.Options{}, "slices", &r)
	if len(r.Slices) != 1 || r.Slices[0].Column != "kind" || r.Slices[0].Values != "noisy" ||
		r.Slices[0].Rows != 400 || r.Slices[0].Mean < 1.5*r.Overall {
		t.Errorf("slices are %+v, want the noisy rows alone", r.Slices)
	}
}

// The same model and table give the same page for any number of goroutines.
func TestPageIsTheSameForAnyWorkers(t *testing.T) {
	for _, classes := range []bool{true, false} {
		ds := table(t, classes, false)
		m := train(t, "forest", ds, "trees=8")
		one := html(t, m, ds, report.Options{Workers: 1})
		if html(t, m, ds, report.Options{Workers: 3}) != one {
			t.Errorf("classes %v: the pages differ", classes)
		}
	}
}

// Every learner has a page, whatever its model is made of.
func TestEveryLearnerHasAPage(t *testing.T) {
	tier.NotShort(t, "makes the page of each learner")
	for _, entry := range catalog.Table() {
		for _, classes := range []bool{true, false} {
			ds := table(t, classes, false)
			m, err := coppice.Train(context.Background(), learntest.Small(entry.New()), ds)
			if err != nil {
				continue // the learner does not take such labels, or needs parameters
			}
			if m.Spec().Task != data.Anomaly || classes {
				html(t, m, ds, report.Options{})
			}
			html(t, m, nil, report.Options{})
		}
	}
}
