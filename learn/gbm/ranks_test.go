package gbm_test

import (
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/rankstest"
)

const (
	// enough rows that each of three ranks trains on some of their blocks, of 4,096 rows
	rankRows = 14_800
	// enough that leaves are so large that their columns have owners, which exchange histograms
	manyRankRows = 34_000
)

// rankTable is numbers, categories and queries of enough rows that several ranks have some. The
// label of a task is a function of the columns with noise.
func rankTable(t testing.TB, task data.Task, rows int) *data.Dataset {
	t.Helper()
	s := rng.New(3)
	fields := []data.Field{{Name: "a"}, {Name: "b"}, {Name: "c"}, {Name: "d"}, {Name: "e"},
		{Name: "few", Kind: data.Categorical}, {Name: "many", Kind: data.Categorical},
		{Name: "zero"}}
	columns := make([]data.Column, len(fields))
	for k := range fields {
		if fields[k].Kind == data.Categorical {
			n := []int{6, 90}[k-5]
			codes := make([]uint32, rows)
			for i := range codes {
				codes[i] = uint32(s.Intn(n))
			}
			for v := range n {
				fields[k].Levels = append(fields[k].Levels, fmt.Sprint("v", v))
			}
			columns[k] = data.Codes(codes)
			continue
		}
		x := make([]float64, rows)
		for i := range x {
			switch x[i] = s.Float64(); {
			case k == 7 && i%13 != 0:
				x[i] = 0
			case k == 1:
				x[i] = math.Floor(4 * x[i])
			case k == 2 && s.Intn(9) == 0:
				x[i] = math.NaN()
			}
		}
		columns[k] = data.Numbers(x)
	}
	f, err := data.NewFrame(data.Schema{Fields: fields}, columns)
	if err != nil {
		t.Fatal(err)
	}
	ds := &data.Dataset{Frame: f, Target: data.Target{Task: task}}
	y := make([]float64, rows)
	for i := range y {
		y[i] = columns[0].Number(i) + columns[1].Number(i)/3 + s.Float64() +
			float64(columns[6].Code(i)%7)/9
		ds.Target.Group = append(ds.Target.Group, int64(i/50))
	}
	switch task {
	case data.Multiclass, data.Binary:
		ds.Target.Classes = strings.Fields("x y z")
		if task == data.Binary {
			ds.Target.Classes = ds.Target.Classes[:2]
		}
		for _, v := range y {
			c := min(max(0, int(v-0.4)), len(ds.Target.Classes)-1)
			ds.Target.Class = append(ds.Target.Class, uint32(c))
		}
	case data.Ranking:
		for i := range y {
			y[i] = math.Floor(y[i])
		}
		ds.Target.Y = [][]float64{y}
	default:
		ds.Target.Y = [][]float64{y}
	}
	if task != data.Ranking {
		ds.Target.Group = nil
	}
	return ds
}

// Models have the same bytes for any number of ranks, whatever their loss, sampling and leaves.
func TestRanksTrainTheSameModel(t *testing.T) {
	tier.NotShort(t, "trains on several ranks")
	for _, c := range []struct {
		task     data.Task
		settings string
		rows     int
		tails    bool
	}{
		{data.Binary, "categories=native bins=60", rankRows, false},
		{data.Binary, "categories=target sampling=goss colsample=0.7", rankRows, false},
		{data.Multiclass, "growth=symmetric depth=4", rankRows, false},
		{data.Multiclass, "multi_output=true subsample=0.5", rankRows, false},
		{data.Regression, "loss=absolute min_leaf=30", rankRows, false},
		{data.Regression, "loss=squared training_metric=3", rankRows, false},
		{data.Regression, "loss=squared", manyRankRows, true},
		{data.Regression, "linear_tree=true", rankRows, false},
		{data.Regression, "boosting=dart growth=depth depth=4", rankRows, false},
		{data.Regression, "split_points=sketch", rankRows, false},
		{data.Multiclass, "split_points=local sketch_eps=0.1 categories=native", rankRows, false},
		{data.Ranking, "loss=lambdarank", manyRankRows, false},
	} {
		t.Run(fmt.Sprint(c.task, " ", c.settings), func(t *testing.T) {
			if c.rows == manyRankRows {
				tier.NotShort(t, "trains on 34,000 rows")
			}
			ds := rankTable(t, c.task, c.rows)
			if c.tails { // gradients that are added up as pairs
				for i := 0; i < ds.Rows(); i += 9000 {
					ds.Target.Y[0][i] = 1e12
				}
			}
			settings := append([]string{"trees=4", "learning_rate=0.3"},
				strings.Fields(c.settings)...)
			if !strings.Contains(c.settings, "depth") {
				settings = append(settings, "leaves=12")
			}
			train := func(g ranks.Group) (string, error) {
				fitter, err := learner(t, settings...).Prepare(t.Context(), ds.Frame, nil, nil,
					learn.Env{Workers: 1, Ranks: g})
				if err != nil {
					return "", err
				}
				job := learn.Job{Seed: 7, Workers: 1, Valid: data.AllRows(500),
					Rows: data.AllRows(ds.Rows())[500:]}
				if c.task == data.Ranking || strings.Contains(c.settings, "dart") {
					job.Rows, job.Valid = nil, nil
				}
				state := fnv.New64a()
				job.Observe = func(r learn.Round) error {
					if r.N != 2 {
						return nil
					}
					c, err := r.Checkpoint()
					if err == nil {
						state.Write(c.State)
					}
					return err
				}
				m, err := fitter.Fit(t.Context(), &ds.Target, job)
				if err != nil {
					return "", err
				}
				return fmt.Sprint(fingerprint(m), string(m.Spec().Summary), state.Sum64()), nil
			}
			want, err := train(nil)
			if err != nil {
				t.Fatal(err)
			}
			asRanks(t, 3, want, train)
		})
	}
}

