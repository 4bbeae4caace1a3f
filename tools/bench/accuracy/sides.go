//go:build linux

package accuracy

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tools/bench/exchange"
	"github.com/coppice-ml/coppice/tools/bench/pairs"
	"github.com/coppice-ml/coppice/tune"
)

//go:embed peers.py
var peersPython string

//go:embed peers.R
var peersR string

// comparisons returns the sides of the comparisons in the documentation. TREES is the number of
// -trees. Forests of ours and of peers have the same number of trees, of columns per node and of
// rows per leaf.
func comparisons() map[string][]string {
	const best, leaf = "portfolio budget=1000", "node_size=1|node_size=5"
	return map[string][]string{
		"boosting": {"gbm", "xgboost", "histgradientboosting"},
		"ranger":   {"forest vote=majority trees=TREES " + leaf, "ranger trees=TREES " + leaf},
		"sklearn":  {"forest vote=probability trees=TREES node_size=1", "RandomForest trees=TREES node_size=1"},
		"sklearn-extra": {"extratrees vote=probability trees=TREES node_size=1",
			"ExtraTrees trees=TREES node_size=1"},
		"ranger-extra": {"extratrees vote=majority trees=TREES " + leaf,
			"ranger-extratrees trees=TREES " + leaf},
		"ordered":   {"gbm boosting=plain", "gbm boosting=ordered"},
		"rehearsal": {"gbm rehearse=false", "gbm"},
		"settings": {"gbm", "gbm rehearse=false", "gbm colsample=1",
			"gbm colsample=1 colsample_node=0.5", "gbm leaves=8", "gbm leaves=127", "gbm min_leaf=20",
			"gbm categories=native", "gbm categories=target", "gbm categories=ordinal",
			"gbm learning_rate=0.02", "gbm subsample=0.8", "gbm growth=symmetric"},
		"oob": {"forest trees=TREES " + leaf, "forest oob trees=TREES " + leaf},
		"stacking": {"stack members=forest,gbm,logistic,knn|members=forest,gbm,linear,knn " +
			"members.forest.trees=100 members.gbm.trees=100 members.gbm.learning_rate=0.1 " +
			"|members.linear.l2=1", "forest trees=100", "gbm trees=100 learning_rate=0.1",
			"logistic|linear |l2=1", "knn"},
		"defaults": {"gbm", "lightgbm", "lightgbm-stop", "lightgbm-tuned", "xgboost", "xgboost-stop",
			"xgboost-tuned"},
		"board": {"gbm", "lightgbm", "lightgbm-stop", "lightgbm-tuned", "xgboost", "xgboost-stop",
			"xgboost-tuned", "histgradientboosting", "RandomForest trees=300 node_size=1|node_size=5"},
		"budget": {"gbm", best + " 1x", "tune 1x", "optuna 1x", best + " 5x", "tune 5x", "optuna 5x",
			best + " 20x", "tune 20x", "optuna 20x"},
	}
}

// side is what is compared.
type side struct {
	text  string
	words []string
	times float64 // multiple of the first side's time; 0 = as long as it takes
}

// parseSide reads a side: a learner of the catalog, tune or a peer's method (see peers.py and
// peers.R), and its settings as NAME=VALUE. A word A|B is A for classes and B for numbers; either
// may be empty. A last word such as 5x limits the time to that multiple of the first side's. With
// the word oob a learner trains on all rows, and predicts those of the test out of the bag.
// compat=TOOL gives it the defaults of another tool.
func parseSide(text string) (side, error) {
	s := side{text: strings.Join(strings.Fields(text), " "), words: strings.Fields(text)}
	if len(s.words) == 0 {
		return s, errors.New("a side has no words")
	}
	last := s.words[len(s.words)-1]
	if regexp.MustCompile(`^[0-9.]+x$`).MatchString(last) {
		s.times, _ = strconv.ParseFloat(strings.TrimSuffix(last, "x"), 64)
		s.words = s.words[:len(s.words)-1]
	}
	return s, nil
}

// resolve returns the method and the settings for a task.
func (s *side) resolve(t data.Task) (method string, settings []string) {
	for _, w := range s.words {
		classes, numbers, both := strings.Cut(w, "|")
		if both && !t.Classes() {
			classes = numbers
		}
		if classes != "" {
			settings = append(settings, classes)
		}
	}
	return settings[0], settings[1:]
}

// ran is what a side predicts of the test rows, and the time that it took.
type ran struct {
	predictions []float64
	cpu         float64
	detail      string
}

// do trains and tests a side in a round, in so many seconds if they are limited.
func (b *bench) do(ctx context.Context, p *problem, round int, s *side, limit float64) (ran, error) {
	method, settings := s.resolve(p.Target.Task)
	if method == "tune" {
		return b.tune(ctx, p, round, limit)
	}
	if _, err := catalog.Find(method); err != nil {
		return b.peer(ctx, p, round, method, settings, limit)
	}
	l, err := catalog.New(method)
	if err != nil {
		return ran{}, err
	}
	at := slices.Index(settings, "oob")
	if at >= 0 {
		settings = slices.Delete(settings, at, at+1)
	}
	for _, set := range [][]string{compat(l, settings), settings} {
		set = slices.DeleteFunc(slices.Clone(set), func(s string) bool {
			return strings.HasPrefix(s, "compat=")
		})
		if err := l.Params().Set(set); err != nil {
			return ran{}, err
		}
	}
	runtime.GC() // what other sides left does not count
	start := pairs.Spent()
	job := b.job(p, round)
	if limit > 0 {
		job.Observe = func(learn.Round) error {
			if pairs.Spent()-start >= limit {
				return learn.Stop
			}
			return nil
		}
	}
	var bag *learn.HoldOut
	if at >= 0 {
		job.Rows = data.AllRows(p.Rows())
		job.OutOfBag = func(o *learn.HoldOut) error { bag = o; return nil }
	}
	m, err := fit(ctx, l, p, job)
	if err != nil {
		return ran{}, err
	}
	done := ran{cpu: pairs.Spent() - start, detail: detail(m)}
	if bag != nil {
		done.predictions, err = outOfBag(bag, p.rounds[round].rows(forTest))
	} else {
		done.predictions, err = b.predict(p, round, m)
	}
	return done, err
}

