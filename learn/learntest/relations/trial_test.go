package relations

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

// trial is one relation on one table: a learner, and what was trained on the table before.
type trial struct {
	testing.TB
	*made
	task data.Task
	seed uint64 // of the training
	*tables
}

// made is a subject with its learner, which no training changes, and the tables that it was tried
// on.
type made struct {
	subject
	learn.Capabilities
	learner learn.Learner
	tables  map[tableKey]*tables
}

type tableKey struct {
	task   data.Task
	number uint64
}

func newMade(s subject) *made {
	l := s.new()
	return &made{s, l.Capabilities(), l, map[tableKey]*tables{}}
}

// trial returns the trial of a relation on one table.
func (m *made) trial(t testing.TB, task data.Task, number uint64) *trial {
	k := tableKey{task, number}
	if m.tables[k] == nil {
		m.tables[k] = newTables(task, m.Needs, number)
	}
	return &trial{t, m, task, 3, m.tables[k]}
}

// tables are a random table without weights and with them, and the models of both. Relations share
// them, since half of what they compare is the same.
type tables struct {
	number  uint64
	plain   *table
	weighed *table // random weights, by which no two sums of rows are equal
	models  map[modelKey]model.Model
}

type modelKey struct {
	of   *table
	seed uint64
}

func newTables(task data.Task, needs learn.Needs, number uint64) *tables {
	plain := newTable(task, needs, number)
	weight := weights(rng.New(43, number), plain.Rows())
	for i, g := range plain.Target.Group { // rows of a group weigh alike
		weight[i] = weight[slices.Index(plain.Target.Group, g)]
	}
	return &tables{number, plain, plain.weighing(weight), map[modelKey]model.Model{}}
}

// random returns a stream of the table's own, for what a relation changes at random.
func (c *trial) random() *rng.Stream { return rng.New(47, c.number) }

// with returns the learner, or a new one with further settings.
func (c *trial) with(settings ...string) learn.Learner {
	c.Helper()
	if len(settings) == 0 {
		return c.learner
	}
	return learntest.Made(c, c.new(), settings...)
}

// of returns the model of one of the two tables.
func (c *trial) of(t *table) model.Model {
	c.Helper()
	key := modelKey{t, c.seed}
	if c.models[key] == nil {
		c.models[key] = c.fit(t)
	}
	return c.models[key]
}

// fit trains the subject on a table, with further settings.
func (c *trial) fit(t *table, settings ...string) model.Model {
	c.Helper()
	return c.train(t, t.job(c.seed), settings...)
}

// train is fit for a job of its own.
func (c *trial) train(t *table, job learn.Job, settings ...string) model.Model {
	c.Helper()
	return learntest.MustFit(c, catalog.Env(max(1, job.Workers)), c.with(settings...), t.Dataset, job)
}

// predict returns the responses of a model, each of which is a number.
func (c *trial) predict(m model.Model, f *data.Frame) []float64 {
	c.Helper()
	return c.finite(m, modeltest.Predict(c, m, f, model.Options{}, nil))
}

// finite checks responses: they are numbers, and class probabilities add up to 1.
func (c *trial) finite(m model.Model, responses []float64) []float64 {
	c.Helper()
	sum, k := 0.0, m.Outputs()
	for i, v := range responses {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			c.Fatalf("row %d: response %v", i/k, v)
		}
		if sum += v; i%k == k-1 {
			if m.Spec().Task.Classes() && math.Abs(sum-1) > 1e-9 {
				c.Fatalf("row %d: probabilities sum to %g", i/k, sum)
			}
			sum = 0
		}
	}
	return responses
}

// everywhere predicts the training rows of a table as changed, and the fresh ones.
func (c *trial) everywhere(m model.Model, t *table, change func(f *data.Frame) *data.Frame) []float64 {
	c.Helper()
	return append(c.predict(m, change(t.seen())), c.predict(m, change(t.fresh))...)
}

// written returns a model as a file.
func (c *trial) written(m model.Model) []byte {
	c.Helper()
	var file bytes.Buffer
	if err := coppice.Write(&file, m); err != nil {
		c.Fatal(err)
	}
	return file.Bytes()
}

// sameBytes ends the trial where two models are not the same file.
func (c *trial) sameBytes(a, b model.Model) {
	c.Helper()
	if !bytes.Equal(c.written(a), c.written(b)) {
		c.Fatal("the models are not the same, byte for byte")
	}
}

// has reports whether the learner itself has a parameter.
func (c *trial) has(name string) bool {
	for _, p := range c.learner.Params() {
		if p.Name == name {
			return true
		}
	}
	return false
}

// unchanged is a table as it is.
func unchanged(f *data.Frame) *data.Frame { return f }

// subject is a learner of the catalog with settings. Its title is the learner's name, with a word
// for the settings behind a slash.
type subject struct {
	title    string
	settings string
	only     data.Task // the one task that it is tried on; Auto: all that the learner does
}

// name returns the learner's name in the catalog.
func (s *subject) name() string {
	name, _, _ := strings.Cut(s.title, "/")
	return name
}

