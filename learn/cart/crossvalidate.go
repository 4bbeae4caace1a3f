package cart

import (
	"context"
	"math"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/coppice-ml/coppice/data/split"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/internal/grow"
	"github.com/coppice-ml/coppice/tree"
	"github.com/coppice-ml/coppice/tree/prune"
)

// risk sums, for each step of a path, the losses of the rows left out.
type risk struct {
	weight  float64
	squares float64   // sum of squared weights
	loss    []float64 // sum of w x loss, as differences: entry k counts for steps k and up
	second  []float64 // sum of w^2 x loss^2, likewise
	cross   []float64 // sum of w^2 x loss, likewise
}

func newRisk(steps int) *risk {
	return &risk{loss: make([]float64, steps+1), second: make([]float64, steps+1),
		cross: make([]float64, steps+1)}
}

// add counts one row's loss for the steps from <= k < to.
func (r *risk) add(from, to int, w, loss float64) {
	a, b, c := float64(w*loss), float64(float64(w*loss)*float64(w*loss)), float64(float64(w*w)*loss)
	r.loss[from] += a
	r.second[from] += b
	r.cross[from] += c
	r.loss[to] -= a
	r.second[to] -= b
	r.cross[to] -= c
}

func (r *risk) merge(o *risk) {
	r.weight += o.weight
	r.squares += o.squares
	for k := range r.loss {
		r.loss[k] += o.loss[k]
		r.second[k] += o.second[k]
		r.cross[k] += o.cross[k]
	}
}

// estimates returns the mean loss R of every step and its standard error sqrt(sum w^2 (loss - R)^2)
// / W. For equal weights and 0-1 loss that is sqrt(R (1 - R) / n) (Breiman et al. 1984, section
// 11.5).
func (r *risk) estimates() (mean, se []float64) {
	n := len(r.loss) - 1
	mean, se = make([]float64, n), make([]float64, n)
	var loss, second, cross float64
	for k := range n {
		loss += r.loss[k]
		second += r.second[k]
		cross += r.cross[k]
		mean[k] = max(0, loss) / r.weight
		spread := second - float64(2*mean[k]*cross) + float64(float64(mean[k]*mean[k])*r.squares)
		se[k] = math.Sqrt(max(0, spread)) / r.weight
	}
	return mean, se
}

// crossValidate estimates the error of every step of the path and chooses one. In each fold a tree
// is grown on the other folds. Its own path is evaluated at the geometric means of neighbouring
// penalties of the main path (Breiman et al. 1984, section 3.4.2): a penalty typical of its step.
func (j *job) crossValidate(ctx context.Context, s *Summary) error {
	if len(s.Path) == 1 {
		s.choose(s.Path[0].Alpha)
		return nil
	}
	typical := make([]float64, len(s.Path))
	for k := range typical {
		typical[k] = math.Inf(1)
		if k+1 < len(s.Path) {
			typical[k] = math.Sqrt(float64(s.Path[k].Alpha * s.Path[k+1].Alpha))
		}
	}
	plan := j.Plan.For(j.target, j.distinct(), j.learner.Folds, j.Seed)
	if plan == nil {
		s.Requested = j.learner.Folds
		s.choose(s.Path[0].Alpha)
		return nil
	}
	folds, err := plan.Folds(j.target, j.distinct())
	if err != nil {
		return err
	}
	if s.Requested = j.Plan.Short(plan, j.learner.Folds); s.Requested > 0 {
		s.Folds = len(folds)
	}
	total, err := j.foldRisks(ctx, folds, typical)
	if err != nil {
		return err
	}
	mean, se := total.estimates()
	for k := range s.Path {
		s.Path[k].Error, s.Path[k].StdError = &mean[k], &se[k]
	}
	s.choose(s.Path[pick(mean, se, j.learner.Prune == pruneCVMin)].Alpha)
	return nil
}

// pick returns the smallest tree within one standard error of the least error, or, for least, the
// smallest of those with the least error.
func pick(mean, se []float64, least bool) int {
	best := 0
	for k := range mean {
		if mean[k] <= mean[best] {
			best = k
		}
	}
	limit := mean[best]
	if !least {
		limit += se[best]
	}
	for k := len(mean) - 1; k > best; k-- {
		if mean[k] <= limit {
			return k
		}
	}
	return best
}

// choose marks the step that a penalty selects.
func (s *Summary) choose(alpha float64) {
	s.Alpha = alpha
	chosen := 0
	for k := range s.Path {
		if s.Path[k].Alpha <= alpha {
			chosen = k
		}
	}
	s.Path[chosen].Chosen = true
}

// distinct returns the training rows without repetitions, ascending: copies of one row must not be
// on both sides of a fold.
func (j *job) distinct() []int32 {
	pop, err := grow.Gather(j.target, j.rows)
	if err != nil {
		return nil
	}
	return pop.Rows
}

