package param_test

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/param"
)

// Declarations that cannot be searched panic where they are made, not in a user's study.
func TestSearchDeclarations(t *testing.T) {
	var whole int
	var number float64
	var text string
	is := func(p param.Param) param.Param { return p }
	depth := is(param.Int(&whole, "depth", 3, 1, math.MaxInt, "edges"))
	rate := is(param.Float(&number, "rate", 0.1, 0, 1, "factor", param.ExcludeMin))
	kernel := is(param.Choice(&text, "kernel", "rbf", []string{"rbf", "linear"}, "product"))
	for name, f := range map[string]func(){
		"below the range":     func() { depth.Tune(0, 9) },
		"an excluded end":     func() { rate.Tune(0, 1) },
		"above the range":     func() { rate.Tune(0.5, 2) },
		"ends that are equal": func() { rate.Tune(0.5, 0.5) },
		"a logarithm of 0":    func() { number = 0; rate.TuneLog(0, 1) },
		"numbers of a text":   func() { kernel.Tune(1, 2) },
		"an unknown text":     func() { kernel.TuneAmong("rbf", "poly") },
	} {
		t.Run(name, func(t *testing.T) {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			f()
		})
	}
	s := depth.TuneLog(1, 9).Search
	if got := s.Text(2.6); got != "3" || !s.Whole {
		t.Errorf("2.6 edges are %s", got)
	}
	if got := rate.TuneLog(0.01, 1).Search.Text(0.123456); got != "0.1235" {
		t.Errorf("0.123456 is written %s", got)
	}
}

// A parameter that depends on another one applies where that has the value, also below a choice.
func TestSearchWith(t *testing.T) {
	var text string
	var number float64
	set := param.Set{
		param.Choice(&text, "kernel", "rbf", []string{"rbf", "linear"}, "product").
			TuneAmong("rbf", "linear"),
		param.Float(&number, "gamma", 1, 0, 9, "factor").Tune(1, 9).TuneWith("kernel", "rbf"),
	}
	text = "linear"
	if set[1].Search.Applies(set) {
		t.Error("gamma applies to linear")
	}
	text = "rbf"
	if !set[1].Search.Applies(set) || !set[0].Search.Applies(set) {
		t.Error("gamma or kernel does not apply to rbf")
	}
	if below := set[1].Below("base"); below.Search.With != "base.kernel" {
		t.Errorf("base.gamma is tuned with %q", below.Search.With)
	}
	if set[1].Search.With != "kernel" {
		t.Error("the search of gamma itself has changed")
	}
}
