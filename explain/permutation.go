package explain

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/eval"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/metric"
	"github.com/coppice-ml/coppice/model"
)

// defaultRepeats is how often each column is permuted unless PermutationOptions hold another
// number.
const defaultRepeats = 5

// PermutationOptions are the choices of Permutation. The zero value permutes each column five
// times.
type PermutationOptions struct {
	// a name that metric.Lookup finds; "" = by task: auc for two classes, accuracy for more, rmse,
	// pinball for quantiles, ndcg@10 for rankings, concordance for survival
	Metric  string
	Repeats int    // permutations of each column; 0 = 5
	Seed    uint64 // of the permutations
	Workers int    // goroutines; 0 = one per processor. The result is the same for any number
	// sets of the model's columns, by place in its schema, that are permuted jointly besides
	Groups [][]int32
}

// metricFor returns the name of the metric by which Permutation compares unless it is given
// another: the one of the task that reacts to small changes, has no scale of its own where that can
// be, and needs no threshold. Of quantiles it is the pinball loss.
func metricFor(s *model.Spec) string {
	switch {
	case s.Quantiles != nil:
		return "pinball"
	case s.Task == data.Multiclass:
		return "accuracy"
	case s.Task == data.Regression:
		return "rmse"
	case s.Task == data.Ranking:
		return "ndcg@10"
	case s.Task == data.Survival:
		return "concordance"
	}
	return "auc"
}

// Permutation returns the permutation importance of each column for a model of any kind. It is the
// loss of a metric on labeled rows when the values of the column are permuted among these rows.
// Then they carry no information about the label (Breiman 2001, section 10; Fisher, Rudin &
// Dominici 2019). The rows should not be training rows, on which a memorised column looks
// important. Rows must differ; nil means all of the dataset.
//
// Columns that were made of one column of the table, as year and month of a date are, are permuted
// together and have one entry, under its name. Groups have an entry each besides. Columns that the
// model does not use have exactly 0, at no cost. Of columns with the same information each looks
// less important than they are together, because the model still has the other: a group shows what
// they are worth.
//
// It costs 1 + Repeats x (columns in use + groups) predictions of the rows, and each worker a copy
// of the columns that it permutes. Results are the same for any number of workers. The standard
// error is that of the mean over the repeats. It does not include the variation between samples of
// rows.
//
// Errors: those of eval.Evaluate, a metric that is unknown, does not fit the task or is undefined
// on the rows, and ctx.Err().
func Permutation(
	ctx context.Context, m model.Model, ds *data.Dataset, rows []int32, o PermutationOptions,
) (*model.Permutation, error) {
	whole := *ds
	whole.Frame = expanded(m, ds.Frame)
	ds = &whole
	p := &permutation{ds: ds, rows: ds.Chosen(rows), options: o}
	if p.options.Repeats == 0 {
		p.options.Repeats = defaultRepeats
	}
	if o.Repeats < 0 {
		return nil, fmt.Errorf("%d repeats of each permutation: want 1 or more", o.Repeats)
	}
	if o.Metric == "" {
		p.options.Metric = metricFor(m.Spec())
	}
	found, ok := metric.Lookup(p.options.Metric)
	if !ok {
		return nil, fmt.Errorf("unknown metric %q: use one of %s", p.options.Metric,
			strings.Join(metric.Names(), ", "))
	}
	p.metric = found
	if err := p.plan(m.Spec()); err != nil {
		return nil, err
	}
	var err error
	// Tasks run in parallel, so each predicts on one goroutine.
	if p.scorer, err = eval.NewScorer(m, ds, p.rows, found, model.Options{Workers: 1}); err != nil {
		return nil, err
	}
	if p.base, err = p.scorer.Score(ctx, ds.Frame); err != nil {
		return nil, err
	}
	drops, err := p.drops(ctx, p.used(m))
	if err != nil {
		return nil, err
	}
	return p.result(drops), nil
}

// permutation is what stays the same for all columns.
type permutation struct {
	options PermutationOptions
	ds      *data.Dataset
	rows    []int32
	metric  metric.Metric
	scorer  *eval.Scorer
	base    float64           // the metric, with no column permuted
	entries []model.Permuted  // by unit
	units   *input.ColumnSets // of the dataset's columns
	at      []int32           // by the model's column: that of the dataset
}

