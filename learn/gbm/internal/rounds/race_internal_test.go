package rounds

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/model"
	report "github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/rankstest"
)

// stub is what trials of a candidate find: the metric on each fold, and how it varies over blocks
// of the rows there.
type stub struct {
	values []float64
	spread float64
	work   float64 // of a trial
	failed bool
	best   int // round; 0: the third
}

// stubs are by the settings of a candidate. Others find what the default does.
type stubs map[string]stub

// train is a race's Train, which trains nothing.
func (s stubs) train(_ context.Context, c Config) (Curve, error) {
	of, known := s[strings.Join(c.Settings, " ")]
	if !known {
		of = s[""]
	}
	t := Curve{Metric{Name: "logloss"},
		Trial{Value: of.values[c.Fold], Best: max(3, of.best), Rounds: 13, Work: of.work}}
	if of.failed {
		return t, errors.New("diverged")
	}
	if of.work > c.Limit {
		t.Cut, t.Work = true, c.Limit
	}
	noise := rng.New(uint64(c.Fold), uint64(len(c.Settings)), uint64(1e6*of.spread))
	for range 10 {
		t.Blocks = append(t.Blocks, t.Value+float64(of.spread*(noise.Float64()-0.5)))
	}
	return t, nil
}

// stubbed returns a race on folds whose trials are stubs, with a budget, and the default after its
// trials on the first folds.
func stubbed(t rapid.TB, folds, first int, budget float64, of stubs, g ranks.Group) (*Race,
	*Candidate) {
	t.Helper()
	r := raceOf(folds, first, of.train)
	r.Ranks, r.budget = g, budget
	usual := &Candidate{Weight: 1}
	if err := r.train(context.Background(), r.places(usual, 0, first, unlimited)); err != nil {
		t.Fatal(err)
	}
	return r, usual
}

// raceOf returns a race of challengers in three factors, which prepares nothing.
func raceOf(folds, first int, train Train) *Race {
	return &Race{First: first, Folds: make([]split.Fold, folds), Rate: 0.3, Workers: 1, Train: train,
		Preparation: func(_ []string, fold int) (Prepared, float64) { return Prepared{Fold: fold}, 0 },
		Challengers: [][]*Candidate{
			{{Factor: "columns", Settings: []string{"colsample=1"}, Weight: 1.6},
				{Factor: "columns", Settings: []string{"colsample=1", "colsample_node=0.5"}, Weight: 1.6}},
			{{Factor: "categories", Settings: []string{"categories=native"}, Weight: 1},
				{Factor: "categories", Settings: []string{"categories=target"}, Weight: 1}},
			{{Factor: "leaves", Settings: []string{"leaves=8"}, Weight: 1.2},
				{Factor: "leaves", Settings: []string{"leaves=127"}, Weight: 1.8}},
		}}
}

// decided returns the settings of the winner of a race, and the rehearsal.
func decided(t rapid.TB, folds, first int, budget float64, of stubs) (string, *Race) {
	t.Helper()
	r, usual := stubbed(t, folds, first, budget, of, nil)
	return strings.Join(winnerOf(t, r, usual).Settings, " "), r
}

// winnerOf returns the winner of a race whose default was trained on the first folds.
func winnerOf(t rapid.TB, r *Race, usual *Candidate) *Candidate {
	t.Helper()
	finalists, err := r.race(context.Background(), usual)
	if err != nil {
		t.Fatal(err)
	}
	winner, err := r.confirm(context.Background(), finalists, usual)
	if err != nil {
		t.Fatal(err)
	}
	return winner
}

// sentence is what a model's report says of a rehearsal.
func sentence(t rapid.TB, r *report.Rehearsal) string {
	t.Helper()
	s := report.Boosting{Loss: "logistic", Rehearsal: r}
	s.Log.Rounds, s.Kept = 1, 1
	for _, f := range s.Describe(&model.Ensemble{}).Facts {
		if f.Name == "tried" {
			return f.Text
		}
	}
	t.Fatal("no sentence")
	return ""
}

// flat is a candidate with the same value on all folds.
func flat(v, spread, work float64) stub {
	return stub{values: []float64{v, v, v, v, v}, spread: spread, work: work}
}

