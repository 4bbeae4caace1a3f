package plot

import (
	"cmp"
	"html"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func (a *axis) texts() string {
	var texts []string
	for _, t := range a.ticks {
		texts = append(texts, t.text)
	}
	return strings.Join(texts, " ")
}

func TestTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		most      int
		want      string
	}{
		{0, 1, 5, "0 0.2 0.4 0.6 0.8 1.0"}, {0.1, 6.9, 9, "1 2 3 4 5 6"}, {-3, 3, 4, "-2 0 2"}, {0, 0.5, 6, "0 0.1 0.2 0.3 0.4 0.5"},
		{1000, 1200, 4, "1000 1050 1100 1150 1200"}, {0, 3e6, 3, "0 1000000 2000000 3000000"}, {0, 2e-5, 2, "0 0.00001 0.00002"},
		{-0.02, 0.02, 2, "-0.02 0 0.02"}, {-math.MaxFloat64, math.MaxFloat64, 4, "-1e+308 0 1e+308"}, {1e15, 1e15 + 2, 2, "1e+15 1e+15"},
	} {
		a := axis{low: c.low, high: c.high}
		if a.mark(c.most); a.texts() != c.want {
			t.Errorf("from %g to %g at most %d: %s, want %s", c.low, c.high, c.most,
				a.texts(), c.want)
		}
	}
	a := axis{low: 1, high: 297, log: true}
	if a.markCounts(); a.texts() != "1 2 5 10 20 50 100 200" {
		t.Errorf("counts up to 297: %s", a.texts())
	}
	b := axis{low: 1, high: 4}
	if b.markWhole(12); b.texts() != "1 2 3 4" && b.texts() != "1.0 2.0 3.0 4.0" {
		t.Errorf("whole numbers from 1 to 4: %s", b.texts())
	}
}

// TestAxis: values are placed in order and within the ends, and ticks are few and on the axis.
func TestAxis(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOfN(rapid.Float64(), 1, 9).Draw(t, "values")
		a := span(values)
		a.from, a.to = rapid.IntRange(0, 900).Draw(t, "from"), rapid.IntRange(0, 900).Draw(t, "to")
		if !(a.low < a.high) || !finite(a.low) || !finite(a.high) {
			t.Fatalf("%v spans %g to %g", values, a.low, a.high)
		}
		for _, v := range values {
			at := int(a.at(v))
			if at < 10*min(a.from, a.to) || at > 10*max(a.from, a.to) {
				t.Fatalf("%g is put at %d, beyond %d and %d", v, at, a.from, a.to)
			}
		}
		most := rapid.IntRange(2, 12).Draw(t, "most")
		a.mark(most)
		if len(a.ticks) > 2*most+1 || len(a.ticks) == 0 {
			t.Fatalf("%d ticks, at most %d are wanted", len(a.ticks), most)
		}
		for i, k := range a.ticks {
			if k.at < a.low || k.at > a.high || i > 0 && k.at <= a.ticks[i-1].at {
				t.Fatalf("ticks %v on %g to %g", a.ticks, a.low, a.high)
			}
		}
		if a.thin(); len(a.ticks) == 0 || a.crowded(1) {
			t.Fatalf("ticks %v from %d to %d", a.ticks, a.from, a.to)
		}
	})
}

// tickText is a text of the size of ticks in a picture.
var tickText = regexp.MustCompile(
	`<text x="(-?\d+)" y="(-?\d+)" font-size="13"[^>]* text-anchor="(middle|end)"[^>]*>([^<]*)<`)

// TestTicksClear: no two texts of an axis touch in any picture of the project.
func TestTicksClear(t *testing.T) {
	var files []string
	for _, pattern := range []string{"testdata/*.svg", "../../docs/img/*.svg", "../../tools/curves/*.svg"} {
		some, err := filepath.Glob(pattern)
		if err != nil || len(some) == 0 {
			t.Fatalf("%s: no pictures (%v)", pattern, err)
		}
		files = append(files, some...)
	}
	type text struct {
		at, half int
		text     string
	}
	axes := 0
	for _, file := range files {
		picture, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts := map[string][]text{}
		for _, m := range tickText.FindAllStringSubmatch(string(picture), -1) {
			x, _ := strconv.Atoi(m[1])
			y, _ := strconv.Atoi(m[2])
			if m[3] == "middle" {
				texts["y "+m[2]] = append(texts["y "+m[2]],
					text{x, (tickStyle.Width(html.UnescapeString(m[4])) + tickGap) / 2, m[4]})
			} else {
				texts["x "+m[1]] = append(texts["x "+m[1]], text{y, tickLine/2 - 1, m[4]})
			}
		}
		for where, line := range texts {
			axes++
			slices.SortFunc(line, func(a, b text) int { return cmp.Compare(a.at, b.at) })
			for i := 1; i < len(line); i++ {
				if a, b := line[i-1], line[i]; b.at-a.at < a.half+b.half {
					t.Errorf("%s: %q at %d and %q at %d touch at %s", file, a.text, a.at, b.text,
						b.at, where)
				}
			}
		}
	}
	if axes < 2*len(files) {
		t.Errorf("%d axes of %d pictures were found", axes, len(files))
	}
}