// plan finds out what is permuted at once: the columns of each source, then the groups.
func (p *permutation) plan(s *model.Spec) error {
	var sets [][]int32
	bySource := map[string]int{}
	p.at = make([]int32, len(s.Schema.Fields))
	for i := range s.Schema.Fields {
		f := &s.Schema.Fields[i]
		at := p.ds.Schema.Index(f.Name)
		if at < 0 {
			return &model.MissingColumnError{Column: f.Name}
		}
		p.at[i] = int32(at)
		unit, known := bySource[f.Source()]
		if !known {
			unit = len(sets)
			bySource[f.Source()] = unit
			sets, p.entries = append(sets, nil), append(p.entries, model.Permuted{Name: f.Source()})
		}
		sets[unit] = append(sets[unit], int32(at))
		if f.Derived() {
			p.entries[unit].Columns = append(p.entries[unit].Columns, f.Name)
		}
	}
	for _, group := range p.options.Groups {
		var set []int32
		var names []string
		for _, c := range group {
			if c < 0 || int(c) >= len(p.at) {
				return fmt.Errorf("a group holds column %d of %d", c, len(p.at))
			}
			set, names = append(set, p.at[c]), append(names, s.Schema.Fields[c].Name)
		}
		sets, p.entries = append(sets, set),
			append(p.entries, model.Permuted{Name: strings.Join(names, " + "), Columns: names})
	}
	p.units = input.NewColumnSets(len(p.ds.Columns), sets)
	return nil
}

// used reports for each unit whether predictions may depend on it.
func (p *permutation) used(m model.Model) []bool {
	e, ok := model.Inner(m).(*model.Ensemble)
	if !ok {
		return p.units.Touched(nil)
	}
	columns := []int32{} // not nil, which stands for all
	for _, f := range e.Uses() {
		columns = append(columns, p.at[f])
	}
	return p.units.Touched(columns)
}

// drops returns by unit how much worse the metric is in each repeat; nil for units that are not
// used.
func (p *permutation) drops(ctx context.Context, used []bool) ([][]float64, error) {
	drops := make([][]float64, p.units.Len())
	type task struct{ unit, repeat int }
	var tasks []task
	for unit, is := range used {
		if !is {
			continue
		}
		drops[unit] = make([]float64, p.options.Repeats)
		for repeat := range p.options.Repeats {
			tasks = append(tasks, task{unit, repeat})
		}
	}
	workers := parallel.Workers(p.options.Workers)
	tables := make([]*input.PermutedColumns, workers)
	return drops, parallel.Try(ctx, workers, len(tasks), func(worker, i int) error {
		if tables[worker] == nil {
			tables[worker] = input.NewPermutedColumns(p.ds.Columns)
		}
		t := tasks[i]
		stream := rng.New(p.options.Seed, forPermutation, uint64(t.unit), uint64(t.repeat))
		frame := *p.ds.Frame
		frame.Columns = tables[worker].With(p.units.Columns(t.unit), p.rows,
			stream.Shuffled(nil, p.rows))
		value, err := p.scorer.Score(ctx, &frame)
		if err != nil {
			return fmt.Errorf("column %q permuted: %w", p.entries[t.unit].Name, err)
		}
		if p.metric.Higher {
			drops[t.unit][t.repeat] = p.base - value
		} else {
			drops[t.unit][t.repeat] = value - p.base
		}
		return nil
	})
}

// forPermutation is the stream of the permutations; the path ends with unit and repeat.
const forPermutation = 1

// result folds the repeats.
func (p *permutation) result(drops [][]float64) *model.Permutation {
	for unit, values := range drops {
		entry := &p.entries[unit]
		for _, v := range values {
			entry.Drop += v
		}
		if n := float64(len(values)); n > 0 {
			entry.Drop /= n
			squares := 0.0
			for _, v := range values {
				d := v - entry.Drop
				squares += float64(d * d)
			}
			if n > 1 {
				entry.StdError = math.Sqrt(squares / (n - 1) / n)
			}
		}
	}
	slices.SortStableFunc(p.entries,
		func(a, b model.Permuted) int { return cmp.Compare(b.Drop, a.Drop) })
	return &model.Permutation{Rows: len(p.rows), Metric: p.metric.Name, Higher: p.metric.Higher,
		Value:   p.base,
		Repeats: p.options.Repeats, Columns: p.entries}
}