// TestCertainWinners: a candidate that is ahead by 3 standard errors over the rows and 1 % of the
// metric is not dropped because the budget is used up, or because another one of its factor fell.
func TestCertainWinners(t *testing.T) {
	for _, c := range []struct {
		name   string
		budget float64
		of     stubs
		want   string
		says   string
	}{
		{"ahead, and no budget for further folds", 6,
			stubs{"": flat(0.5, 0.001, 1), "leaves=8": flat(0.45, 0.002, 1)}, "leaves=8",
			"leaves=8 is better, log loss by 0.0500"},
		{"of two the better one", 8, stubs{"": flat(0.5, 0.001, 1),
			"leaves=8": flat(0.45, 0.002, 1), "leaves=127": flat(0.44, 0.002, 1)}, "leaves=127",
			"on 1 of 3 folds"},
		{"ahead by less than 1 %", 6,
			stubs{"": flat(0.5, 0.0001, 1), "leaves=8": flat(0.4951, 0.0002, 1)}, "",
			"the default stays: leaves=8 is better, log loss by 0.0049"},
		{"ahead by two standard errors", 6,
			stubs{"": flat(0.5, 0.1, 1), "leaves=8": flat(0.48, 0.11, 1)}, "",
			"on 1 of 3 folds, but too few folds tested it"},
		{"none is ahead", 6, stubs{"": flat(0.5, 0.001, 1), "leaves=8": flat(0.51, 0.002, 1)}, "",
			"none is better by more than one standard error"},
		{"the better one of the factor falls", 100, stubs{"": flat(0.5, 0.001, 1),
			"leaves=8":   stub{values: []float64{0.40, 0.52, 0.52}, spread: 0.002, work: 1},
			"leaves=127": flat(0.45, 0.002, 1)}, "leaves=127",
			"leaves=127 is better, log loss by 0.0500"},
		{"both of the factor fall", 100, stubs{"": flat(0.5, 0.001, 1),
			"leaves=8":   stub{values: []float64{0.40, 0.52, 0.52}, spread: 0.002, work: 1},
			"leaves=127": stub{values: []float64{0.41, 0.52, 0.52}, spread: 0.002, work: 1}}, "",
			": none is better"},
		{"ahead, and fails later", 6, stubs{"": flat(0.5, 0.001, 1),
			"leaves=8": stub{values: []float64{0.4, 0.4, 0.4}, failed: true, work: 1}}, "",
			": none is better"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, r := decided(t, 3, 1, c.budget, c.of)
			if got != c.want {
				t.Errorf("%q won, want %q", got, c.want)
			}
			winner := r.tried[slices.IndexFunc(r.tried, func(o *Candidate) bool {
				return strings.Join(o.Settings, " ") == got
			})]
			if text := sentence(t, r.Report(winner)); !strings.Contains(text, c.says) {
				t.Errorf("the report says %q, want %q", text, c.says)
			}
			if r.tried[0].folds() == 1 && c.budget < 10 && r.spent > c.budget {
				t.Errorf("spent %v of %v", r.spent, c.budget)
			}
		})
	}
}

// TestSentenceFollowsFromTheTable: of random trials the report never claims what its own table
// contradicts, and nobody who is certainly ahead after the first folds is left without a decision.
func TestSentenceFollowsFromTheTable(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		folds := rapid.SampledFrom([]int{1, 3, 5}).Draw(t, "folds")
		first := min(folds, rapid.IntRange(1, 2).Draw(t, "first"))
		of := stubs{}
		scale := rapid.SampledFrom([]float64{0.1, 0.3, 1}).Draw(t, "scale")
		for _, settings := range []string{"", "leaves=8", "leaves=127", "colsample=1",
			"colsample=1 colsample_node=0.5", "categories=native"} {
			s := stub{spread: rapid.Float64Range(0, 0.05).Draw(t, "spread"),
				work:   rapid.Float64Range(0.1, 3).Draw(t, "work"),
				failed: settings != "" && rapid.IntRange(0, 9).Draw(t, "fails") == 0}
			level := 0.5 + float64(scale*rapid.Float64Range(-0.05, 0.05).Draw(t, "level"))
			for range folds {
				fold := rapid.Float64Range(-0.02, 0.02).Draw(t, "fold")
				s.values = append(s.values, level+float64(scale*fold))
			}
			of[settings] = s
		}
		r, usual := stubbed(t, folds, first, rapid.Float64Range(1, 60).Draw(t, "budget"), of, nil)
		winner := winnerOf(t, r, usual)
		made := r.Report(winner)
		checkSentence(t, made, sentence(t, made))
		for _, c := range r.tried[1:] {
			if winner == usual && c.folds() == first && first < folds && r.Metric.certain(c, usual) {
				t.Fatalf("%v is certainly ahead, and the default is kept", c.Settings)
			}
		}
	})
}