// asRanks trains as n ranks, which all must return what is wanted.
func asRanks(t *testing.T, n int, want string, train func(g ranks.Group) (string, error)) {
	t.Helper()
	got := make([]string, n)
	errs := rankstest.Each(n, func(g ranks.Group) (err error) {
		got[g.Rank()], err = train(g)
		return err
	})
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	for rank := range got {
		if got[rank] != want {
			t.Errorf("rank %d of %d: %s\nwant %s", rank, n, got[rank], want)
		}
	}
}

// Models have the same bytes in whatever order ranks and their messages take their turns, and a
// rank that is lost ends the training of all.
func TestRanksTrainInAnyOrder(t *testing.T) {
	ds := rankTable(t, data.Binary, rankRows)
	train := func(g ranks.Group) (string, error) {
		l := learner(t, "trees=2", "learning_rate=0.3", "leaves=6", "categories=native")
		m, err := fitBlocks(l, ds, 2711, learn.Env{Ranks: g, Scratch: t.TempDir()},
			learn.Job{Seed: 7, Workers: 1})
		if err != nil {
			return "", err
		}
		return fingerprint(m), nil
	}
	want, err := train(nil)
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(tier.Count(4, 12, 1000)) {
		s := rankstest.Schedule{Ranks: 2 + int(seed%3), Seed: seed}
		f := func(g ranks.Group) error {
			got, err := train(g)
			if err == nil && got != want {
				err = fmt.Errorf("rank %d: %s, want %s", g.Rank(), got, want)
			}
			return err
		}
		out := s.Run(f)
		if err := errors.Join(out.Errors...); err != nil {
			t.Fatalf("%+v: %v", s, err)
		}
		s.Fault, s.At = rankstest.LostRank, int(seed*7919%uint64(out.Operations))
		if seed%2 == 0 {
			s.Fault, s.At = rankstest.LostMessage, int(seed*7919%uint64(out.Messages))
		}
		failed := 0
		for rank, err := range s.Run(f).Errors {
			if err != nil {
				failed++
			}
			if err != nil && !errors.Is(err, rankstest.ErrLost) {
				t.Fatalf("%+v, rank %d: %v", s, rank, err)
			}
		}
		if failed == 0 {
			t.Fatalf("%+v: all ranks have ended well", s)
		}
	}
}

// The choice of the number of rounds, the trials before it and the evaluation of sets are divided
// among ranks, and the model is that of one process.
func TestRanksChooseTheSameRounds(t *testing.T) {
	tier.NotShort(t, "trains on several ranks")
	for _, c := range []struct {
		name     string
		rows     int
		valid    int // of them, the first ones
		settings string
	}{
		{"trials", 700, 0, "learning_rate=0.7 early_stopping=2 leaves=4"},
		{"one validation set of the choice", 41_000, 0,
			"rehearse=false learning_rate=0.9 early_stopping=1 leaves=4"},
		{"a set that each rank has some rows of", 44_000, 9000,
			"trees=4 learning_rate=0.5 leaves=6 categories=native metric=loss,auc training_metric=2"},
		{"a set that only the loss is evaluated of", 44_000, 9000,
			"trees=8 learning_rate=0.9 leaves=6 categories=native early_stopping=1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ds := rankTable(t, data.Binary, c.rows)
			train := func(g ranks.Group) (string, error) {
				job := learn.Job{Seed: 3, Workers: 1}
				if c.valid > 0 {
					job.Valid, job.Rows = data.AllRows(c.valid), data.AllRows(c.rows)[c.valid:]
				}
				fitter, err := learner(t, strings.Fields(c.settings)...).Prepare(t.Context(),
					ds.Frame, job.Rows, nil, learn.Env{Workers: 1, Ranks: g})
				if err != nil {
					return "", err
				}
				state := fnv.New64a()
				job.Observe = func(r learn.Round) error {
					if r.N%2 == 0 || r.Checkpoint == nil {
						return nil
					}
					c, err := r.Checkpoint()
					if err == nil {
						state.Write(c.State)
					}
					return err
				}
				m, err := fitter.Fit(t.Context(), &ds.Target, job)
				if err != nil {
					return "", err
				}
				return fmt.Sprint(fingerprint(m), string(m.Spec().Summary), state.Sum64()), nil
			}
			want, err := train(nil)
			if err != nil {
				t.Fatal(err)
			}
			asRanks(t, 2, want, train)
		})
	}
}

