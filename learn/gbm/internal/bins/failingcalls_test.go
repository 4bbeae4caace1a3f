package bins

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/scratch"
)

// lookedAt is a context that ends behind some looks at it.
type lookedAt struct {
	context.Context
	left atomic.Int64
}

func (c *lookedAt) Err() error {
	if c.left.Add(-1) < 0 {
		return context.Canceled
	}
	return nil
}

// spread returns a table with columns that can be bundled, that are listed, of many values and of
// categories.
func spread(t *testing.T, n int) *data.Frame {
	t.Helper()
	f := variedFrame(t, n, 8)
	for k, name := range []string{"first", "second", "third"} {
		x := make([]float64, n)
		for i := k; i < n; i += 100 {
			x[i] = float64(1 + i%7)
		}
		f.Schema.Fields = append(f.Schema.Fields, data.Field{Name: name})
		f.Columns = append(f.Columns, data.Numbers(x))
	}
	return f
}

// Wherever a context ends, and whichever block of a table or call of the scratch file fails, the
// work on bins returns that error. Without one the result is the same each time.
func TestBinsReturnErrors(t *testing.T) {
	const n = 400
	f := spread(t, n)
	weight := make([]float64, n)
	for i := range weight {
		weight[i] = float64(1 + i%3)
	}
	rows := slices.DeleteFunc(data.AllRows(n), func(r int32) bool { return r%5 == 3 })
	lists := Options{Bins: 20, Bundle: true, List: true, Joint: 256, Sample: 150}
	walked := func(ctx context.Context, m *Matrix, need Need) error {
		return m.Walk(ctx, need, 2, func(int, *Block) error { return nil })
	}
	stored := func(ctx context.Context, from data.RowSource, folder string) (*Matrix, *scratch.File, error) {
		file, err := scratch.Create(folder)
		if err != nil {
			return nil, nil, err
		}
		fitted, err := FitStored(ctx, from, Rows{rows, weight}, Options{Bins: 20, BlockRows: 60, Least: true, Joint: 256}, 2, nil)
		if err != nil {
			return nil, file, err
		}
		w, err := fitted.Writer([][]int32{rows, {1, 2, 250}}, nil, 1, weight, file)
		if err != nil {
			return nil, file, err
		}
		if err := w.Column(0, f.Columns[1].Numbers()); err != nil {
			return nil, file, err
		}
		made, err := w.Matrices(ctx)
		if err != nil {
			return nil, file, err
		}
		made[0].Store.Memory = 1 << 12
		return made[0], file, nil
	}
	for name, do := range map[string]func(ctx context.Context, from data.RowSource, folder string) error{
		"made": func(ctx context.Context, from data.RowSource, _ string) error {
			_, err := Make(ctx, from, rows, weight, lists, 2)
			return err
		},
		"listed": func(ctx context.Context, from data.RowSource, _ string) error {
			m, err := Make(ctx, from, nil, nil, Options{Bins: 20, List: true}, 2)
			if err != nil {
				return err
			}
			if m.Places == 0 {
				return errors.New("no column is listed")
			}
			_, err = Encode(ctx, from, rows, m.Columns, Options{}, 2)
			return err
		},
		"encoded": func(ctx context.Context, from data.RowSource, _ string) error {
			m, err := Make(t.Context(), f, nil, nil, lists, 1)
			if err != nil {
				return err
			}
			_, err = Encode(ctx, from, rows, m.Columns, lists, 2)
			return err
		},
		"some columns": func(ctx context.Context, from data.RowSource, _ string) error {
			m, err := Make(ctx, from, nil, nil, lists, 1)
			if err != nil {
				return err
			}
			o, err := m.Only(ctx, []int32{0, 2, 4}, nil, 1)
			if err != nil {
				return err
			}
			return walked(ctx, o, Need{Packed: true})
		},
		"stored": func(ctx context.Context, from data.RowSource, folder string) error {
			m, file, err := stored(ctx, from, folder)
			defer file.Close()
			if err != nil {
				return err
			}
			if err := walked(ctx, m, Need{Packed: true}); err != nil {
				return err
			}
			o, err := m.Only(ctx, []int32{0, 2}, nil, 1)
			if err != nil {
				return err
			}
			if err := walked(ctx, o, Need{Columns: []int32{1}}); err != nil {
				return err
			}
			g, err := m.Gather(ctx, []int32{3, 4, 200}, nil, 1)
			if err != nil {
				return err
			}
			if g == nil {
				return errors.New("nothing is gathered")
			}
			_, err = m.inMemory(ctx, 1)
			return err
		},
		"a sketch": func(ctx context.Context, from data.RowSource, _ string) error {
			_, err := FitStored(ctx, from, Rows{}, Options{Sketch: 0.1}, 1, nil)
			return err
		},
	} {
		table := &inBlocks{f, 210, -1}
		looks, blocks, calls := 0, 0, 0
		for at := int64(0); ; at += 1 + at/10 {
			c := &lookedAt{Context: t.Context()}
			c.left.Store(at)
			err := do(c, table, t.TempDir())
			if ended := c.left.Load() < 0; ended != errors.Is(err, context.Canceled) {
				t.Fatalf("%s: the context ended at look %d: %v; error %v", name, at, ended, err)
			} else if !ended {
				break
			}
			looks++
		}
		for ; ; blocks += 1 + blocks/2 {
			from := &failingBlocks{table, blocks}
			err := do(t.Context(), from, t.TempDir())
			if failed := from.left < 0; failed != errors.Is(err, errRead) {
				t.Fatalf("%s: block %d failed: %v; error %v", name, blocks, failed, err)
			} else if !failed {
				break
			}
		}
		gone := errors.New("the disk is gone")
		for at := int64(0); name == "stored"; at += 1 + at/6 {
			var made atomic.Int64
			end := outside.Judge(func(c outside.Call) (f outside.Fault) {
				if (c.Kind == outside.Create || c.Kind == outside.Write || c.Kind == outside.Read) && made.Add(1) == at+1 {
					f.Err = gone
				}
				return f
			})
			err := do(t.Context(), table, t.TempDir())
			end()
			if failed := made.Load() > at; failed != errors.Is(err, gone) {
				t.Fatalf("%s: call %d of the file failed: %v; error %v", name, at, failed, err)
			} else if !failed {
				break
			}
			calls++
		}
		if looks < 2 || blocks < 2 {
			t.Errorf("%s: %d looks and %d blocks fail", name, looks, blocks)
		}
		t.Logf("%s: %d looks, %d blocks and %d calls of files fail", name, looks, blocks, calls)
	}
}