// checkSentence compares a sentence with the table of candidates.
func checkSentence(t rapid.TB, r *report.Rehearsal, text string) {
	t.Helper()
	for _, c := range r.Candidates {
		name := strings.Join(c.Settings, " ")
		ahead := c.Folds > 0 && !c.Failed && c.Gain > c.Error && c.Gain > 0
		stays := strings.Contains(text, ": the default stays") || strings.Contains(text, ": none is better")
		named := strings.Contains(text, ": "+name+" is better,") ||
			strings.Contains(text, "although "+name+" is better,")
		switch {
		case ahead && strings.Contains(text, "none is better by more than one"):
			t.Fatalf("%q, but %+v", text, c)
		case c.Won != (named && !stays) && name != "":
			t.Fatalf("%q, but %+v", text, c)
		case c.Won && name == "" && !stays:
			t.Fatalf("%q, but the default won", text)
		case c.Won && name != "" && !ahead:
			t.Fatalf("%q, but %+v is not ahead", text, c)
		case !ahead && name != "" && named && r.Confirmed == nil:
			t.Fatalf("%q, but %+v", text, c)
		}
	}
}

// TestWinnersAreConfirmed: the winner of a sample is taken only if it is better on all rows, too,
// and the report has why.
func TestWinnersAreConfirmed(t *testing.T) {
	for _, c := range []struct {
		name string
		of   stub // leaves=8 on all rows
		kept bool
		says string
	}{
		{"better", flat(0.49, 0.002, 1), false, "leaves=8 is better, log loss by 0.0500 " +
			"(standard error "},
		{"worse", flat(0.5057, 0.002, 1), true,
			"the default stays: leaves=8 is worse, log loss by 0.0057 "},
		{"hardly better", flat(0.4999, 0.02, 1), true,
			"the default stays: leaves=8 is better by too little, log loss by "},
		{"fails", stub{failed: true, values: []float64{1}}, true,
			"the default stays: the training of leaves=8 failed on all 1000 rows"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, usual := stubbed(t, 3, 1, 6,
				stubs{"": flat(0.5, 0.001, 1), "leaves=8": flat(0.45, 0.002, 1)}, nil)
			finalists, err := r.race(t.Context(), usual)
			if err != nil || len(finalists) != 1 {
				t.Fatalf("%d finalists, %v", len(finalists), err)
			}
			trials := 0
			all := raceOf(1, 1, func(ctx context.Context, config Config) (Curve, error) {
				trials++
				return stubs{"": flat(0.5, 0.001, 1), "leaves=8": c.of}.train(ctx, config)
			})
			all.Folds[0] = split.Fold{Train: make([]int32, 850), Test: make([]int32, 150)}
			r.Sample = &OtherRows{Whole: func(context.Context) (*Race, error) { return all, nil }}
			got, err := r.confirm(t.Context(), finalists, usual)
			if err != nil || (got == usual) != c.kept || trials != 2 {
				t.Errorf("%v is taken after %d trials, %v", got.Settings, trials, err)
			}
			made := r.Report(got)
			text := sentence(t, made)
			if !strings.Contains(text, c.says) || len(made.Confirmed) != 1 ||
				made.Confirmed[0].Rows != 1000 || made.Confirmed[0].Accepted == c.kept {
				t.Errorf("%q, %+v", text, made.Confirmed)
			}
			checkSentence(t, made, text)
			if again, _ := r.confirm(t.Context(), nil, usual); again != usual || trials != 2 {
				t.Error("the default is confirmed")
			}
		})
	}
}

