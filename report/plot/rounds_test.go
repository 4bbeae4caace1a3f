package plot_test

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/report/plot"
)

// TestMargins: the margins of the ten points after each round, as the summary of the training has
// them, and as steps at their values.
func TestMargins(t *testing.T) {
	ds := read(t, "lectures/adaboost_ten_points.csv", "y")
	s := sceneOf(t, ds, nil, "adaboost", "rounds=3", "base.criterion=misclassification")
	var b bytes.Buffer
	if err := plot.Margins(&b, s, []int{1, 3}); err != nil {
		t.Fatal(err)
	}
	wellFormed(t, b.Bytes())
	for _, want := range []string{
		"After 1 round: from -1.0000, mean 0.4000; 30.0% of the rows are below 0.",
		"After 3 rounds: from 0.0753, mean 0.4000; 0.0% of the rows are below 0.",
	} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no note %q", want)
		}
	}
	for learner, curves := range map[string]int{"svm": 1, "forest": 3} {
		b.Reset()
		if err := plot.Margins(&b, sceneOf(t, read(t, "iris/iris.csv", "species"), nil, learner),
			nil); err != nil {
			t.Fatal(err)
		}
		wellFormed(t, b.Bytes())
		if n := strings.Count(b.String(), "of the rows are below 0.</text>"); n != curves {
			t.Errorf("%s has %d curves, want %d", learner, n, curves)
		}
	}
	numbers := sceneOf(t, read(t, "iris/iris.csv", "petal_width"), nil, "forest", "trees=3")
	if err := plot.Margins(io.Discard, numbers, nil); err == nil ||
		!strings.Contains(err.Error(), "predicts numbers") {
		t.Errorf("margins of numbers: %v", err)
	}
	if err := plot.Margins(io.Discard, s, []int{4}); err == nil ||
		!strings.Contains(err.Error(), "there is no round 4") {
		t.Errorf("margins after too many rounds: %v", err)
	}
}

// TestRounds: on the training rows the curve of the table is that of the training, for learners
// that store it; other learners have the curve of the table alone.
func TestRounds(t *testing.T) {
	iris := read(t, "iris/iris.csv", "species")
	line := regexp.MustCompile(`<path d="([^"]+)" fill="none" stroke="#\w+" stroke-width="2.2"`)
	for _, c := range []struct {
		learner, want string
		set           []string
		same          bool
	}{
		{"adaboost", ">error rate<", []string{"rounds=20"}, true},
		{"logitboost", ">error rate<", []string{"rounds=20"}, true},
		{"gbm", ">log loss<", []string{"trees=20", "training_metric=1"}, false},
		{"forest", ">out-of-bag<", []string{"trees=70"}, false},
		{"bag", ">members<", []string{"members=5"}, false},
	} {
		var b bytes.Buffer
		s := sceneOf(t, iris, nil, c.learner, c.set...)
		if err := plot.Rounds(context.Background(), &b, s); err != nil {
			t.Fatalf("%s: %v", c.learner, err)
		}
		wellFormed(t, b.Bytes())
		if !strings.Contains(b.String(), c.want) || !strings.Contains(b.String(), ">this table<") {
			t.Errorf("%s: no %q, or no curve of the table", c.learner, c.want)
		}
		lines := line.FindAllStringSubmatch(b.String(), -1)
		if same := len(lines) == 2 && lines[0][1] == lines[1][1]; c.same && !same {
			t.Errorf("%s: %d lines, of which training and table differ", c.learner, len(lines))
		}
	}
	if err := plot.Rounds(context.Background(), io.Discard, sceneOf(t, iris, nil, "svm")); err ==
		nil || !strings.Contains(err.Error(), "has no rounds") {
		t.Errorf("rounds of a support vector machine: %v", err)
	}
}
