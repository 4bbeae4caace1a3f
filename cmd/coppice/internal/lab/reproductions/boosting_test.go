package reproductions

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestEdge: on few rows both statements hold, and the bound is no more than one learner of that
// edge gives.
func TestEdge(t *testing.T) {
	r := edgeOf(60, []float64{0.3, 0.5}, 3)
	if !r.Kept() {
		t.Errorf("%+v", r.Findings)
	}
	wrong, bound := boostSampled(60, 40, 0.4, 7)
	if wrong[0] < 0.25 || wrong[0] > 0.3 || bound[0] > 0.93 || len(wrong) != 40 {
		t.Errorf("first round: error %g, bound %g", wrong[0], bound[0])
	}
}

// TestLettersSmall: a few rounds on some of the letters show what the long run shows.
func TestLettersSmall(t *testing.T) {
	r := lettersOf(t.Context(), &Env{},
		lettersSize{train: 600, rounds: []int{1, 3, 5}, stumps: 4})
	row := letters
	whole(t, &row, r)
	if last := r.Claims[len(r.Claims)-4]; len(r.Tables) != 2 || len(r.Tables[0].Rows) != 3 ||
		!(last.Ours < 10) {
		t.Errorf("%+v", r)
	}
}

// TestLettersCaption: the caption follows from the numbers, whatever they are.
func TestLettersCaption(t *testing.T) {
	for want, points := range map[string][]lettersPoint{
		"Round 5 → 1000: test error 6.7% → 2.7%, least margin 0.13 → 0.59, mean margin 0.83 → 0.75.": {
			{5, 0.067, 0.133, 0.833}, {100, 0.028, 0.568, 0.7}, {1000, 0.027, 0.593, 0.752}},
		"Round 1 → 3: test error 10.0% → 20.0%, least margin 0.50 → 0.50, mean margin 0.20 → 0.30.": {
			{1, 0.1, 0.5, 0.2}, {3, 0.2, 0.501, 0.3}},
		"The error over the rounds, and the margins of the training rows.": nil,
	} {
		if got := lettersCaption(points); got != want {
			t.Errorf("caption %q, want %q", got, want)
		}
	}
}

// TestLettersPicture: the caption of the picture of the long run has the numbers of its table.
func TestLettersPicture(t *testing.T) {
	root, err := filepath.Abs("../../../../..")
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, "docs/lab/letters.md"))
	if err != nil {
		t.Fatal(err)
	}
	picture, err := os.ReadFile(filepath.Join(root, "docs/img/lab-letters.svg"))
	if err != nil {
		t.Fatal(err)
	}
	var points []lettersPoint
	for _, row := range regexp.MustCompile(`(?m)^\| (\d+) \| \d+ \| [\d.]+% \| ([\d.]+)% \|.*\| ([\d.]+) \| ([\d.]+) \|$`).
		FindAllStringSubmatch(string(page), -1) {
		var v [4]float64
		for i := range v {
			if v[i], err = strconv.ParseFloat(row[i+1], 64); err != nil {
				t.Fatal(err)
			}
		}
		points = append(points, lettersPoint{int(v[0]), v[1] / 100, v[2], v[3]})
	}
	if want := lettersCaption(points); len(points) != 3 ||
		!strings.Contains(string(picture), ">"+want+"<") {
		t.Errorf("%d rows of numbers; the picture does not have the caption %q", len(points), want)
	}
}

// TestUpTo: the curve of the test error ends with the last round.
func TestUpTo(t *testing.T) {
	for last, want := range map[int][]int{1: {1}, 5: {1, 2, 3, 4, 5}, 10: {1, 2, 3, 4, 6, 9, 10}} {
		if got := upTo(last); !slices.Equal(got, want) {
			t.Errorf("up to %d: %v, want %v", last, got, want)
		}
	}
}

// TestFollowExperts: an expert without loss gets all weight, and one alone is followed exactly.
func TestFollowExperts(t *testing.T) {
	ones, zeros := slices.Repeat([]float64{1}, 200), make([]float64, 200)
	f := followExperts([][]float64{ones, zeros, ones}, 0.5)
	if last := f.weights[200]; last[1] < 1-1e-12 || f.own > hedgeBound(f.total, 0.5) || !f.below ||
		f.total[0] != 200 {
		t.Errorf("weights %v, loss %g of experts that lose %v", last, f.own, f.total)
	}
	if f = followExperts([][]float64{ones}, 0.5); f.own != 200 || !f.below {
		t.Errorf("the loss of a single expert is 200, of hedge %g", f.own)
	}
}

// TestSpheres: fewer sets and rounds have the order of the page.
func TestSpheres(t *testing.T) {
	r := spheresOf(t.Context(), &Env{}, 1, 500, 300)
	row := spheres
	whole(t, &row, r)
	stump, tree, real, vote := r.Claims[0].Ours, r.Claims[1].Ours, r.Claims[2].Ours, r.Claims[3].Ours
	if !(stump > 40 && stump > tree && tree > vote && vote > real && real > 3) {
		t.Errorf("errors %g, %g, %g, %g %%", stump, tree, vote, real)
	}
}