// What Make refuses of rows, weights and options, Encode, FitStored and surveys refuse too. Tables
// of other columns are refused by name.
func TestRefusalsBesideMake(t *testing.T) {
	f := frameOf(t, []float64{1, 2, 3}, []float64{4, 5, 6})
	m, err := Make(t.Context(), f, nil, nil, Options{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	nominal := slices.Clone(m.Columns)
	nominal[1].Level = []int32{0}
	one := f.Select([]int{0})
	survey := func(o Options, from data.RowSource) error {
		s, err := NewSurvey(f.Fields(), 3, false, o)
		if err != nil {
			return err
		}
		if err := s.Read(t.Context(), from, nil, 0, nil, 1); err != nil {
			return err
		}
		_, err = s.Columns()
		return err
	}
	stored := func(rows Rows, o Options) error {
		_, err := FitStored(t.Context(), f, rows, o, 1, nil)
		return err
	}
	encoded := func(from data.RowSource, rows []int32, columns []Column) error {
		_, err := Encode(t.Context(), from, rows, columns, Options{}, 1)
		return err
	}
	var tooMany *TooManyValues
	if err := survey(Options{Bins: 2, Distinct: true}, f); !errors.As(err, &tooMany) || tooMany.Column != f.Schema.Fields[0].Name || tooMany.Bins != 2 {
		t.Errorf("3 values for 2 bins: %v", err)
	}
	for want, err := range map[string]error{
		"a block of 1 columns, want 2":                                 survey(Options{}, one),
		"1 bins: want 2 to 65535":                                      survey(Options{Bins: 1}, f),
		"65536 bins: want 2 to 65535":                                  stored(Rows{}, Options{Bins: 65536}),
		"entry 0 is 3, want ascending rows of the 3":                   stored(Rows{Rows: []int32{3}}, Options{}),
		"2 weights for 3 rows":                                         stored(Rows{Weight: []float64{1, 2}}, Options{}),
		"entry 1 is 1, want ascending rows":                            encoded(f, []int32{1, 1}, m.Columns),
		"entry 0 is -1, want ascending rows":                           encoded(f, []int32{-1}, m.Columns),
		"rows to put in bins have 1 columns, the bins are of column 2": encoded(one, nil, m.Columns),
		"is numeric, its bins are not":                                 encoded(f, nil, nominal),
	} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

// Surveys of parts with few values each are together one of many values.
func TestSurveysThatBecomeLarge(t *testing.T) {
	for _, values := range []int{4, 5, 6, 9} {
		x := make([]float64, 60)
		for i := range x {
			x[i] = float64(i * values / 60)
		}
		f, fields := frameOf(t, x), frameOf(t, x).Fields()
		surveyed := func(from, to int) *Survey {
			s, err := NewSurvey(fields, 60, false, Options{Bins: 5, Distinct: true})
			if err != nil {
				t.Fatal(err)
			}
			if err := s.Read(t.Context(), f, data.AllRows(60)[from:to], from, nil, 1); err != nil {
				t.Fatal(err)
			}
			return s
		}
		merged := surveyed(0, 30)
		merged.Merge(surveyed(30, 60))
		got, err := merged.Columns()
		want, other := surveyed(0, 60).Columns()
		if (err == nil) != (values <= 5) || (other == nil) != (values <= 5) ||
			err == nil && !slices.Equal(got[0].SplitPoints, want[0].SplitPoints) {
			t.Errorf("%d values: %+v, %v, want %+v, %v", values, got, err, want, other)
		}
	}
}