// TestNextFinalistsAreConfirmed: where the best of a sample is refused on all rows, the next best
// are asked there, and the default was trained there once.
func TestNextFinalistsAreConfirmed(t *testing.T) {
	sample := stubs{"": flat(0.5, 0.001, 1), "leaves=8": flat(0.40, 0.002, 1),
		"colsample=1": flat(0.45, 0.002, 1), "leaves=8 colsample=1": flat(0.41, 0.001, 1)}
	for _, c := range []struct {
		name   string
		all    stubs
		want   string
		trials int
		says   string
	}{
		{"the second", stubs{"": flat(0.5, 0.001, 1), "leaves=8": flat(0.51, 0.001, 1),
			"leaves=8 colsample=1": flat(0.49, 0.001, 1)}, "leaves=8 colsample=1", 3,
			"on all 1000 rows by 0.0100"},
		{"the third", stubs{"": flat(0.5, 0.001, 1), "leaves=8": flat(0.51, 0.001, 1),
			"leaves=8 colsample=1": flat(0.52, 0.001, 1), "colsample=1": flat(0.48, 0.001, 1)},
			"colsample=1", 4, "on all 1000 rows by 0.0200"},
		{"none", stubs{"": flat(0.5, 0.001, 1), "leaves=8": flat(0.51, 0.001, 1),
			"leaves=8 colsample=1": flat(0.52, 0.001, 1), "colsample=1": flat(0.53, 0.001, 1)},
			"", 4, "the default stays: leaves=8 is worse, log loss by 0.0100"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, usual := stubbed(t, 3, 1, 100, sample, nil)
			trials := 0
			all := raceOf(1, 1, func(ctx context.Context, config Config) (Curve, error) {
				trials++
				return c.all.train(ctx, config)
			})
			all.Folds[0] = split.Fold{Train: make([]int32, 850), Test: make([]int32, 150)}
			r.Sample = &OtherRows{Whole: func(context.Context) (*Race, error) { return all, nil }}
			winner := winnerOf(t, r, usual)
			if got := strings.Join(winner.Settings, " "); got != c.want || trials != c.trials {
				t.Errorf("%q is taken after %d trials", got, trials)
			}
			if text := sentence(t, r.Report(winner)); !strings.Contains(text, c.says) {
				t.Errorf("%q", text)
			}
		})
	}
}

// TestLargeGainsAreExtended: a winner that gains a fifth of the metric on all rows is tried there
// with the best of another factor, too, whatever the sample found of both, and the better one wins.
func TestLargeGainsAreExtended(t *testing.T) {
	sample := stubs{"": flat(0.5, 0.001, 1), "leaves=8": flat(0.49, 0.02, 1),
		"colsample=1": flat(0.3, 0.002, 1), "colsample=1 leaves=8": flat(0.35, 0.001, 1)}
	sample["leaves=8 colsample=1"] = sample["colsample=1 leaves=8"]
	for _, c := range []struct {
		name        string
		alone, both stub
		want        string
		trials      int
	}{
		{"better", flat(0.3, 0.001, 1), flat(0.2, 0.001, 1), "colsample=1 leaves=8", 3},
		{"worse", flat(0.3, 0.001, 1), flat(0.31, 0.001, 1), "colsample=1", 3},
		{"no better than the default", flat(0.3, 0.001, 1), flat(0.29, 3, 1), "colsample=1", 3},
		{"fails", flat(0.3, 0.001, 1), stub{failed: true, values: []float64{1}}, "colsample=1", 3},
		{"a small gain", flat(0.45, 0.001, 1), flat(0.2, 0.001, 1), "colsample=1", 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, usual := stubbed(t, 3, 1, 100, sample, nil)
			of := stubs{"": flat(0.5, 0.001, 1), "colsample=1": c.alone, "colsample=1 leaves=8": c.both,
				"leaves=8 colsample=1": c.both}
			all := raceOf(1, 1, of.train)
			all.Folds[0] = split.Fold{Train: make([]int32, 850), Test: make([]int32, 150)}
			r.Sample = &OtherRows{Whole: func(context.Context) (*Race, error) { return all, nil }}
			winner := winnerOf(t, r, usual)
			if got := strings.Join(winner.Settings, " "); got != c.want ||
				len(r.confirmed) != c.trials-1 {
				t.Errorf("%q is taken after %d trials", got, len(r.confirmed)+1)
			}
			made := r.Report(winner)
			if text := sentence(t, made); !strings.Contains(text, ": "+c.want+" is better, ") {
				t.Errorf("%q", text)
			}
			seen := map[string]bool{}
			for _, o := range made.Candidates {
				name := strings.Join(o.Settings, " ")
				if seen[name] {
					t.Errorf("%q is listed twice", name)
				}
				seen[name] = true
			}
		})
	}
}

