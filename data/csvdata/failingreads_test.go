package csvdata

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/tabletest"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/internal/source"
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

// Whichever call of the files fails, and wherever a context ends, a reading returns that error, on
// each road and with any number of goroutines.
func TestReadingsReturnErrors(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	long := strings.Repeat("c", 150) // as blank lines above a header, it takes several blocks
	text.WriteString(strings.Repeat("\n", 150) + "a,b," + long + "\n")
	for i := range 30 {
		fmt.Fprintf(&text, "%d,\"x\n%d\",%d\n", i, i%3, i*i)
	}
	text.WriteString("later,y,1\n") // numbers turn out to be categories
	paths := []string{filepath.Join(dir, "a.csv"), filepath.Join(dir, "b.csv.gz")}
	for i, b := range [][]byte{[]byte(text.String()), gzipped(t, text.String())} {
		if err := os.WriteFile(paths[i], b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	schema := &data.Schema{Fields: []data.Field{{Name: long}, {Name: "b", Kind: data.Categorical, Levels: []string{"y"}}}}
	wrong := errors.New("the disk is gone")
	for name, way := range rendered {
		for _, threads := range []int{1, 2} {
			open := func() data.Table {
				o := Options{ReadOptions: data.ReadOptions{Threads: threads}}
				if name == "stream" {
					o.Schema = schema
				}
				return o.format(100, 2).Open(o.ReadOptions, paths)
			}
			want, err := way(t.Context(), open())
			if err != nil {
				t.Fatal(name, err)
			}
			calls, looks := 0, 0
			for at, failed := int64(0), true; failed; at += 1 + at/8 {
				var made atomic.Int64
				end := outside.Judge(func(c outside.Call) (f outside.Fault) {
					if (c.Kind == outside.Open || c.Kind == outside.Read) && made.Add(1) == at+1 {
						f.Err = wrong
					}
					return f
				})
				got, err := way(t.Context(), open())
				end()
				// several goroutines may read a block of which no row is needed
				if failed = made.Load() > at; (!failed || threads > 1) && err == nil && got == want {
					continue
				}
				if calls++; !errors.Is(err, wrong) {
					t.Errorf("%s, %d goroutines: call %d failed: %v; error %v", name, threads, at, failed, err)
				}
			}
			for at, ended := int64(0), true; ended; at += 1 + at/8 {
				c := &lookedAt{Context: t.Context()}
				c.left.Store(at)
				got, err := way(c, open())
				if ended = c.left.Load() < 0; !ended && err == nil && got == want {
					continue
				}
				if looks++; !errors.Is(err, context.Canceled) {
					t.Errorf("%s, %d goroutines: the context ended at look %d: %v; error %v", name, threads, at, ended, err)
				}
			}
			if calls == 0 || looks == 0 {
				t.Errorf("%s, %d goroutines: %d calls and %d looks fail", name, threads, calls, looks)
			}
		}
	}
}

// rendered are the ways to read a table, with what they find.
var rendered = map[string]func(ctx context.Context, t data.Table) (string, error){
	"estimate": func(ctx context.Context, t data.Table) (string, error) {
		rows, columns, err := t.Estimate(ctx)
		return fmt.Sprint(rows, columns), err
	},
	"frame": func(ctx context.Context, t data.Table) (string, error) {
		f, err := t.Frame(ctx)
		if err != nil {
			return "", err
		}
		return tabletest.Render(f), nil
	},
	"blocks": func(ctx context.Context, t data.Table) (text string, err error) {
		b, err := t.Blocks(ctx)
		if err != nil {
			return "", err
		}
		for part, err := range b.Blocks(ctx) {
			if err != nil {
				return "", err
			}
			text += tabletest.Render(part.Frame)
		}
		return text, nil
	},
	"stream": func(ctx context.Context, t data.Table) (text string, err error) {
		for part, err := range t.Stream(ctx) {
			if err != nil {
				return "", err
			}
			text += tabletest.Render(part.Frame)
		}
		return text, nil
	},
}

// A file has about as many rows as its first block has lines, times the blocks.
func TestEstimates(t *testing.T) {
	const rows = 100_000
	text := "a,b,c\n" + strings.Repeat("1,2,3\n", rows)
	for name, b := range map[string][]byte{"t.csv": []byte(text), "t.csv.gz": gzipped(t, text)} {
		s := source.Bytes(name, b)
		for block, off := range map[int]int64{60_006: rows / 10, 1 << 20: rows / 100} {
			got, columns, err := new(Options).estimate(t.Context(), &s, block)
			if name == "t.csv.gz" && block < 1<<20 {
				off = rows // what is unpacked ahead counts
			}
			if err != nil || got < rows-off || got > rows+off || columns != 3 {
				t.Errorf("%s, blocks of %d: %d rows of %d, %v", name, block, got, columns, err)
			}
		}
	}
}
