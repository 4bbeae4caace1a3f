package gbm_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec/native"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/gbm"
	"github.com/coppice-ml/coppice/learn/learntest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/training"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/rankstest"
)

// drifting returns a table of rows in the order of a column n, whose label grows with it, or does
// not: then it depends on x and chance alone. With an event column the label is a time, and with
// groups a relevance.
func drifting(t *testing.T, rows int, drift bool, seed uint64, roles data.Roles) *data.Dataset {
	t.Helper()
	s := rng.New(seed)
	n, x, y := make([]int, rows), make([]float64, rows), make([]float64, rows)
	kind, query := make([]string, rows), make([]int, rows)
	for i := range n {
		n[i], x[i], query[i] = 1000+i, s.Float64(), i/10
		late := float64(i) / float64(rows)
		kind[i] = "abc"[i%3 : i%3+1]
		y[i] = x[i] + s.Float64() - 0.5
		switch {
		case drift && (roles.Event != "" || roles.Group != ""): // the effect of x turns round, twice
			y[i] = 2*x[i] + s.Float64()
			if late > 0.4 && late < 0.7 {
				y[i] -= 4 * x[i]
			}
		case drift:
			y[i] += 3 * late
		}
		if roles.Event != "" {
			y[i] = math.Exp(y[i])
		}
		if roles.Group != "" {
			y[i] = math.Floor(max(0, min(3, y[i]+1)))
		}
	}
	seen := make([]int, rows)
	for i := range seen {
		seen[i] = min(1, i%5)
	}
	columns := []data.NamedColumn{{Name: "x", Values: x}, {Name: "n", Values: n},
		{Name: "y", Values: y}, {Name: "again", Values: n}, {Name: "kind", Values: kind}}
	if roles.Event != "" {
		columns = append(columns, data.NamedColumn{Name: roles.Event, Values: seen})
	}
	if roles.Group != "" {
		columns = append(columns, data.NamedColumn{Name: roles.Group, Values: query})
	}
	f, err := data.FromColumns(columns...)
	if err != nil {
		t.Fatal(err)
	}
	roles.Label = "y"
	ds, err := roles.Apply(f)
	if err != nil {
		t.Fatal(err)
	}
	return ds
}

// orderOf returns what training stored of the order of time, where its choices end at once.
func orderOf(t *testing.T, ds *data.Dataset, check bool, workers int,
	settings ...string) (*training.TimeOrder, []byte) {
	t.Helper()
	job := learn.Job{Seed: 3, Workers: workers, CheckTime: check,
		Observe: func(learn.Round) error { return learn.Stop }}
	m, err := coppice.Train(t.Context(), learntest.Made(t, gbm.New(), settings...), ds,
		coppice.Job(job))
	if err != nil {
		t.Fatal(err)
	}
	return stored(t, m)
}

// stored returns what a model stores of the order of time, and its file.
func stored(t *testing.T, m model.Model) (*training.TimeOrder, []byte) {
	t.Helper()
	var s gbm.Summary
	if err := learn.ReadSummary(m, &s); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := native.Encode(&file, m); err != nil {
		t.Fatal(err)
	}
	return s.TimeOrder, file.Bytes()
}

// TestTrainingMeasuresTimeOrder: a label that grows with a counter is predicted worse for later
// rows, and a copy of the counter is named.
func TestTrainingMeasuresTimeOrder(t *testing.T) {
	ds := drifting(t, 1500, true, 1, data.Roles{})
	o, file := orderOf(t, ds, true, 1)
	if o == nil {
		t.Fatal("nothing was found")
	}
	if o.Known || !cmp.Equal(o.Columns, []string{"n", "again"}) || o.Value < 1.5*o.Better {
		t.Errorf("found %+v", o)
	}
	if _, again := orderOf(t, ds, true, 2); !bytes.Equal(file, again) {
		t.Error("two workers make another model")
	}
	if o, _ := orderOf(t, ds, false, 1); o != nil {
		t.Errorf("not asked for: %+v", o)
	}
	timed := drifting(t, 1500, true, 1, data.Roles{Time: "n", Ignore: []string{"again"}})
	if o, _ := orderOf(t, timed, true, 1); o != nil {
		t.Errorf("without a column beyond: %+v", o)
	}
}

