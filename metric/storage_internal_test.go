package metric

import (
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/rng"
)

// held returns the bytes that a stream keeps of rows.
func (t *Stream) held() int {
	n := cap(t.bytes)
	for _, c := range t.columns {
		if c == nil {
			continue
		}
		n += 8*cap(c.all) + 24*cap(c.weighted)
		if c.runs != nil {
			for _, of := range c.runs.tagged {
				for _, r := range of {
					n += 24 * cap(r.pieces)
				}
			}
		}
		if c.ties != nil {
			n += 8*cap(c.ties.now) + 24*cap(c.ties.stored)
		}
	}
	if g := t.groups; g != nil {
		n += groupRowBytes * cap(g.rows.now)
		if r := g.rows.runs; r != nil {
			n += 24 * cap(r.tagged[0])
			for _, one := range r.tagged[0] {
				n += 24 * cap(one.pieces)
			}
		}
	}
	if k := t.kept; k != nil {
		n += 24 * cap(k.stored)
		for _, s := range append(k.full, k.now) {
			if s != nil {
				n += 8 * (cap(s.Y) + cap(s.Pred) + cap(s.Weight))
			}
		}
	}
	return n
}

// What is kept of rows stays within the limit, however many they are; beyond it are the places of
// pieces. Runs are few, for the buffers of a merge.
func TestMemoryOfStreams(t *testing.T) {
	const limit = 1 << 15
	for _, task := range []data.Task{data.Binary, data.Regression, data.Ranking} {
		for _, weighted := range []bool{false, true} {
			for _, rows := range []int{5_000, 50_000} {
				random := rng.New(1)
				stream := NewStream(task, rows, Storage{Bytes: limit, Folder: t.TempDir()})
				for at := 0; at < rows; at += 1000 {
					s := &Sample{Width: 1, FirstPositive: true}
					for range 1000 {
						p := random.Float64()
						if s.Pred = append(s.Pred, p); task == data.Binary {
							s.Width, s.Pred = 2, append(s.Pred, 1-p)
							s.Class = append(s.Class, uint32(random.Intn(2)))
						} else {
							s.Y = append(s.Y, random.Float64())
							if task == data.Ranking {
								s.Group = append(s.Group, int64(random.Intn(rows/10)))
							}
						}
						if weighted {
							s.Weight = append(s.Weight, random.Float64())
						}
					}
					if err := stream.Add(s); err != nil {
						t.Fatal(err)
					}
				}
				before := stream.held()
				values, _, err := stream.Values()
				if err != nil || len(values) < 3 {
					t.Fatal(values, err)
				}
				places := int(stream.file.Size() / 500 * 24) // pieces have 1 KB or more
				for _, held := range []int{before, stream.held()} {
					if held > limit+places {
						t.Errorf("%s, weights %v: %d bytes of %d rows, the limit is %d and %d", task, weighted, held, rows, limit, places)
					}
				}
				if c := stream.columns[1]; c != nil {
					if n := len(c.runs.tagged[0]) + len(c.runs.tagged[1]); n > 2*c.runs.most || n*c.runs.records*c.runs.size > limit {
						t.Errorf("%d runs are merged at once", n)
					}
				}
				if err := stream.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
}