// foldRisks grows one tree a fold, several at a time, and sums their risks in the order of the
// folds.
func (j *job) foldRisks(ctx context.Context, folds []split.Fold, typical []float64) (*risk, error) {
	risks := make([]*risk, len(folds))
	done := make(chan struct{}, len(folds))
	g, inner := errgroup.WithContext(ctx)
	g.SetLimit(parallel.Workers(j.Workers) + 1)
	g.Go(func() error { return j.report(done, len(folds)) })
	for i, fold := range folds {
		g.Go(func() (err error) {
			risks[i], err = j.foldRisk(inner, fold, uint64(i)+1, typical)
			done <- struct{}{}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	total := newRisk(len(typical))
	for _, r := range risks {
		total.merge(r)
	}
	return total, nil
}

// report calls the observer after each finished fold, from one goroutine.
func (j *job) report(done <-chan struct{}, folds int) error {
	for n := 1; n <= folds; n++ {
		<-done
		if j.Observe != nil {
			if err := j.Observe(learn.Round{Stage: "cross-validate", N: n, Of: folds}); err != nil {
				return err
			}
		}
	}
	return nil
}

func (j *job) foldRisk(ctx context.Context, fold split.Fold, stream uint64,
	typical []float64) (*risk, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	train, times := j.repeat(fold.Train), j.multiplicity(fold.Test)
	pop, err := j.again(train)
	if err != nil {
		return nil, err
	}
	t, err := j.grow(ctx, pop, stream, 1)
	if err != nil {
		return nil, err
	}
	path, err := j.path(t, train)
	if err != nil {
		return nil, err
	}
	r, parents := newRisk(len(typical)), t.Parents()
	for i, row := range fold.Test {
		w := float64(j.weight(row) * times[i])
		r.weight += w
		r.squares += float64(w * w)
		j.walk(t, parents, path, typical, row,
			func(from, to int, loss float64) { r.add(from, to, w, loss) })
	}
	return r, nil
}

// span is a node that a row, or a fraction of it, ends at in the subtrees of the penalties from <=
// k < to.
type span struct {
	node     int32
	part     float64
	from, to int
}

// walk follows a row down a tree and computes, for every penalty, the loss of the subtree's
// prediction. A row that nodes divide is predicted by the mixture of the nodes that its fractions
// end at:
//
//	penalties     0 1 2 3 4 5
//	part 2/3      |leaf | its parent |
//	part 1/3      |   leaf   |parent |      four mixtures: [0,2) [2,3) [3,4) [4,6)
func (j *job) walk(t *tree.Tree, parents []int32, path *prune.Path, typical []float64, row int32,
	add func(from, to int, loss float64)) {
	var spans []span
	divided := false
	t.Over(j.frame.Columns).Visit(row, func(n int32, part float64, end bool) {
		from, to := path.Levels(typical, parents[n], n)
		if end {
			from = 0
		}
		if from < to {
			spans = append(spans, span{n, part, from, to})
			divided = divided || part != 1
		}
	})
	if !divided {
		for _, s := range spans {
			add(s.from, s.to, j.loss(t.Value(s.node), row))
		}
		return
	}
	ends := []int{0}
	for _, s := range spans {
		ends = append(ends, s.from, s.to)
	}
	slices.Sort(ends)
	ends = slices.Compact(ends)
	for i := range ends[1:] {
		add(ends[i], ends[i+1], j.loss(mixture(t, spans, ends[i]), row))
	}
}

// mixture is the prediction of the subtree of penalty k for a row: class probabilities or a number.
func mixture(t *tree.Tree, spans []span, k int) []float64 {
	sum := make([]float64, t.Leaf.Width)
	value := make([]float64, t.Leaf.Width)
	for _, s := range spans {
		if k < s.from || k >= s.to {
			continue
		}
		copy(value, t.Value(s.node))
		if t.Leaf.Kind == tree.Counts {
			tree.Probabilities(value, value)
		}
		for i, v := range value {
			sum[i] += float64(s.part * v)
		}
	}
	return sum
}

// repeat returns the job's rows, repetitions included, that are among the given distinct ascending
// ones.
func (j *job) repeat(rows []int32) []int32 {
	in := make(map[int32]bool, len(rows))
	for _, r := range rows {
		in[r] = true
	}
	var out []int32
	for _, r := range j.rows {
		if in[r] {
			out = append(out, r)
		}
	}
	return out
}

// multiplicity counts how often each row stands in the job.
func (j *job) multiplicity(rows []int32) []float64 {
	count := make(map[int32]float64, len(rows))
	for _, r := range j.rows {
		count[r]++
	}
	times := make([]float64, len(rows))
	for i, r := range rows {
		times[i] = count[r]
	}
	return times
}
