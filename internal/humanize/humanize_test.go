package humanize_test

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/humanize"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		x      float64
		digits int
		want   string
	}{
		{0, 4, "0"}, {math.Copysign(0, -1), 4, "0"}, {1, 4, "1"}, {0.5, 4, "0.5"}, {2.0 / 3, 4, "0.6667"},
		{9.9994, 4, "9.999"}, {9.99996, 4, "10"}, {99999.6, 4, "100000"}, {-1234.5678, 4, "-1235"}, {1234567, 4, "1234567"},
		{0.0001, 4, "0.0001"}, {0.00001234, 3, "0.0000123"}, {0.000001234, 3, "1.23e-06"}, {11764.6, 5, "11765"}, {1e15, 4, "1e+15"}, {math.Inf(1), 4, "inf"}, {math.Inf(-1), 4, "-inf"}, {math.NaN(), 4, "nan"},
	} {
		if got := humanize.Number(c.x, c.digits); got != c.want {
			t.Errorf("humanize.Number(%v, %d) = %s, want %s", c.x, c.digits, got, c.want)
		}
	}
	for x, want := range map[float64]string{123456.5: "123456.5", 1234567.25: "1234567.2",
		0.123456789: "0.123457", 2e6: "2000000"} {
		if got := humanize.SplitPoint(x, 0); got != want {
			t.Errorf("humanize.SplitPoint(%v) = %s, want %s", x, got, want)
		}
	}
	for fraction, want := range map[float64]string{0: "0.0%", 1: "100.0%", 0.0004: "<0.1%",
		0.9996: ">99.9%", 0.333: "33.3%"} {
		if got := humanize.NarrowPercent(fraction); got != want {
			t.Errorf("humanize.NarrowPercent(%v) = %s, want %s", fraction, got, want)
		}
	}
}

// TestNoExponent: numbers of usual sizes are written without an exponent by every function.
func TestNoExponent(t *testing.T) {
	for e := -5; e < 15; e++ {
		for _, x := range []float64{1, -2.5, 9.87654321} {
			x *= math.Pow(10, float64(e))
			for name, text := range map[string]string{"Number": humanize.Number(x, 6),
				"Signed": humanize.Signed(x, 6), "Metric": humanize.Metric(x),
				"Exact": humanize.Exact(x), "SplitPoint": humanize.SplitPoint(x, 6)} {
				read, err := strconv.ParseFloat(text, 64)
				if err != nil || strings.ContainsAny(text, "eE") || math.Abs(read-x) > 0.05*math.Abs(x) && name != "Metric" {
					t.Errorf("%s writes %v as %s", name, x, text)
				}
				if name == "Signed" && strings.HasPrefix(text, "+") != (x > 0) {
					t.Errorf("%s writes %v as %s", name, x, text)
				}
			}
		}
	}
}

func TestName(t *testing.T) {
	for name, want := range map[string]string{
		"age": "age", "hours per week": "hours per week", "größe": "größe", "": `""`, "a\nb": `"a\nb"`, "\x1b[2J": `"\x1b[2J"`,
	} {
		if got := humanize.Name(name); got != want {
			t.Errorf("%q is printed as %s, want %s", name, got, want)
		}
	}
}

func TestExact(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0", 1: "1", -0.5: "-0.5", 1e6: "1000000", 123456789012: "123456789012",
		1.0 / 3: "0.3333333333333333",
		1e21:    "1e+21", 1e-7: "1e-07",
	} {
		if got := humanize.Exact(v); got != want {
			t.Errorf("%g is written %s, want %s", v, got, want)
		}
	}
}

func TestPercent(t *testing.T) {
	for v, want := range map[float64]string{
		0: "0.0%", 1: "100.0%", 0.5: "50.0%", 0.12345: "12.3%", 0.0005: "0.1%", 0.0004: "0.04%",
		0.99951: "99.95%", 0.9996: "99.96%", 0.999: "99.9%", 3.1e-7: "0.00003%",
		1 - 1e-6: "99.9999%",
		1e-17:    "0.0%", math.Nextafter(1, 0): "100.0%", math.Nextafter(1, 2): "100.0%",
	} {
		if got := humanize.Percent(v); got != want {
			t.Errorf("%g is written %s, want %s", v, got, want)
		}
	}
}

func TestLists(t *testing.T) {
	for _, c := range []struct {
		names   []string
		and, or string
	}{{[]string{"a"}, "a", "a"}, {[]string{"a", "b"}, "a and b", "a or b"},
		{[]string{"a", "b", "c"}, "a, b and c", "a, b or c"}} {
		if and, or := humanize.And(c.names), humanize.Or(c.names); and != c.and || or != c.or {
			t.Errorf("%q: %q and %q, want %q and %q", c.names, and, or, c.and, c.or)
		}
	}
}

func TestCount(t *testing.T) {
	for n, want := range map[int]string{0: "0 leaves", 1: "1 leaf", 2: "2 leaves"} {
		if got := humanize.Count(n, "leaf", "leaves"); got != want {
			t.Errorf("%d: %q, want %q", n, got, want)
		}
	}
}

func TestRatio(t *testing.T) {
	if got := humanize.Ratio(1, 4); got != "25.0%" {
		t.Errorf("1 of 4 is %s", got)
	}
	if got := humanize.Ratio(0, 0); got != "-" {
		t.Errorf("0 of 0 is %s", got)
	}
}

func TestShorten(t *testing.T) {
	for text, want := range map[string]string{"grösse": "grösse", "grössen": "gröss…"} {
		if got := humanize.Shorten(text, 6); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