// TestUntriedPairsAreFinalists: where the budget of a sample ends before two winners are tried
// together, they are on all rows, beside the best of them alone.
func TestUntriedPairsAreFinalists(t *testing.T) {
	sample := stubs{"": flat(0.5, 0.2, 1), "leaves=8": flat(0.48, 0.22, 1),
		"colsample=1": flat(0.47, 0.24, 1)}
	for pair, want := range map[float64]string{0.4: "colsample=1 leaves=8", 0.47: "colsample=1",
		0.6: "colsample=1"} {
		r, usual := stubbed(t, 3, 1, 12.5, sample, nil)
		of := stubs{"": flat(0.5, 0.001, 1), "colsample=1": flat(0.45, 0.001, 1),
			"colsample=1 leaves=8": flat(pair, 0.001, 1)}
		all := raceOf(1, 1, of.train)
		all.Folds[0] = split.Fold{Train: make([]int32, 850), Test: make([]int32, 150)}
		r.Sample = &OtherRows{Whole: func(context.Context) (*Race, error) { return all, nil }}
		winner := winnerOf(t, r, usual)
		if got := strings.Join(winner.Settings, " "); got != want || len(r.confirmed) != 2 {
			t.Errorf("%v on all rows: %q won of %+v", pair, got, r.confirmed)
		}
		made := r.Report(winner)
		text := sentence(t, made)
		if !strings.Contains(text, ": "+want+" is better, log loss by ") ||
			!strings.Contains(text, " on all 1000 rows") {
			t.Errorf("%q", text)
		}
	}
}

// TestStrongLeadersAreTriedTogether: two that are certainly ahead on the first fold take the work
// of the default's other folds for their trial together, where the budget does not allow both.
func TestStrongLeadersAreTriedTogether(t *testing.T) {
	of := stubs{"": flat(0.5, 0.001, 1), "leaves=8": flat(0.47, 0.002, 1),
		"colsample=1": flat(0.48, 0.002, 1), "leaves=8 colsample=1": flat(0.44, 0.001, 1)}
	for _, c := range []struct {
		budget float64
		folds  int // of the default
	}{{8, 1}, {11, 1}, {100, 2}} {
		got, r := decided(t, 3, 1, c.budget, of)
		if got != "leaves=8 colsample=1" || r.tried[0].folds() != c.folds || r.spent > c.budget {
			t.Errorf("budget %v: %q won, the default has %d folds, %v spent", c.budget, got,
				r.tried[0].folds(), r.spent)
		}
	}
}

// TestFaintLeadsEndAfterTheFirstFold: a candidate that leads by less than half a standard error
// takes no further folds, and neither does the default then.
func TestFaintLeadsEndAfterTheFirstFold(t *testing.T) {
	for gain, want := range map[float64]int{0.0005: 1, 0.05: 2} {
		_, r := decided(t, 3, 1, 100, stubs{"": flat(0.5, 0.02, 1),
			"leaves=8": flat(0.5-gain, 0.021, 1)})
		if got := r.tried[0].folds(); got != want {
			t.Errorf("a lead of %v: the default is trained on %d folds, want %d", gain, got, want)
		}
	}
}

// TestFoldsAreAskedInTurn: a leader that is ahead by two standard errors on the first two folds, or
// behind on them together, takes no third one. The default takes it where there is another leader.
func TestFoldsAreAskedInTurn(t *testing.T) {
	for _, c := range []struct {
		name    string
		leaves  []float64 // of leaves=8 by fold, beside 0.5 of the default
		columns []float64 // of colsample=1
		want    [3]int    // folds of the default and of these
		won     string
	}{
		{"ahead on two", []float64{0.45, 0.46, 0.9}, nil, [3]int{2, 2, 1}, "leaves=8"},
		{"behind on two", []float64{0.49, 0.52, 0.1}, nil, [3]int{2, 2, 1}, ""},
		{"ahead on one", []float64{0.40, 0.51, 0.45}, nil, [3]int{3, 3, 1}, "leaves=8"},
		{"one of two", []float64{0.45, 0.46, 0.9}, []float64{0.47, 0.502, 0.502}, [3]int{3, 2, 3},
			"leaves=8"},
	} {
		t.Run(c.name, func(t *testing.T) {
			of := stubs{"": flat(0.5, 0.01, 1), "leaves=8": {values: c.leaves, spread: 0.011, work: 1}}
			if c.columns != nil {
				of["colsample=1"] = stub{values: c.columns, spread: 0.012, work: 1}
			}
			won, r := decided(t, 3, 1, 100, of)
			folds := [3]int{r.tried[0].folds()}
			for _, made := range r.tried {
				switch strings.Join(made.Settings, " ") {
				case "leaves=8":
					folds[1] = made.folds()
				case "colsample=1":
					folds[2] = made.folds()
				}
			}
			if folds != c.want || won != c.won {
				t.Errorf("folds %v, want %v; %q won", folds, c.want, won)
			}
		})
	}
}

