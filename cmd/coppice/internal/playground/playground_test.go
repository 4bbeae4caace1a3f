package playground

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"strings"
	"testing"
)

// answer answers a request that must succeed.
func answer[A any](t *testing.T, h *Handler, scene string, request any) A {
	t.Helper()
	body, err := json.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	text, err := h.Answer(t.Context(), scene, body)
	if err != nil {
		t.Fatalf("%s %s: %v", scene, body, err)
	}
	var a A
	if err := json.Unmarshal(text, &a); err != nil {
		t.Fatal(err)
	}
	return a
}

func drawn(t *testing.T, name string, curve bool, rows int) []point {
	t.Helper()
	return answer[sampled](t, New(), "sample",
		sampleRequest{Name: name, Curve: curve, Rows: rows, Test: rows, Noise: 0.3, Seed: 1}).Points
}

// The scores after each step, which one pass over the trees finds, are those of the model with as
// many rounds.
func TestStagedScores(t *testing.T) {
	for _, classes := range []bool{true, false} {
		points := drawn(t, map[bool]string{true: "moons", false: "wave"}[classes], !classes, 60)
		for _, m := range methods() {
			if m.classes && !classes {
				continue
			}
			r, err := newRun(t.Context(), &trainRequest{Points: points}, &m, classes)
			if err != nil {
				t.Fatal(m.Name, err)
			}
			for s := range r.steps {
				want, err := predict(r.fit.at(s), r.table.frame)
				if err != nil {
					t.Fatal(m.Name, err)
				}
				for i := range want {
					if math.Abs(want[i]-r.steps[s][i]) > 1e-9 {
						t.Fatalf("%s, classes %v, step %d, row %d: %v, want %v", m.Name, classes, s, i,
							r.steps[s][i], want[i])
					}
				}
			}
			if n := len(r.train); r.train[r.fit.chosen] > r.train[0] || n != len(r.test) {
				t.Errorf("%s: training error from %v to %v, %d and %d errors", m.Name, r.train[0],
					r.train[r.fit.chosen], n, len(r.test))
			}
		}
	}
}

// The weights of AdaBoost are those that its training reports.
func TestTenPoints(t *testing.T) {
	a := answer[tenAnswer](t, New(), "ten-points", tenRequest{})
	text, err := os.ReadFile("../../../../testdata/lectures/adaboost_ten_points.csv")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Fields(string(text))[1:]
	if len(a.Rounds) != 3 || len(lines) != len(a.Points) {
		t.Fatalf("%d rounds, %d points", len(a.Rounds), len(a.Points))
	}
	for i, line := range lines {
		p := a.Points[i]
		var x, y, class float64
		for k, field := range strings.Split(line, ",") {
			if err := json.Unmarshal([]byte(field), []*float64{&x, &y, &class}[k]); err != nil {
				t.Fatal(err)
			}
		}
		if p.X != x || p.Y != y || sign(uint32(p.Class)) != class {
			t.Errorf("point %d is %v, of the table %s", i, p, line)
		}
	}
	for n, r := range a.Rounds {
		if want := []float64{3. / 10, 3. / 14, 3. / 22}[n]; math.Abs(r.Error-want) > 1e-12 {
			t.Errorf("round %d: error %v, want %v", n+1, r.Error, want)
		}
		if n == 2 {
			break
		}
		for i, w := range a.Rounds[n+1].Weights {
			if math.Abs(r.After[i]-w) > 1e-12 {
				t.Errorf("round %d, point %d: weight %v afterwards, want %v", n+1, i+1, r.After[i], w)
			}
		}
	}
	if last := a.Rounds[2]; last.Train != 0 {
		t.Errorf("training error %v", last.Train)
	}
}

