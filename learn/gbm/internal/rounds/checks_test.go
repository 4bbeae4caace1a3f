package rounds

import (
	"context"
	"encoding/json"
	"testing"
)

// spread returns the metric of ten blocks around a mean, half of them above it by as much as the
// others are below.
func spread(mean, by float64) []float64 {
	blocks := make([]float64, 10)
	for i := range blocks {
		blocks[i] = mean + by*float64(1-2*(i%2))
	}
	return blocks
}

// TestBehind: a challenger ends where the default is ahead by three standard errors after as many
// rounds and as much work, or by one from the ninth round on.
func TestBehind(t *testing.T) {
	level := spread(0.5, 0)
	usual := []Check{{5, 50, level}, {7, 70, level}, {9, 90, level}}
	// gains vary by 0.003 about their mean, which has a standard error of 0.001
	for _, c := range []struct {
		name   string
		c      Config
		rounds int
		work   float64
		mean   float64
		higher bool
		want   bool
	}{
		{"by two errors after five rounds", Config{Checked: true}, 5, 50, 0.502, false, false},
		{"by four errors after five rounds", Config{Checked: true}, 5, 50, 0.504, false, true},
		{"by two errors after nine rounds", Config{Checked: true}, 9, 90, 0.502, false, true},
		{"by half an error after nine rounds", Config{Checked: true}, 9, 90, 0.5005, false, false},
		{"ahead", Config{Checked: true}, 9, 90, 0.49, false, false},
		{"between checks", Config{Checked: true}, 6, 90, 0.6, false, false},
		{"after the default has ended", Config{Checked: true}, 12, 120, 0.6, false, true},
		{"with less work than the first check", Config{Checked: true}, 9, 49, 0.6, false, false},
		{"greater is better", Config{Checked: true}, 9, 90, 0.6, true, false},
		{"less where greater is better", Config{Checked: true}, 9, 90, 0.4, true, true},
		{"not compared", Config{}, 9, 90, 0.6, false, false},
	} {
		c.c.Settings, c.c.Default = []string{"leaves=127"}, usual
		made := &Curve{Metric{Higher: c.higher}, Trial{Rounds: c.rounds}}
		blocks := func() []float64 { return spread(c.mean, 0.003) }
		if got := c.c.Behind(made, c.work, blocks); got != c.want || made.Behind != c.want {
			t.Errorf("%s: %v, noted as %v, want %v", c.name, got, made.Behind, c.want)
		}
	}
}

// TestHasRisen: a loss that is 1 % above its best after half of the rounds of early stopping ends
// a trial.
func TestHasRisen(t *testing.T) {
	c := &Config{Patience: 10}
	for _, of := range []struct {
		best, rounds int
		last         float64
		higher, want bool
	}{{5, 10, 0.51, false, true}, {5, 10, 0.504, false, false}, {5, 9, 0.6, false, false},
		{5, 10, 0.6, true, false}} {
		made := &Curve{Metric{Higher: of.higher}, Trial{Value: 0.5, Best: of.best, Rounds: of.rounds}}
		if got := c.HasRisen(made, of.last); got != of.want {
			t.Errorf("%+v: %v", of, got)
		}
	}
}

// TestRaceEndsWhatIsBehind: in a race whose trials call Behind, challengers that are far behind the
// default from the first check on end there and have little work. On later folds they go on, and so
// they do where gains are forecast. A resumed race ends them at the same rounds.
func TestRaceEndsWhatIsBehind(t *testing.T) {
	train := func(_ context.Context, c Config) (Curve, error) {
		made := Curve{Metric: Metric{Name: "logloss"}}
		behind := 0.0
		if len(c.Settings) > 0 && c.Settings[0] == "leaves=127" {
			behind = 0.1
		}
		for made.Rounds < 20 {
			made.Rounds++
			made.Best, made.Value = made.Rounds, behind+1/float64(made.Rounds+1)
			made.Work = float64(made.Rounds)
			blocks := func() []float64 { return spread(made.Value, 0.01) }
			if made.Blocks = blocks(); c.Behind(&made, made.Work, blocks) {
				break
			}
		}
		return made, nil
	}
	run := func(known []Known, sample *OtherRows) *Race {
		r := raceOf(3, 1, train)
		r.Known, r.Sample, r.Choice = known, sample, Choice{Rows: 10, Folds: 5, Fraction: 1, Steps: 5}
		for i := range r.Folds {
			r.Folds[i].Train = make([]int32, 10)
		}
		if _, err := r.Run(t.Context()); err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := run(nil, nil)
	for _, c := range r.tried {
		want := 20
		if len(c.Settings) > 0 && c.Settings[0] == "leaves=127" {
			want = firstCheck
		}
		if got := c.trials[0].Rounds; got != want {
			t.Errorf("%v has %d rounds, want %d", c.Settings, got, want)
		}
	}
	text, err := json.Marshal(r.Ended()[:1])
	if err != nil {
		t.Fatal(err)
	}
	var known []Known
	if err := json.Unmarshal(text, &known); err != nil {
		t.Fatal(err)
	}
	again := run(known, nil)
	if again.spent != r.spent {
		t.Errorf("a resumed race has the work %g, and %g at once", again.spent, r.spent)
	}
	var smaller *Race
	sampled := &OtherRows{Final: 30, Smaller: func() *Race { smaller = raceOf(1, 1, train); return smaller }}
	sampled.Whole = func(context.Context) (*Race, error) { return smaller, nil }
	for _, c := range run(nil, sampled).tried {
		if c.trials[0].Rounds != 20 && c.trials[0].done {
			t.Errorf("with a forecast %v ends after %d rounds", c.Settings, c.trials[0].Rounds)
		}
	}
}
