package playground

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	_ "github.com/coppice-ml/coppice/internal/testing/tier" // collects garbage more rarely
)

// Every number of an answer is what the scene shows for the settings of its exercise, or such a
// setting; and the answer has all that the scene was asked for.
func TestLessons(t *testing.T) {
	numbers := regexp.MustCompile(`\d+(\.\d+)?( %)?`)
	for _, l := range lessons() {
		t.Run(l.Scene, func(t *testing.T) {
			t.Parallel()
			shown := lessonFigures[l.Scene](t)
			if len(shown) != len(l.Exercises) {
				t.Fatalf("%d exercises, of which %d are compared", len(l.Exercises), len(shown))
			}
			for i, e := range l.Exercises {
				stated := numbers.FindAllString(e.Answer, -1)
				settings := numbers.FindAllString(e.Try, -1)
				for _, s := range stated {
					if !slices.Contains(shown[i], s) && !slices.Contains(settings, s) {
						t.Errorf("%q\nstates %s, and the scene shows %q", e.Answer, s, shown[i])
					}
				}
				for _, s := range shown[i] {
					if !slices.Contains(stated, s) {
						t.Errorf("%q\nlacks %s of the scene", e.Answer, s)
					}
				}
			}
		})
	}
}

// lessonFigures returns what a scene shows in each exercise of its lesson, as the page writes it.
var lessonFigures = map[string]func(t *testing.T) [][]string{
	"plane": func(t *testing.T) [][]string {
		moons, xor := lessonModels(t, "plane", "moons"), lessonModels(t, "plane", "xor")
		clouds := lessonModels(t, "plane", "clouds")
		first, last := moons("adaboost", nil, 1), moons("adaboost", nil, 0)
		long := moons("adaboost", settings{"trees": 200}, 0)
		small, deep := clouds("tree", settings{"depth": 1}, 0), clouds("tree", settings{"depth": 12}, 0)
		pruned := clouds("pruned", nil, 0)
		return [][]string{
			{first.train, last.train, first.test, last.test, long.test, digits(last.Margins[0], 2),
				digits(long.Margins[0], 2)},
			{xor("adaboost", nil, 0).test, xor("adaboost", settings{"depth": 2}, 0).test},
			{deep.train, deep.test, small.test, pruned.size, pruned.test},
		}
	},
	"curve": func(t *testing.T) [][]string {
		wave := lessonModels(t, "curve", "wave")
		slow, fast := wave("gbm", nil, 0), wave("gbm", settings{"rate": 1}, 0)
		best := wave("gbm", settings{"rate": 1}, slices.Index(fast.Test, slices.Min(fast.Test))+1)
		tree := wave("tree", settings{"depth": 12}, 0)
		return [][]string{
			{wave("gbm", nil, 1).test, wave("gbm", nil, 10).test, slow.test},
			{fast.train, fast.test, slow.test, best.size, best.test},
			{tree.size, tree.train, tree.test, wave("bagging", nil, 0).test},
		}
	},
	"ten-points": func(t *testing.T) [][]string {
		ten := answer[tenAnswer](t, New(), "ten-points", tenRequest{}).Rounds
		long := answer[tenAnswer](t, New(), "ten-points", tenRequest{Rounds: 8}).Rounds
		var wrong, by [10]int // points of a stump, and stumps of a point
		var weights float64
		var each []string
		for n, r := range ten {
			for i, w := range r.Wrong {
				if w {
					wrong[n], by[i] = wrong[n]+1, by[i]+1
				}
				if n == 0 {
					each = append(each, digits(r.After[i], 2))
				}
				if w && n == 0 {
					weights += r.After[i]
				}
			}
		}
		if ten[0].Alpha+ten[1].Alpha <= ten[2].Alpha || wrong[1] != wrong[0] || wrong[2] != wrong[0] {
			t.Errorf("the stumps are wrong on %d points, or one outvotes the others", wrong)
		}
		return [][]string{
			append(each, digits(weights, 2), strconv.Itoa(wrong[0]), strconv.Itoa(10-wrong[0])),
			{strconv.Itoa(wrong[0]), strconv.Itoa(slices.Max(by[:])), digits(ten[0].Alpha, 2),
				digits(ten[1].Alpha, 2), digits(ten[2].Alpha, 2), digits(ten[2].Train, 2)},
			{digits(long[2].Bound, 3), digits(long[7].Bound, 3), digits(long[7].Train, 2)},
		}
	},
	"impurity": func(t *testing.T) [][]string {
		a := answer[impurityAnswer](t, New(), "impurity", impurityRequest{startOfPage(t)})
		best, pure, late := a.Splits[a.Curves[0].Best], a.Splits[8], a.Splits[11]
		if fmt.Sprintf("%.2f %.2f", pure.Point, late.Point) != "0.63 0.85" {
			t.Errorf("split points %v and %v", pure.Point, late.Point)
		}
		var all []string
		for k, c := range a.Curves {
			all = append(all, fmt.Sprintf("%.2f", a.Splits[c.Best].Point), digits(best.Gain[k], 3))
		}
		return [][]string{
			all,
			{digits(pure.Gain[1], 3), digits(best.Gain[1], 3), strconv.Itoa(pure.Right[0]),
				strconv.Itoa(pure.Right[1]), digits(pure.Gain[2], 3), digits(best.Gain[2], 3)},
			{digits(late.Gain[0], 3), digits(late.Gain[1], 3), digits(late.Gain[2], 3),
				strconv.Itoa(slices.Min(a.Root[:])),
				strconv.Itoa(slices.Min(late.Left[:]) + slices.Min(late.Right[:]))},
		}
	},
	"bias": func(t *testing.T) [][]string {
		of := func(method string, rows int) biasAnswer {
			return answer[biasAnswer](t, New(), "bias", biasRequest{Shape: "wave", Noise: 0.4,
				Rows: rows, Method: method, Seed: 1})
		}
		tree, more, bagged := of("tree", 50), of("tree", 200), of("bagging", 50)
		var expected []float64
		for i, b := range tree.Bias {
			expected = append(expected, b+tree.Variance[i]+tree.Noise)
		}
		best, last := slices.Index(expected, slices.Min(expected)), len(bagged.Sizes)-1
		return [][]string{
			{fixed(tree.Bias[0]), fixed(tree.Bias[9]), fixed(tree.Variance[0]),
				fixed(tree.Variance[9]), strconv.Itoa(tree.Sizes[best]), fixed(expected[best])},
			{fixed(tree.Variance[2]), fixed(more.Variance[2]), fixed(tree.Bias[2]), fixed(more.Bias[2]),
				fixed(more.Noise)},
			{fixed(bagged.Variance[0]), fixed(bagged.Variance[last]), fixed(bagged.Bias[0]),
				fixed(bagged.Bias[last])},
		}
	},
}