// new makes the learner.
func (s *subject) new() learn.Learner {
	entry, err := catalog.Find(s.name())
	if err != nil {
		panic(err)
	}
	l := learntest.Small(entry.New())
	if err := l.Params().Set(strings.Fields(s.settings)); err != nil {
		panic(s.title + ": " + err.Error())
	}
	return l
}

// tasks lists what the subject is tried on; data.Auto stands for no label.
func (m *made) tasks() []data.Task {
	switch can := m.Capabilities; {
	case m.only != data.Auto:
		return []data.Task{m.only}
	case can.Unsupervised:
		return []data.Task{data.Auto}
	case can.Classes:
		return []data.Task{data.Binary, data.Multiclass}
	case can.Survival:
		return []data.Task{data.Survival}
	}
	return append([]data.Task{data.Binary, data.Multiclass, data.Regression}, m.Tasks...)
}

// subjects lists every learner of the catalog with few trees, rounds or epochs, so that a new one
// is tested at once. Beside it stand the settings of some that take other ways through the code.
// Trees are shallow, since trees that memorise the labels predict them whatever the relation.
func subjects() []subject {
	var all []subject
	for _, entry := range catalog.Table() {
		all = append(all, subject{title: entry.Name, settings: cheap[entry.Name]})
		for _, s := range further {
			if s.name() == entry.Name {
				all = append(all, s)
			}
		}
	}
	return all
}

// cheap are settings of learners that train many others by default, or memorise the table.
var cheap = map[string]string{
	"anyboost":  "rounds=4",
	"bag":       "members=4 base.prune=none",
	"calibrate": "folds=3 base.prune=none",
	"vote":      "members=cart,linear members.cart.prune=none",
	"stack":     "members=cart,linear members.cart.prune=none folds=3",
	"portfolio": "members=cart,linear budget=3 folds=3",
	"id3":       "depth=2",
}

var further = []subject{
	{title: "cart/grown", settings: "prune=none depth=3"},
	{title: "cart/surrogate", settings: "prune=none depth=3 missing=surrogate"},
	{title: "cart/fractional", settings: "prune=none missing=fractional min_leaf=3"},
	{title: "cart/majority", settings: "prune=none missing=majority depth=3"},
	{title: "forest/allrows", settings: "trees=3 depth=3 sample=none mtry=all"},
	{title: "forest/quantiles", settings: "quantiles=true", only: data.Regression},
	{title: "extratrees/allrows", settings: "trees=3 depth=3 sample=none mtry=all"},
	{title: "gbm/plain", settings: plainBoosting},
	{title: "gbm/native", settings: plainBoosting + "categories=native", only: data.Multiclass},
	{title: "gbm/target", settings: plainBoosting + "categories=target", only: data.Binary},
	{title: "gbm/symmetric", settings: plainBoosting + "growth=symmetric depth=3",
		only: data.Regression},
	{title: "gbm/ordered", settings: "trees=6 boosting=ordered growth=symmetric depth=3 " +
		"categories=target", only: data.Binary},
	{title: "gbm/dart", settings: plainBoosting + "boosting=dart", only: data.Multiclass},
	{title: "gbm/goss", settings: plainBoosting + "sampling=goss", only: data.Regression},
	{title: "gbm/vector", settings: plainBoosting + "multi_output=true", only: data.Multiclass},
	{title: "gbm/linear", settings: "trees=6 min_leaf=6 colsample=1 linear_tree=true",
		only: data.Regression},
	{title: "gbm/quantiles", settings: plainBoosting + "loss=quantile loss.quantiles=0.2,0.5,0.9",
		only: data.Regression},
	{title: "gbm/chosen", settings: "early_stopping=2 min_leaf=3 colsample=1 trees=0", only: data.Binary},
	{title: "anyboost/searched", settings: "rounds=3 step=line subsample=0.7"},
	{title: "anyboost/linear", settings: "rounds=4 base=linear"},
	{title: "bag/columns", settings: "members=4 base=rules columns=0.5 vote=majority"},
	{title: "bag/linear", settings: "members=4 base=linear sample=none"},
	{title: "vote/majority", settings: "members=cart,bayes,linear vote=majority " +
		"members.cart.prune=none", only: data.Multiclass},
	{title: "vote/ranks", settings: "members=cart,linear vote=ranks folds=3 members.cart.prune=none"},
	{title: "adaboost/deep", settings: "rounds=4 base.depth=3"},
	{title: "adaboost/linear", settings: "rounds=4 base=linear", only: data.Multiclass},
	{title: "logitboost/linear", settings: "rounds=4 base=linear", only: data.Binary},
	{title: "calibrate/linear", settings: "base=linear folds=3 method=isotonic"},
	{title: "stack/blend", settings: "members=cart,linear plan=blend meta_learner=cart"},
	{title: "c45/grown", settings: "prune=none"},
	{title: "knn/distance", settings: "weights=distance"},
	{title: "linear/ridge", settings: "l2=1"},
	{title: "cox/breslow", settings: "ties=breslow", only: data.Survival},
	{title: "svm/linear", settings: "kernel=linear"},
	{title: "network/momentum", settings: "activation=tanh optimizer=momentum learning_rate=0.01 " +
		"batch=0 epochs=6 hidden=3"},
}

// plainBoosting is boosting that samples nothing, and whose leaves may be small.
const plainBoosting = "trees=6 min_leaf=3 colsample=1 "