// compat returns the settings of another tool that the setting compat=TOOL stands for.
func compat(l learn.Learner, settings []string) []string {
	for _, p := range l.Capabilities().Compats {
		if slices.Contains(settings, "compat="+p.Name) {
			return p.Settings
		}
	}
	return nil
}

// job is a training of a round.
func (b *bench) job(p *problem, round int) learn.Job {
	return learn.Job{Rows: p.rounds[round].rows(forTraining), Seed: b.seed + uint64(round),
		Workers: b.Threads[0]}
}

// fit prepares the training rows alone and fits.
func fit(ctx context.Context, l learn.Learner, p *problem, j learn.Job) (model.Model, error) {
	f, err := l.Prepare(ctx, p.Frame, j.Rows, p.Target.Weight, catalog.Env(j.Workers))
	if err != nil {
		return nil, err
	}
	return f.Fit(ctx, &p.Target, j)
}

// predict returns what a model predicts of the test rows.
func (b *bench) predict(p *problem, round int, m model.Model) ([]float64, error) {
	predictor, err := m.Bind(&p.Schema, model.Options{Workers: b.Threads[0]})
	if err != nil {
		return nil, err
	}
	test := p.rounds[round].rows(forTest)
	dst := make([]float64, len(test)*p.width())
	return dst, predictor.Predict(dst, p.Frame, test)
}

// outOfBag returns the predictions of some rows. One that is in the bag of every tree would have
// none.
func outOfBag(bag *learn.HoldOut, rows []int32) ([]float64, error) {
	var out []float64
	for _, r := range rows {
		at, found := slices.BinarySearch(bag.Rows, r)
		if !found || math.IsNaN(bag.Values[at*bag.Width]) {
			return nil, fmt.Errorf("row %d has no prediction out of the bag", r+1)
		}
		out = append(out, bag.Values[at*bag.Width:(at+1)*bag.Width]...)
	}
	return out, nil
}

// detail describes a model; of boosting with the rounds, and the settings that won the rehearsal.
func detail(m model.Model) string {
	var s gbm.Summary
	text := m.Describe().Words
	if learn.ReadSummary(m, &s) != nil || s.Rehearsal == nil {
		return text
	}
	for _, c := range s.Rehearsal.Candidates {
		if c.Won {
			text += fmt.Sprint(", rehearsed: ", strings.Join(c.Settings, " "))
		}
	}
	return text
}

// tune searches until the time that is left is that of a trial, and trains the best.
func (b *bench) tune(ctx context.Context, p *problem, round int, limit float64) (ran, error) {
	runtime.GC()
	start, job := pairs.Spent(), b.job(p, round)
	fresh := func() (learn.Learner, error) { return catalog.New(catalog.Default) }
	study, err := tune.Run(ctx, []tune.Candidate{{Name: catalog.Default, New: fresh}}, p.Dataset,
		&split.Plan{K: 5, Seed: b.seed}, tune.Options{Trials: 1000, Rows: job.Rows, Seed: job.Seed,
			Workers: job.Workers, Env: catalog.Env(job.Workers),
			Observe: func(s *tune.Study) error {
				// The next trial, and a final training that chooses its rounds as a trial does.
				spent := pairs.Spent() - start
				if spent+2*spent/float64(len(s.Trials)) >= limit {
					return learn.Stop
				}
				return nil
			}})
	if err != nil {
		return ran{}, err
	}
	l, err := fresh()
	if err == nil {
		err = l.Params().Set(study.Trials[study.Chosen].Settings)
	}
	if err != nil {
		return ran{}, err
	}
	m, err := fit(ctx, l, p, job)
	if err != nil {
		return ran{}, err
	}
	spent := pairs.Spent() - start
	predictions, err := b.predict(p, round, m)
	return ran{predictions, spent, fmt.Sprint(len(study.Trials), " trials, chosen ", study.Chosen)}, err
}

// peer runs a peer's method in a round.
func (b *bench) peer(ctx context.Context, p *problem, round int, method string, settings []string,
	limit float64) (ran, error) {
	program, script := b.Python, b.python
	if strings.HasPrefix(method, "ranger") {
		program, script = b.R, b.r
	}
	out, threads := filepath.Join(b.Scratch, "predicted.f64"), b.Threads[0]
	r, err := b.Peer(method, program, script, append([]string{p.folder, out, method,
		fmt.Sprint(round), fmt.Sprint(b.seed + uint64(round)), fmt.Sprint(threads), fmt.Sprint(limit),
		b.LightGBM, b.XGBoost}, settings...)...).Run(ctx, threads)
	if err != nil {
		return ran{}, err
	}
	predictions, err := exchange.ReadAll[float64](out)
	if want := len(p.rounds[round].rows(forTest)) * p.width(); err == nil && len(predictions) != want {
		err = fmt.Errorf("%s made %d predictions, want %d", method, len(predictions), want)
	}
	return ran{predictions, r.Seconds, strings.TrimSpace(r.Version + " " + r.Output)}, err
}