// TestSomeWaitForOthers: a challenger that waits for another factor is tried only if one of that is
// certainly ahead, or if the default takes 40 rounds on all of 5,000 rows at most. It takes no work
// from others otherwise. One that was not called so wins by more than 5 % of the best metric of all
// others.
func TestSomeWaitForOthers(t *testing.T) {
	for _, c := range []struct {
		lead, gain float64
		best, rows int
		sample     *OtherRows
		want       string
	}{
		{0.04, 0.1, 3, 0, nil, "growth=symmetric colsample=1"},
		{0.02, 0.03, 3, 0, nil, "growth=symmetric colsample=1"},
		{0, 0.1, 39, 0, nil, ""},
		{0, 0.03, 40, 5000, nil, "growth=symmetric"},
		{0, 0.02, 40, 5000, nil, ""},
		{0.004, 0.03, 40, 5000, nil, "growth=symmetric colsample=1"},
		{0, 0.1, 40, 0, &OtherRows{}, ""},
		{0, 0.1, 40, 5001, nil, ""},
	} {
		of := stubs{"": flat(0.5, 0.001, 1), "colsample=1": flat(0.5-c.lead, 0.002, 1),
			"growth=symmetric":             flat(0.5-c.gain, 0.002, 1),
			"growth=symmetric colsample=1": flat(0.3, 0.002, 1)}
		of[""] = stub{values: of[""].values, spread: 0.001, work: 1, best: c.best}
		r, usual := stubbed(t, 3, 1, 100, of, nil)
		r.Sample, r.Rows = c.sample, c.rows
		r.Challengers[2] = append(r.Challengers[2], &Candidate{Factor: "leaves",
			Settings: []string{"growth=symmetric"}, Weight: 2, Upon: "columns"})
		if got := strings.Join(winnerOf(t, r, usual).Settings, " "); got != c.want {
			t.Errorf("%+v: %q won", c, got)
		}
		if c.lead == 0 && c.rows != 5000 && len(r.tried)+len(r.skipped) != 7 {
			t.Errorf("%+v: %d were tried, %d skipped", c, len(r.tried), len(r.skipped))
		}
	}
}

// TestForecasts: a winner whose gain falls with the rows is no finalist of more rows, and another
// that loses less with more rows may be one. The line goes on from 100 and 300 rows to 2,700.
func TestForecasts(t *testing.T) {
	sample := stubs{"": flat(0.5, 0.001, 1), "leaves=8": flat(0.48, 0.002, 1),
		"leaves=127": flat(0.51, 0.0011, 1)}
	far := stubs{"": flat(0.5, 0.001, 1), "leaves=8": flat(0.40, 0.002, 1),
		"colsample=1": flat(0.499, 0.0011, 1)}
	for _, c := range []struct {
		name      string
		small     stubs
		want      string
		says      string
		unfunded  bool
		finalists int
	}{
		{"the gain falls", stubs{"": flat(0.6, 0.001, 1), "leaves=8": flat(0.54, 0.002, 1)}, "",
			"fewer rows gained more, and all are expected to gain -8 %", false, 0},
		{"the gain stays", stubs{"": flat(0.6, 0.001, 1), "leaves=8": flat(0.576, 0.002, 1)},
			"leaves=8", ": leaves=8 is better", false, 1},
		{"large trees pass", stubs{"": flat(0.6, 0.001, 1), "leaves=8": flat(0.54, 0.002, 1),
			"leaves=127": flat(0.65, 0.002, 1)}, "leaves=127", "", false, 1},
		{"large trees are not asked", stubs{"": flat(0.6, 0.001, 1), "leaves=8": flat(0.58, 0.002, 1),
			"leaves=127": flat(0.65, 0.002, 1)}, "leaves=8", "", true, 1},
		{"far ahead, and none is left", stubs{"": flat(0.6, 0.001, 1),
			"leaves=8": flat(0.40, 0.002, 1), "colsample=1": flat(0.59, 0.001, 1)},
			"leaves=8 colsample=1", "", false, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			budget, of := 100.0, sample
			if c.unfunded {
				budget = 10.5
			}
			if strings.HasPrefix(c.name, "far ahead") {
				of = far
			}
			r, usual := stubbed(t, 3, 1, budget, of, nil)
			r.Folds[0].Train = make([]int32, 300)
			r.Sample = &OtherRows{Final: 2700,
				Smaller: func() *Race { return raceOf(1, 1, c.small.train) }}
			finalists, err := r.race(t.Context(), usual)
			if err != nil || len(finalists) != c.finalists {
				t.Fatalf("%d finalists, %v", len(finalists), err)
			}
			winner := usual
			if len(finalists) > 0 {
				winner = finalists[0]
			}
			if got := strings.Join(winner.Settings, " "); got != c.want {
				t.Errorf("%q is the first, want %q", got, c.want)
			}
			if text := sentence(t, r.Report(winner)); !strings.Contains(text, c.says) {
				t.Errorf("%q, want %q", text, c.says)
			}
		})
	}
}

