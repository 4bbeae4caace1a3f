//go:build linux

package main

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// defaultsSide is settings of gbm, with what they took and reached on a set.
type defaultsSide struct {
	settings string // separated by blanks; "" = the defaults
	seconds  float64
	race     float64  // seconds of the rehearsal
	choice   float64  // seconds of choosing the rounds
	rounds   []string // of the models, and what the rehearsal chose
	score    *score
}

// defaults prints the errors and the processor time of gbm with its defaults, which rehearse,
// beside the same without the rehearsal and other settings, on the same rows and seeds.
func (b *bench) defaults(ctx context.Context, only []string) error {
	sides := []string{"rehearse=false", ""}
	if b.settings != "" {
		sides = strings.Split(b.settings, ";")
	}
	fmt.Printf("\n## Defaults of gbm\n\nSets are limited to %d rows, half of which are trained "+
		"on. Seconds are of all processors, threads: %d.\n\n", b.rows, b.threads)
	fmt.Println("| set | rows x columns | trainings | settings | error | log loss | seconds | " +
		"rehearsal, choice of rounds | % of the first's error | % of its log loss or RMSE, 95 % | " +
		"of its time | rounds, chosen |")
	fmt.Println("|---|--:|--:|---|--:|--:|--:|--:|--:|--:|--:|---|")
	errors, losses, times := map[string][]float64{}, map[string][]float64{}, map[string][]float64{}
	problems, err := b.defaultsProblems(only)
	if err != nil {
		return err
	}
	for _, p := range problems {
		var first *defaultsSide
		for _, settings := range sides {
			side, err := b.defaultsSide(ctx, settings, p)
			if err != nil {
				return fmt.Errorf("%s, %s: %w", p.name, settings, err)
			}
			if first == nil {
				first = side
			}
			e, l, t := b.printDefaults(p, side, first)
			errors[settings] = append(errors[settings], e)
			losses[settings] = append(losses[settings], l)
			times[settings] = append(times[settings], t)
		}
	}
	fmt.Println()
	for _, settings := range sides[1:] {
		fmt.Printf("%s beside %s, %d sets: error %s %%, log loss or RMSE %s %%, time x %.2f in "+
			"the geometric mean.\n", words(settings), words(sides[0]), len(errors[settings]),
			percentInterval(errors[settings]), percentInterval(losses[settings]),
			geometric(times[settings]))
	}
	return nil
}

// words names settings.
func words(settings string) string {
	if settings == "" {
		return "the default"
	}
	return settings
}

func percentInterval(values []float64) string {
	i := pairs.IntervalOf(values)
	return fmt.Sprintf("%+.2f ± %.2f", i.Mean, i.Half)
}

// geometric returns the geometric mean.
func geometric(values []float64) float64 {
	sum := 0.0
	for _, v := range values {
		sum += math.Log(v)
	}
	return math.Exp(sum / float64(len(values)))
}

// printDefaults prints a line, and returns the change of the error and of the log loss or RMSE in
// percent, and the ratio of the times.
func (b *bench) printDefaults(p *problem, side, first *defaultsSide) (e, l, t float64) {
	of := func(s *score) []float64 {
		if s.log == nil {
			return s.main
		}
		return s.log
	}
	logs := "" // of classes
	if side.score.log != nil {
		logs = fmt.Sprintf("%.4f", mean(side.score.log))
	}
	percent := func(of func(*score) []float64) pairs.Interval {
		d := differences(of(side.score), of(first.score))
		for i := range d {
			d[i] = 100 * ratio(d[i], mean(of(first.score)))
		}
		return pairs.IntervalOf(d)
	}
	e = percent(func(s *score) []float64 { return s.main }).Mean
	loss := percent(of)
	t = side.seconds / first.seconds
	fmt.Printf("| %s | %d x %d | %d | %s | %.4f | %s | %.1f | %.2f, %.2f | %+.1f | %+.1f ± %.1f | %.2f | "+
		"%s |\n",
		p.name, p.Rows(), len(p.Columns), len(p.rounds), words(side.settings),
		mean(side.score.main), logs, side.seconds, side.race, side.choice, e, loss.Mean, loss.Half, t,
		strings.Join(side.rounds, "; "))
	return e, loss.Mean, t
}

// defaultsSide trains with settings, and tests.
func (b *bench) defaultsSide(ctx context.Context, settings string, p *problem) (*defaultsSide,
	error) {
	side := &defaultsSide{settings: settings}
	o := own{learner: gbm.Name, set: strings.Fields(settings)}
	before := processorTime()
	last := before
	b.observe = func(r learn.Round) error {
		now := processorTime()
		took := (now - last).Seconds()
		switch r.Stage {
		case "rehearse":
			side.race += took
		case "choose rounds":
			side.choice += took
		}
		last = now
		return nil
	}
	defer func() { b.observe = nil }()
	predictions, err := b.ours(ctx, o, p, 0, func(m model.Model) error {
		side.rounds = append(side.rounds, chosenBy(m))
		last = processorTime()
		return nil
	})
	if err != nil {
		return nil, err
	}
	side.seconds = (processorTime() - before).Seconds()
	if len(side.rounds) > 4 {
		side.rounds = side.rounds[:4]
	}
	side.score, err = p.scores(predictions)
	return side, err
}

// processorTime returns the time that all threads have used.
func processorTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// chosenBy returns the rounds of a model, and the settings that won the rehearsal.
func chosenBy(m model.Model) string {
	var s gbm.Summary
	if err := learn.ReadSummary(m, &s); err != nil {
		return "?"
	}
	text := fmt.Sprint(s.Kept)
	if s.Rehearsal != nil {
		for _, c := range s.Rehearsal.Candidates {
			if c.Won && c.Settings != nil {
				text += " " + strings.Join(c.Settings, " ")
			}
		}
	}
	return text
}

// defaultsProblems reads the sets, and makes the generated ones.
func (b *bench) defaultsProblems(only []string) ([]*problem, error) {
	wanted := func(name string) bool { return len(only) == 0 || slices.Contains(only, name) }
	split := func(ds *data.Dataset) ([]round, error) {
		return folds(ds, b.repetitions(ds.Rows()), b.seed)
	}
	var all []*problem
	for _, s := range sets(b.rows) {
		if !wanted(s.name) || !slices.Contains(only, s.name) && slices.Contains(tiny, s.name) {
			continue
		}
		p, err := b.problem(&s, s.name, split)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	for _, g := range tableMakers() {
		if !wanted(g.name) {
			continue
		}
		rows := g.rows
		if b.rows > 0 {
			rows = min(rows, b.rows)
		}
		ds, err := g.make(rng.New(1), rows)
		if err != nil {
			return nil, err
		}
		rounds, err := split(ds)
		if err != nil {
			return nil, err
		}
		p, err := b.newProblem(g.name, ds, rounds)
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	return all, nil
}

// tiny are sets of too few rows for a rehearsal.
var tiny = []string{"iris", "fish species", "sonar", "fish weight"}
