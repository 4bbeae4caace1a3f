package gbm_test

import (
	"context"
	"errors"
	"iter"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/model"
)

// inBlocks is a frame that is read in blocks of some rows, and fails behind some blocks.
type inBlocks struct {
	*data.Frame
	rows int
	good int // blocks that are read in all; negative = all
}

var errUnread = errors.New("cannot read")

// Outline has no values, so that training asks for none.
func (s *inBlocks) Outline() *data.Frame { return data.Outline(s.Schema, s.Rows(), s.Origin) }

func (s *inBlocks) InMemory() (*data.Frame, error) { return s.Outline().InMemory() }

// fitBlocks trains a learner on the rows of a job, of a table in blocks of some rows.
func fitBlocks(
	l *gbm.Learner, ds *data.Dataset, rows int, env learn.Env, job learn.Job,
) (model.Model, error) {
	return fitSource(context.Background(), l, &inBlocks{ds.Frame, rows, -1}, &ds.Target, env, job)
}

// fitSource is fitBlocks of a table that may fail, until the context is cancelled.
func fitSource(
	ctx context.Context, l *gbm.Learner, from data.Features, t *data.Target, env learn.Env,
	job learn.Job,
) (model.Model, error) {
	f, err := l.Prepare(ctx, from, job.Rows, t.Weight, env)
	if err != nil {
		return nil, err
	}
	return f.Fit(ctx, t, job)
}

func (s *inBlocks) Blocks(context.Context) iter.Seq2[data.RowBlock, error] {
	return func(yield func(data.RowBlock, error) bool) {
		all := data.AllRows(s.Rows())
		for first := 0; first < s.Rows(); first += s.rows {
			if s.good--; s.good == -1 {
				yield(data.RowBlock{}, errUnread)
				return
			}
			rows := all[first:min(first+s.rows, s.Rows())]
			if !yield(data.RowBlock{Frame: s.Subset(rows), First: first}, nil) {
				return
			}
		}
	}
}

// firstRows returns the data set of the first n rows.
func firstRows(ds *data.Dataset, n int) *data.Dataset {
	few := &data.Dataset{Frame: ds.Subset(data.AllRows(n)), Target: ds.Target}
	few.Target.Class = data.Pick(ds.Target.Class, data.AllRows(n))
	few.Target.Y = nil
	for _, y := range ds.Target.Y {
		few.Target.Y = append(few.Target.Y, y[:n])
	}
	return few
}

// A table that is read in blocks makes the model of the table in memory, for every loss, way of
// sampling, validation set and way to treat categories.
func TestBlocksMakeTheSameModel(t *testing.T) {
	tier.NotShort(t, "trains the same in memory and in blocks")
	for _, c := range []struct {
		name, file, label string
		task              data.Task
		settings          []string
	}{
		{"two classes", "adult/adult-train.csv.gz", "income", data.Binary, []string{"categories=native"}},
		{"many classes", "letter/letter.csv.gz", "lettr", data.Multiclass, []string{"leaves=12"}},
		{"one tree for all classes", "letter/letter.csv.gz", "lettr", data.Multiclass, []string{"leaves=12", "multi_output=true"}},
		{"numbers, level by level", "adult/adult-train.csv.gz", "hours-per-week", data.Regression, []string{"growth=depth", "depth=5", "loss=huber", "min_leaf=20", "categories=ordinal"}},
		{"medians", "adult/adult-train.csv.gz", "hours-per-week", data.Regression, []string{"loss=absolute", "categories=native"}},
		{"counts, symmetric", "adult/adult-train.csv.gz", "hours-per-week", data.Regression, []string{"growth=symmetric", "loss=poisson"}},
		{"steep rows", "spambase/spambase.csv", "spam", data.Binary, []string{"sampling=goss", "colsample=0.7", "colsample_node=0.5", "extra_trees=true"}},
		{"variance by rows", "spambase/spambase.csv", "spam", data.Binary, []string{"sampling=mvs", "monotone=word_freq_all=1"}},
		{"a fraction of the rows", "spambase/spambase.csv", "spam", data.Binary, []string{"subsample=0.3", "leaf_steps=3"}},
		{"a validation set", "adult/adult-train.csv.gz", "income", data.Binary, []string{"valid_fraction=0.3", "early_stopping=2"}},
		{"split points by a sketch", "adult/adult-train.csv.gz", "income", data.Binary, []string{"split_points=sketch", "valid_fraction=0.3", "categories=native"}},
		{"split points of each tree", "adult/adult-train.csv.gz", "education", data.Multiclass, []string{"split_points=local", "sketch_eps=0.1", "valid_fraction=0.3", "categories=native", "subsample=0.7"}},
		{"split points by a sketch, numbers", "spambase/spambase.csv", "spam", data.Binary, []string{"split_points=sketch", "valid_fraction=0.3"}},
		{"a validation set, numbers", "spambase/spambase.csv", "spam", data.Binary, []string{"valid_fraction=0.3"}},
		{"as LightGBM", "spambase/spambase.csv", "spam", data.Binary, []string{"compat=lightgbm", "colsample=1"}},
		{"as XGBoost", "spambase/spambase.csv", "spam", data.Binary, []string{"compat=xgboost"}},
		{"as CatBoost", "adult/adult-train.csv.gz", "income", data.Binary, []string{"compat=catboost", "growth=symmetric", "split_score=cosine", "random_strength=1", "sampling=mvs", "l2=3", "categories=native"}},
		{"target statistics", "adult/adult-train.csv.gz", "income", data.Binary, []string{"categories=target"}},
		{"target statistics of numbers, a validation set", "adult/adult-train.csv.gz", "hours-per-week", data.Regression, []string{"categories=both", "ts_combine=2", "valid_fraction=0.3"}},
		{"target statistics of classes, as LightGBM", "adult/adult-train.csv.gz", "education", data.Multiclass, []string{"categories=target", "ts_classes=3", "compat=lightgbm", "colsample=1", "valid_fraction=0.2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			ds := firstRows(read(t, c.file, c.label, c.task), 1500)
			for i := range ds.Rows() {
				ds.Target.Weight = append(ds.Target.Weight, 1+float64(i%7)/10)
			}
			settings := append([]string{"trees=5", "learning_rate=0.1"}, c.settings...)
			want := fit(t, ds, learn.Job{Seed: 7}, settings...)
			for _, workers := range []int{1, 3} {
				folder := t.TempDir()
				m, err := fitBlocks(learner(t, settings...), ds, 271, learn.Env{Scratch: folder},
					learn.Job{Seed: 7, Workers: workers})
				if err != nil {
					t.Fatal(err)
				}
				if fingerprint(m) != fingerprint(want) || !reflect.DeepEqual(summary(t, m), summary(t, want)) {
					t.Errorf("%d workers: %s, want %s", workers, fingerprint(m), fingerprint(want))
				}
				if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
					t.Errorf("left behind: %v %v", left, err)
				}
			}
		})
	}
}