// Ranks that read a table in blocks break ties of columns as a training in memory does, which
// bundles columns. Few rows are a block, which one rank has: others have none.
func TestRanksInBlocksTrainAsInMemory(t *testing.T) {
	tier.NotShort(t, "trains on several ranks")
	all := read(t, "spambase/spambase.csv", "spam", data.Binary)
	for _, c := range []string{"split_points=exact", "split_points=sketch", "split_points=local"} {
		for _, rows := range []int{1500, all.Rows()} {
			ds, job := firstRows(all, rows), learn.Job{Seed: 7, Workers: 1}
			for i := range rows {
				ds.Target.Weight = append(ds.Target.Weight, 1+float64(i%7)/10)
			}
			settings := []string{"trees=5", "learning_rate=0.1", "valid_fraction=0.1", "categories=native", c}
			asRanks(t, 3, fingerprint(fit(t, ds, job, settings...)),
				func(g ranks.Group) (string, error) {
					m, err := fitBlocks(learner(t, settings...), ds, 271,
						learn.Env{Workers: 1, Ranks: g, Scratch: t.TempDir()}, job)
					if err != nil {
						return "", err
					}
					return fingerprint(m), nil
				})
		}
	}
}

// Tables in blocks give models of the same bytes, and the same checkpoints, for any number of
// ranks, each of which keeps the codes of its rows alone.
func TestRanksTrainInBlocks(t *testing.T) {
	tier.NotShort(t, "trains on several ranks")
	for _, c := range []struct {
		task     data.Task
		settings string
		rows     int
	}{
		{data.Binary, "bins=300 min_bin=3 ts_combine=2", manyRankRows},
		{data.Binary, "sampling=goss colsample=0.7 growth=depth depth=4 categories=native",
			rankRows},
		{data.Multiclass, "multi_output=true subsample=0.5 categories=native", manyRankRows},
		{data.Regression, "loss=absolute growth=symmetric categories=native", rankRows},
		{data.Regression, "compat=lightgbm valid_fraction=0.2 categories=native", rankRows},
		{data.Binary, "split_points=sketch categories=native", manyRankRows},
		{data.Multiclass, "split_points=local categories=native valid_fraction=0.2", rankRows},
		{data.Ranking, "loss=lambdarank categories=native", rankRows},
	} {
		t.Run(fmt.Sprint(c.task, " ", c.settings), func(t *testing.T) {
			if c.rows == manyRankRows {
				tier.NotShort(t, "trains on 34,000 rows")
			}
			ds := rankTable(t, c.task, c.rows)
			for i := range ds.Rows() {
				ds.Target.Weight = append(ds.Target.Weight, 1+float64(i/50%7)/10)
			}
			settings := append([]string{"trees=3", "learning_rate=0.3"},
				strings.Fields(c.settings)...)
			if !strings.Contains(c.settings, "symmetric") {
				settings = append(settings, "leaves=12")
			}
			train := func(g ranks.Group, workers int) (string, error) {
				job := learn.Job{Seed: 7, Workers: workers}
				for r := range int32(ds.Rows()) {
					if c.task == data.Ranking || r/50%9 != 0 {
						job.Rows = append(job.Rows, r)
					} else {
						job.Valid = append(job.Valid, r)
					}
				}
				if strings.Contains(c.settings, "valid") {
					job.Valid = nil
				}
				state := fnv.New64a()
				job.Observe = func(r learn.Round) error {
					c, err := r.Checkpoint()
					if err == nil {
						state.Write(c.State)
					}
					return err
				}
				m, err := fitBlocks(learner(t, settings...), ds, 2711,
					learn.Env{Ranks: g, Scratch: t.TempDir()}, job)
				if err != nil {
					return "", err
				}
				return fmt.Sprint(fingerprint(m), string(m.Spec().Summary), state.Sum64()), nil
			}
			want, err := train(nil, 2)
			if err != nil {
				t.Fatal(err)
			}
			counts := []int{2, 3}
			if strings.Contains(c.settings, "valid") {
				counts = append(counts, 4) // 3 blocks of training rows: the last rank has none
			}
			for _, n := range counts {
				asRanks(t, n, want, func(g ranks.Group) (string, error) {
					return train(g, 1+g.Rank()%2)
				})
			}
		})
	}
}