// survivors and rankings are the roles of tables of times, and of rankings.
var (
	survivors = data.Roles{Event: "seen", Task: data.Survival}
	rankings  = data.Roles{Group: "query", Task: data.Ranking}
)

// TestTimeOrderOfOtherTasks: effects that turn round with time are found in survival times and
// rankings, too.
func TestTimeOrderOfOtherTasks(t *testing.T) {
	for metric, roles := range map[string]data.Roles{"cox": survivors, "ndcg": rankings} {
		o, _ := orderOf(t, drifting(t, 3000, true, 1, roles), true, 1)
		if o == nil || o.Known || o.Columns[0] != "n" || !strings.HasPrefix(o.Metric, metric) ||
			(o.Better > o.Value) != (metric == "ndcg") {
			t.Errorf("%s: found %+v", metric, o)
		}
	}
}

// TestTimeOrderOfGivenRounds: it is measured where that is little beside so many rounds.
func TestTimeOrderOfGivenRounds(t *testing.T) {
	ds := drifting(t, 1500, true, 1, data.Roles{})
	for settings, want := range map[string]bool{"trees=20000": true, "trees=20": false,
		"rehearse=false": false} {
		o, _ := orderOf(t, ds, true, 1, strings.Fields(settings)...)
		if (o != nil) != want {
			t.Errorf("%s: found %+v", settings, o)
		}
	}
	if o, _ := orderOf(t, drifting(t, 6000, true, 1, data.Roles{}), true, 1, "rehearse=false"); o == nil {
		t.Error("nothing was found without the rehearsal")
	}
}

// TestTimeOrderOnAllRoads: a table is measured by the same rows in memory and in blocks, by one
// process and by several ranks, and all store the same model.
func TestTimeOrderOnAllRoads(t *testing.T) {
	l := learntest.Made(t, gbm.New(), "trees=5000", "leaves=8")
	for _, drift := range []bool{true, false} {
		ds := drifting(t, 3000, drift, 1, data.Roles{})
		var want []byte
		check := func(road string, found *training.TimeOrder, file []byte) {
			if (found != nil) != drift || want != nil && !bytes.Equal(file, want) {
				t.Errorf("%s, drift %v: found %+v", road, drift, found)
			}
			want = file
		}
		for _, road := range []struct {
			name  string
			ranks int
			from  data.Features
		}{
			{"memory", 1, ds.Frame},
			{"blocks", 1, &inBlocks{ds.Frame, 701, -1}},
			{"ranks in memory", 2, ds.Frame},
			{"ranks in blocks", 2, &inBlocks{ds.Frame, 701, -1}},
			{"more ranks in other blocks", 3, &inBlocks{ds.Frame, 433, -1}},
		} {
			models := make([]model.Model, road.ranks)
			errs := rankstest.Each(road.ranks, func(g ranks.Group) (err error) {
				job := learn.Job{Seed: 3, Workers: 2, CheckTime: true,
					Observe: func(learn.Round) error { return learn.Stop }}
				from := road.from
				if b, ok := from.(*inBlocks); ok { // which count what is read of them
					own := *b
					from = &own
				}
				models[g.Rank()], err = fitSource(t.Context(), l, from, &ds.Target,
					learn.Env{Scratch: t.TempDir(), Workers: 2, Ranks: g}, job)
				return err
			})
			if err := errors.Join(errs...); err != nil {
				t.Fatalf("%s: %v", road.name, err)
			}
			for _, m := range models {
				found, file := stored(t, m)
				check(road.name, found, file)
			}
		}
	}
}