// Several ranks carry each trial out once, and all take the same decision.
func TestRanksDecideTheSame(t *testing.T) {
	of := stubs{"": flat(0.5, 0.001, 1), "colsample=1": flat(0.47, 0.02, 1.5),
		"leaves=8":   stub{values: []float64{0.40, 0.52, 0.52}, spread: 0.002, work: 1},
		"leaves=127": flat(0.45, 0.002, 1)}
	want, alone := decided(t, 3, 1, 100, of)
	wantBudget := alone.spent
	for _, n := range []int{2, 3} {
		carried := map[string]int{}
		errs := rankstest.Each(n, func(g ranks.Group) error {
			r, usual := stubbed(t, 3, 1, 100, of, g)
			r.Train = func(ctx context.Context, c Config) (Curve, error) {
				carried[fmt.Sprint(c.Settings, c.Fold)]++
				return of.train(ctx, c)
			}
			finalists, err := r.race(t.Context(), usual)
			if err != nil || len(finalists) == 0 ||
				strings.Join(finalists[0].Settings, " ") != want ||
				math.Abs(r.spent-wantBudget) > 1e-12 {
				return fmt.Errorf("rank %d of %d: %v, %v spent, %v, want %q, %v", g.Rank(), n,
					finalists, r.spent, err, want, wantBudget)
			}
			return nil
		})
		if err := errors.Join(errs...); err != nil {
			t.Error(err)
		}
		for what, times := range carried {
			if times != 1 {
				t.Errorf("%d ranks: %s is trained %d times", n, what, times)
			}
		}
	}
}

// A checkpoint has the trials so far, with what they were of, and a race that takes them over
// repeats none. Their keys are those of checkpoints of earlier versions.
func TestResumedRaceRepeatsNothing(t *testing.T) {
	of := stubs{"": flat(0.5, 0.001, 1), "leaves=8": flat(0.45, 0.002, 1)}
	r := raceOf(3, 1, of.train)
	r.Choice = Choice{Rows: 10, Folds: 5, Fraction: 0.8, Steps: 6}
	for i := range r.Folds {
		r.Folds[i].Train = make([]int32, 8)
	}
	again := *r
	want, err := r.Run(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(r.Ended())
	if err != nil {
		t.Fatal(err)
	}
	var keys []map[string]any
	if err := json.Unmarshal(text, &keys); err != nil || len(keys) < 5 {
		t.Fatalf("%s, %v", text, err)
	}
	for _, key := range []string{"settings", "fold", "value", "best", "rounds", "blocks", "work"} {
		if _, ok := keys[0][key]; !ok {
			t.Errorf("no %q in %v", key, keys[0])
		}
	}
	if err := json.Unmarshal(text, &again.Known); err != nil {
		t.Fatal(err)
	}
	again.Train = func(ctx context.Context, c Config) (Curve, error) {
		if !c.Begin {
			t.Errorf("%v on fold %d is trained again", c.Settings, c.Fold)
		}
		return of.train(ctx, c)
	}
	if got, err := again.Run(t.Context()); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v, want %+v", got, err, want)
	}
}