// lessonModel is an answer, with the errors and the size that the page shows of it.
type lessonModel struct {
	trained
	train, test, size string
}

// lessonModels returns the function that trains on points as the page draws them at first.
func lessonModels(t *testing.T, scene, name string) func(string, settings, int) lessonModel {
	all, read := append(planes(), shapes()...), percent
	q := sampleRequest{Name: name, Rows: 120, Test: 200, Seed: 1}
	q.Noise = all[slices.IndexFunc(all, func(s sample) bool { return s.Name == name })].Noise
	if scene == "curve" {
		q.Curve, q.Rows, read = true, 60, fixed
	}
	h := New()
	points := answer[sampled](t, h, "sample", q).Points
	return func(method string, s settings, shown int) lessonModel {
		a := answer[trained](t, h, scene, trainRequest{points, method, s, shown, 1})
		return lessonModel{a, read(a.Train[a.Shown]), read(a.Test[a.Shown]),
			strconv.Itoa(a.Sizes[a.Shown])}
	}
}

// startOfPage reads the points that the scene of impurities starts with.
func startOfPage(t *testing.T) []point {
	text, err := os.ReadFile("site/assets/scenes/impurity.js")
	if err != nil {
		t.Fatal(err)
	}
	list, _, _ := strings.Cut(string(text), "]];")
	var points []point
	for _, m := range regexp.MustCompile(`\[(0\.\d+), ([01])`).FindAllStringSubmatch(list, -1) {
		x, err := strconv.ParseFloat(m[1], 64)
		if err != nil {
			t.Fatal(err)
		}
		points = append(points, point{X: x, Class: int(m[2][0] - '0')})
	}
	return points
}

// The page writes numbers as these do: percent and number of dom.js, and toFixed(4).
func percent(x float64) string       { return fmt.Sprintf("%.1f %%", 100*x) }
func digits(x float64, n int) string { return strconv.FormatFloat(x, 'g', n, 64) }
func fixed(x float64) string         { return fmt.Sprintf("%.4f", x) }