// The two splits of a textbook misclassify as many rows, but Gini and entropy prefer the pure one.
func TestImpurityGains(t *testing.T) {
	var points []point
	add := func(x float64, class, n int) {
		for range n {
			points = append(points, point{X: x, Class: class})
		}
	}
	add(0.1, 0, 30)
	add(0.3, 0, 10)
	add(0.3, 1, 20)
	add(0.5, 1, 20)
	a := answer[impurityAnswer](t, New(), "impurity", impurityRequest{points})
	if len(a.Splits) != 2 || a.Splits[0].Left != [2]int{30, 0} || a.Splits[0].Right != [2]int{10, 40} {
		t.Fatalf("splits %+v", a.Splits)
	}
	for k, name := range impurities {
		s := a.Splits[0]
		mean := 3./8*s.Child[k][0] + 5./8*s.Child[k][1]
		if got := a.Curves[k].Root - mean; math.Abs(got-s.Gain[k]) > 1e-12 || a.Curves[k].Name != name {
			t.Errorf("%s: gain %v, want %v", name, s.Gain[k], got)
		}
	}
	if gini := a.Curves[0]; gini.Root != 0.5 || gini.Value[50] != 0.5 || gini.Best != 0 {
		t.Errorf("gini %+v", gini)
	}
}

// Bias falls and variance rises with the depth of a tree; bagging has less variance than its trees.
func TestBiasAndVariance(t *testing.T) {
	h := New()
	tree := answer[biasAnswer](t, h, "bias", biasRequest{Shape: "wave", Noise: 0.4, Rows: 60,
		Method: "tree", Seed: 1})
	bagged := answer[biasAnswer](t, h, "bias", biasRequest{Shape: "wave", Noise: 0.4, Rows: 60,
		Method: "bagging", Seed: 1})
	last, all := len(tree.Sizes)-1, len(bagged.Sizes)-1
	if tree.Bias[0] < 2*tree.Bias[last] || tree.Variance[last] < 2*tree.Variance[0] {
		t.Errorf("bias %v, variance %v", tree.Bias, tree.Variance)
	}
	if bagged.Variance[all] > 0.8*tree.Variance[last] || len(bagged.Curves) != biasDrawn {
		t.Errorf("variance %v, of trees %v", bagged.Variance[all], tree.Variance[last])
	}
}

// A request that shows another round of a kept model gives what a new handler gives.
func TestKeptModels(t *testing.T) {
	q := trainRequest{Points: drawn(t, "xor", false, 50), Method: "adaboost",
		Settings: settings{"trees": 20, "depth": 2}}
	h := New()
	first := answer[trained](t, h, "plane", q)
	q.Shown = 7
	kept, fresh := answer[trained](t, h, "plane", q), answer[trained](t, New(), "plane", q)
	a, _ := json.Marshal(kept)
	b, _ := json.Marshal(fresh)
	if string(a) != string(b) || kept.Shown != 6 || first.Shown == 6 || len(kept.Members) != mostMembers {
		t.Errorf("step %d of a kept model, %d of a new one, %d before", kept.Shown, fresh.Shown,
			first.Shown)
	}
}

// The picture of a single tree has its split points as edges, so it is exact.
func TestExactPicture(t *testing.T) {
	points := []point{{X: 0.2, Y: 0.5, Class: 0}, {X: 0.4, Y: 0.5, Class: 1}}
	a := answer[trained](t, New(), "plane", trainRequest{Points: points, Method: "tree"})
	if len(a.Map.X) != 3 || a.Map.X[1] != 0.3 || len(a.Map.Y) != 2 ||
		a.Map.Score[0] != 0 || a.Map.Score[1] != 1 || a.Sketch == nil || len(a.Sketch.Below) != 2 {
		t.Errorf("map %+v, tree %+v", a.Map, a.Sketch)
	}
}

