package bins_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
	"github.com/coppice-ml/coppice/internal/testing/tier"
	"github.com/coppice-ml/coppice/learn/gbm/internal/bins"
	"github.com/coppice-ml/coppice/ranks"
	"github.com/coppice-ml/coppice/ranks/rankstest"
)

// sharedTable is numbers of many and of few values, mostly zeros, and categories.
func sharedTable(t *testing.T) *data.Frame {
	t.Helper()
	const rows = 3000
	s := rng.New(11)
	x := make([][]float64, 5)
	for k := range x {
		x[k] = make([]float64, rows)
		for i := range x[k] {
			x[k][i] = s.Float64()
			if k == 1 {
				x[k][i] = float64(s.Intn(9))
			}
			if k >= 3 && s.Intn(50) > 0 {
				x[k][i] = 0
			}
		}
	}
	level := make([]string, rows)
	for i := range level {
		level[i] = string(rune('a' + s.Intn(20)))
	}
	f, err := data.FromColumns(data.NamedColumn{Name: "many", Values: x[0]},
		data.NamedColumn{Name: "few", Values: x[1]}, data.NamedColumn{Name: "level", Values: level},
		data.NamedColumn{Name: "more", Values: x[2]}, data.NamedColumn{Name: "zeros", Values: x[3]},
		data.NamedColumn{Name: "zeros too", Values: x[4]})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// share makes a matrix in as many processes.
func share(t *testing.T, n int, f *data.Frame, rows []int32, o bins.Options) ([]*bins.Matrix, []error) {
	made := make([]*bins.Matrix, n)
	errs := rankstest.Each(n, func(g ranks.Group) (err error) {
		i, o := g.Rank(), o
		o.Share = &bins.Share{Rank: i, Size: n, Gather: g.Gather}
		made[i], err = bins.Make(t.Context(), f, rows, nil, o, 1+i%2)
		return err
	})
	return made, errs
}

// Processes that divide the columns have the matrix of one, each of them.
func TestSharedColumnsAreThoseOfOne(t *testing.T) {
	f := sharedTable(t)
	for _, o := range []bins.Options{{Bundle: true, List: true, Joint: 200}, {Bins: 700, Unpacked: true}} {
		for _, rows := range [][]int32{nil, data.AllRows(2000)[7:]} {
			want, err := bins.Make(t.Context(), f, rows, nil, o, 2)
			if err != nil {
				t.Fatal(err)
			}
			for _, n := range []int{2, 3, 9}[:tier.Count(1, 3, 3)] {
				made, errs := share(t, n, f, rows, o)
				if err := errors.Join(errs...); err != nil {
					t.Fatal(err)
				}
				for rank, got := range made {
					if d := differs(want, got); d != "" {
						t.Fatalf("process %d of %d: %s", rank, n, d)
					}
				}
			}
		}
	}
}

// What one process finds wrong with a column is the error of all.
func TestSharedErrors(t *testing.T) {
	_, errs := share(t, 3, sharedTable(t), nil, bins.Options{Bins: 20, Distinct: true})
	for rank, err := range errs {
		if err == nil || !strings.Contains(err.Error(), `column "many" has more than 20`) {
			t.Errorf("process %d: %v", rank, err)
		}
	}
}

// differs describes how two matrices differ, "" if they are equal.
func differs(want, got *bins.Matrix) string {
	if reflect.DeepEqual(want, got) { // which takes a fraction of what follows
		return ""
	}
	return cmp.Diff(want, got, cmpopts.IgnoreUnexported(bins.Matrix{}))
}