// A training in blocks resumes from a checkpoint, and continues a model, as one in memory does.
func TestBlocksResume(t *testing.T) {
	ds := table(t, 700, data.Binary)
	settings := []string{"leaves=6", "categories=native", "subsample=0.5", "valid_fraction=0.2", "trees=9"}
	want, err := fitBlocks(learner(t, settings...), ds, 100, learn.Env{}, learn.Job{})
	if err != nil {
		t.Fatal(err)
	}
	var at *learn.Checkpoint
	_, err = fitBlocks(learner(t, settings...), ds, 100, learn.Env{},
		learn.Job{Observe: func(r learn.Round) (err error) {
			if r.N == 4 {
				at, err = r.Checkpoint()
			}
			return err
		}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := fitBlocks(learner(t, settings...), ds, 333, learn.Env{}, learn.Job{Start: at})
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("resumed: %v, %s, want %s", err, fingerprint(got), fingerprint(want))
	}
	more := learn.Job{Start: &learn.Checkpoint{Model: want}}
	longer := fit(t, ds, more, settings...)
	got, err = fitBlocks(learner(t, settings...), ds, 333, learn.Env{}, more)
	if err != nil || fingerprint(got) != fingerprint(longer) {
		t.Errorf("continued: %v, %s, want %s", err, fingerprint(got), fingerprint(longer))
	}
}

// Without a number of rounds a hold-out chooses it, and the model is not trained again.
func TestBlocksChooseRounds(t *testing.T) {
	ds := table(t, 700, data.Binary)
	m, err := fitBlocks(learner(t, "leaves=6", "early_stopping=5", "learning_rate=0.3"), ds,
		100, learn.Env{}, learn.Job{})
	if err != nil {
		t.Fatal(err)
	}
	s := summary(t, m.(*model.Ensemble))
	if s.Valid != 105 || s.Trained.Rows != 595 || s.Kept != s.Best || s.Kept < 1 || s.Kept >= s.Rounds {
		t.Errorf("%+v", s)
	}
}

// Errors of the table, of the folder and of the parameters are those of the training.
func TestBlocksFail(t *testing.T) {
	ds := table(t, 500, data.Binary)
	for want, c := range map[string]struct {
		good     int
		folder   string
		settings []string
	}{
		"cannot read":                                {good: 3},
		"cannot make a scratch file":                 {good: -1, folder: "/there/is/no/folder"},
		"linear_tree=true needs the table in memory": {good: -1, settings: []string{"linear_tree=true"}},
	} {
		m, err := fitSource(t.Context(), learner(t, append(c.settings, "trees=3")...),
			&inBlocks{ds.Frame, 100, c.good}, &ds.Target, learn.Env{Scratch: c.folder}, learn.Job{})
		if m != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v %v, want %q", m, err, want)
		}
	}
	if !gbm.New().Capabilities().Blocks {
		t.Error("gbm does not declare that it trains on a table in blocks")
	}
	ctx, cancel := context.WithCancel(t.Context())
	m, err := fitSource(ctx, learner(t, "trees=9"), &inBlocks{ds.Frame, 100, -1}, &ds.Target,
		learn.Env{}, learn.Job{Observe: func(r learn.Round) error {
			if r.N == 3 {
				cancel()
			}
			return nil
		}})
	if m == nil || !errors.Is(err, context.Canceled) {
		t.Errorf("%v %v", m, err)
	}
}