func TestRefusals(t *testing.T) {
	two := `"points": [{"x": 0, "y": 0, "class": 0}, {"x": 1, "y": 1, "class": 1}]`
	for _, c := range []struct{ scene, body, want string }{
		{"plan", `{}`, `no scene "plan"`},
		{"plane", `{`, "no JSON"},
		{"plane", `{} {}`, "goes on"},
		{"plane", `{"colour": 1}`, "colour"},
		{"plane", `{"method": "svm"}`, `no method "svm"`},
		{"curve", `{"method": "adaboost", ` + two + `}`, `no method "adaboost"`},
		{"plane", `{"method": "tree"}`, "at least two"},
		{"plane", `{"method": "tree", "points": [{}, {}]}`, "both classes"},
		{"plane", `{"method": "tree", "points": [{"class": 2}]}`, "class 2"},
		{"plane", `{"method": "tree", "points": [{"x": 1e300}]}`, "outside"},
		{"plane", `{"method": "tree", "settings": {"depth": 1000000}, ` + two + `}`, "from 1 to 12"},
		{"plane", `{"method": "tree", "settings": {"depth": 1.5}, ` + two + `}`, "from 1 to 12"},
		{"plane", `{"method": "tree", "settings": {"deep": 1}, ` + two + `}`, `no setting "deep"`},
		{"plane", `{"method": "tree", "points": [` + strings.Repeat("{},", maxPoints) + `{}]}`, "1001"},
		{"plane", `"` + strings.Repeat(" ", MaxBody) + `"`, "bytes"},
		{"sample", `{"name": "moons", "rows": 2000}`, "at most"},
		{"sample", `{"name": "moons", "rows": 9, "noise": 7}`, "noise"},
		{"sample", `{"name": "sun"}`, `"sun"`},
		{"impurity", `{"points": [` + strings.Repeat("{},", maxLine) + `{}]}`, "201"},
		{"ten-points", `{"rounds": 100}`, "rounds"},
		{"ten-points", `{"classes": [1]}`, "1 classes"},
		{"bias", `{"shape": "wave", "rows": 5000, "method": "tree"}`, "rows"},
		{"bias", `{"shape": "wave", "rows": 50, "method": "pruned"}`, "pruned"},
	} {
		_, err := New().Answer(t.Context(), c.scene, []byte(c.body))
		if _, ok := err.(*RequestError); !ok || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %.60s: %v, want %q", c.scene, c.body, err, c.want)
		}
	}
	if text := Failure(refuse("no")); string(text) != `{"error":"no"}` {
		t.Errorf("%s", text)
	}
}

// A request whose sender has gone away ends.
func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	body, err := json.Marshal(trainRequest{Points: drawn(t, "moons", false, 50), Method: "gbm"})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := New().Answer(ctx, "plane", body); err != context.Canceled {
		t.Errorf("%v, want %v", err, context.Canceled)
	}
}

// All points in one place, and labels that are all alike, are answered.
func TestDegenerate(t *testing.T) {
	same := []point{{X: .5, Y: .5}, {X: .5, Y: .5, Class: 1}, {X: .5, Y: .5}}
	for _, m := range methods() {
		a := answer[trained](t, New(), "plane", trainRequest{Points: same, Method: m.Name})
		if len(a.Map.Score) == 0 || len(a.Scores) != 3 {
			t.Errorf("%s: %d cells, %d scores", m.Name, len(a.Map.Score), len(a.Scores))
		}
		if !m.classes {
			answer[trained](t, New(), "curve", trainRequest{Points: same, Method: m.Name})
		}
	}
}

// Stumps are no better than chance on XOR, so AdaBoost ends at once, and the page gets the reason.
func TestNoRounds(t *testing.T) {
	a := answer[trained](t, New(), "plane", trainRequest{Points: []point{{}, {X: 1, Y: 1},
		{Y: 1, Class: 1}, {X: 1, Class: 1}}, Method: "adaboost"})
	if a.Note == "" || len(a.Sizes) != 1 || a.Weights != nil {
		t.Errorf("note %q, %d rounds, weights %v", a.Note, len(a.Sizes), a.Weights)
	}
}