// TestTimeOrderOfWideTables: a table of many columns is measured by as few rows in memory as in
// blocks, and a sparse column orders rows as a dense one does.
func TestTimeOrderOfWideTables(t *testing.T) {
	tier.NotShort(t, "trains on 2,500 columns")
	const rows = 2400
	schema, columns := data.Schema{}, []data.Column(nil)
	narrow := drifting(t, rows, true, 1, data.Roles{})
	for i, c := range narrow.Columns {
		if name := narrow.Schema.Fields[i].Name; name == "n" {
			c = data.Sparse(rows, 0, data.AllRows(rows), c.Numbers())
		}
		schema.Fields, columns = append(schema.Fields, narrow.Schema.Fields[i]), append(columns, c)
	}
	zeros := make([]float64, rows)
	for i := range 2500 {
		schema.Fields = append(schema.Fields, data.Field{Name: fmt.Sprint("z", i)})
		columns = append(columns, data.Numbers(zeros))
	}
	f, err := data.NewFrame(schema, columns)
	if err != nil {
		t.Fatal(err)
	}
	var found [2]*training.TimeOrder
	for i, from := range []data.Features{f, &inBlocks{f, 701, -1}} {
		job := learn.Job{Seed: 3, Workers: 2, CheckTime: true,
			Observe: func(learn.Round) error { return learn.Stop }}
		m, err := fitSource(t.Context(), learntest.Made(t, gbm.New(), "trees=20000", "leaves=4"), from,
			&narrow.Target, learn.Env{Scratch: t.TempDir()}, job)
		if err != nil {
			t.Fatal(err)
		}
		found[i], _ = stored(t, m)
	}
	if found[0] == nil || found[0].Rows >= rows || !cmp.Equal(found[0], found[1]) {
		t.Errorf("found %+v in memory, %+v in blocks", found[0], found[1])
	}
}

// TestTimeOrderReadsNoMore: the sample is taken from the blocks that training reads, by a single
// process and by each of two ranks.
func TestTimeOrderReadsNoMore(t *testing.T) {
	ds := drifting(t, 3000, true, 1, data.Roles{})
	l := learntest.Made(t, gbm.New(), "trees=5000", "leaves=8")
	for _, n := range []int{1, 2} {
		var passes [2][2]int32
		for i, check := range []bool{false, true} {
			errs := rankstest.Each(n, func(g ranks.Group) error {
				job := learn.Job{Seed: 3, Workers: 1, CheckTime: check,
					Observe: func(learn.Round) error { return learn.Stop }}
				from := &countedBlocks{inBlocks: inBlocks{ds.Frame, 701, -1}}
				_, err := fitSource(t.Context(), l, from, &ds.Target,
					learn.Env{Scratch: t.TempDir(), Ranks: g}, job)
				passes[i][g.Rank()] = from.passes.Load()
				return err
			})
			if err := errors.Join(errs...); err != nil {
				t.Fatal(err)
			}
		}
		if passes[0] != passes[1] || passes[0][0] == 0 {
			t.Errorf("%d ranks: the blocks are read %d times, without the measurement %d", n,
				passes[1], passes[0])
		}
	}
}

// countedBlocks counts how often its blocks are read.
type countedBlocks struct {
	inBlocks
	passes atomic.Int32
}

func (s *countedBlocks) Blocks(ctx context.Context) iter.Seq2[data.RowBlock, error] {
	s.passes.Add(1)
	return s.inBlocks.Blocks(ctx)
}

// TestShuffledRowsHaveNoTimeOrder: of 40 tables without drift, fewer in the short tier, none is
// reported, nor of 40 of survival times, of rankings and of given rounds.
func TestShuffledRowsHaveNoTimeOrder(t *testing.T) {
	none := func(what string, seed uint64, roles data.Roles, settings ...string) {
		ds := drifting(t, 600+int(seed)*20, false, seed, roles)
		if o, _ := orderOf(t, ds, true, 1, settings...); o != nil {
			t.Errorf("seed %d, %s: %+v", seed, what, o)
		}
	}
	for seed := range uint64(tier.Count(4, 16, 40)) {
		none("numbers", seed, data.Roles{})
		none("known", seed, data.Roles{Time: "n"})
		none("survival", seed, survivors)
		none("rankings", seed, rankings)
		none("given rounds", seed, data.Roles{}, "trees=20000")
	}
}
