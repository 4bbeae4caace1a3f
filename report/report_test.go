package report_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/catalog"
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

// block decodes the JSON of a section.
func block(t *testing.T, page, name string, into any) {
	t.Helper()
	_, text, found := strings.Cut(page, `id="data-`+name+`">`)
	text, _, end := strings.Cut(text, "</script>")
	if !found || !end {
		t.Fatalf("the page has no block %q", name)
	}
	if err := json.Unmarshal([]byte(text), into); err != nil {
		t.Fatalf("block %q: %v", name, err)
	}
}

type cover struct {
	Title    string
	Sections []struct{ ID, Title, Missing string }
}

// Names of columns, categories and classes stand in the JSON alone, where nothing of them can end
// the element that they are in.
func TestHostileNamesStayText(t *testing.T) {
	ds := table(t, true, true)
	page := html(t, train(t, "gbm", ds, "trees=5"), ds, report.Options{Model: hostile,
		Table: hostile, TrainingLog: hostile})
	for _, bad := range []string{"<script>alert", "<img src=x", "<b>no"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page contains %q", bad)
		}
	}
	var c cover
	block(t, page, "page", &c)
	if c.Title != "Report of "+hostile {
		t.Errorf("the title is %q", c.Title)
	}
	var e struct{ Classes []string }
	block(t, page, "errors", &e)
	if fmt.Sprint(e.Classes) != fmt.Sprint(ds.Target.Classes) {
		t.Errorf("the classes are %q", e.Classes)
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
	found := inline.FindAllStringSubmatch(page, -1)
	if len(found) != 3 {
		t.Fatalf("the page has %d scripts and styles, want 3", len(found))
	}
	for _, f := range found {
		sum := sha256.Sum256([]byte(f[2]))
		hash := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
		if !strings.Contains(policy[1], hash) {
			t.Errorf("the policy lacks %s of a %s", hash, f[1])
		}
	}
	head, _, _ := strings.Cut(page, "<noscript>")
	if bad := regexp.MustCompile(`<(link|img|iframe|object)|\ssrc=|@import|url\(`).
		FindString(head); bad != "" {
		t.Errorf("the page contains %q", bad)
	}
}

// Without a table the page names what is missing, and has the sections about the model.
func TestPageWithoutTable(t *testing.T) {
	page := html(t, train(t, "gbm", table(t, false, false), "trees=5"), nil, report.Options{})
	var c cover
	block(t, page, "page", &c)
	without := map[string]bool{"overview": true, "importances": true}
	for _, s := range c.Sections {
		if missing := strings.Contains(s.Missing, "A table is missing"); missing == without[s.ID] {
			t.Errorf("section %s: missing is %q", s.ID, s.Missing)
		}
	}
}

// The counts of the threshold that the model decides by are those of the confusion table, and the
// metrics of the page are those of the table.
func TestThresholdsAgreeWithConfusion(t *testing.T) {
	ds := table(t, true, false)
	page := html(t, train(t, "gbm", ds, "trees=10"), ds, report.Options{})
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
	block(t, page, "errors", &e)
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
	for _, entry := range catalog.Table() {
		for _, classes := range []bool{true, false} {
			ds := table(t, classes, false)
			m, err := coppice.Train(context.Background(), entry.New(), ds)
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
