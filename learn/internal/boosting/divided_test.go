package boosting_test

import (
	"context"
	"errors"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/learn/internal/boosting"
	"github.com/coppice-ml/coppice/loss"
	"github.com/coppice-ml/coppice/loss/losstest"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/rankstest"
)

// Ranks that each have the scores of some rows find the values of one process that has them all.
// Only metrics that are no sums ask for the scores of others.
func TestRanksDivideAnEvaluation(t *testing.T) {
	const rows = 5*loss.SumRows + 77
	s := rng.New(5)
	target := &data.Target{Task: data.Binary, Classes: []string{"a", "b"}}
	raw := make([]float64, rows)
	for i := range raw {
		raw[i] = 4*s.Float64() - 2
		target.Class = append(target.Class, uint32(s.Intn(2)))
		target.Weight = append(target.Weight, s.Float64())
	}
	evaluate := func(metric string, divide func(p *boosting.Set)) ([]float64, error) {
		p, err := boosting.NewSet(boosting.Training, losstest.New("logistic"), target, data.AllRows(rows))
		if err != nil {
			return nil, err
		}
		p.Raw = append([]float64(nil), raw...)
		divide(p)
		var k boosting.Monitor
		if err := k.Open(boosting.Monitoring{Target: target, Loss: "logistic", Metric: metric,
			Train: p, Every: 1, Workers: 1}); err != nil {
			return nil, err
		}
		k.Rounds = 1
		err = k.Evaluate()
		var values []float64
		for _, c := range k.Curves {
			values = append(values, c.Values...)
		}
		return values, err
	}
	for _, c := range []struct {
		metric    string
		completes int
	}{{"loss", 0}, {"loss,auc", 1}} {
		want, err := evaluate(c.metric, func(*boosting.Set) {})
		if err != nil {
			t.Fatal(err)
		}
		const n = 3
		got, completed := make([][]float64, n), make([]int, n)
		errs := rankstest.Each(n, func(g ranks.Group) (err error) {
			got[g.Rank()], err = evaluate(c.metric, func(p *boosting.Set) {
				p.Divided = boosting.Divide(rows, g, func(own []byte) ([][]byte, error) {
					return g.Gather(context.Background(), own)
				})
				clear(p.Raw[:p.Divided.From])
				clear(p.Raw[p.Divided.To:])
				p.Divided.Complete = func() error {
					completed[g.Rank()]++
					copy(p.Raw, raw)
					return nil
				}
			})
			return err
		})
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
		for rank := range got {
			for k, v := range got[rank] {
				if v != want[k] {
					t.Errorf("%s, rank %d: %v, want %v", c.metric, rank, got[rank], want)
				}
			}
			if completed[rank] != c.completes {
				t.Errorf("%s, rank %d: all scores were requested %d times, want %d", c.metric, rank,
					completed[rank], c.completes)
			}
		}
	}
}
