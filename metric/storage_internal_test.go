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

// Each way to keep rows has its part of the memory: sorted lists a quarter, of which two may be in
// memory, blocks of numbers too, and the buffers of a merge.
func TestPartsOfMemory(t *testing.T) {
	of := func(bytes int64) *store { return &store{in: Storage{Bytes: bytes}} }
	for _, c := range []struct {
		bytes, part int64
		size, most  int
		want        int
	}{{0, 4, 8, 77, 77}, {1000, 4, 8, 77, 31}, {1000, 4, 8, 30, 30}, {10, 4, 8, 30, 1}} {
		if got := of(c.bytes).limit(c.part, c.size, c.most); got != c.want {
			t.Errorf("%+v: %d records", c, got)
		}
	}
	weight := []float64{1}
	for _, c := range []struct {
		s            Sample
		bytes        int64
		rows, memory int
	}{
		{Sample{Width: 1}, 6400, 100, 4}, {Sample{Width: 1, Weight: weight}, 9600, 100, 4},
		{Sample{Width: 3}, 12800, 100, 4}, {Sample{Width: 1}, 0, keptRows, 0}, {Sample{Width: 1}, 15, 1, 0},
		{Sample{Width: 1}, 64, 1, 4}, {Sample{Width: 1}, 79, 1, 4},
	} {
		if k := newKept(of(c.bytes), &c.s); k.rows != c.rows || k.memory != c.memory {
			t.Errorf("%+v: %d rows of a block, %d blocks", c, k.rows, k.memory)
		}
	}
	if r := newRuns(of(51200), layout[scored]{size: 16}); r.records != 100 || r.most != 4 {
		t.Errorf("%d records of a piece, %d runs", r.records, r.most)
	}
	if r := newRuns(of(0), layout[scored]{size: 16}); r.records != pieceBytes/16 || r.most != 1<<20 {
		t.Errorf("%d records of a piece, %d runs", r.records, r.most)
	}
	if r := newRuns(of(100), layout[scored]{size: 16}); r.records != 1 || r.most != 2 {
		t.Errorf("%d records of a piece, %d runs", r.records, r.most)
	}
	if s := newSorter(of(4000), layout[scored]{}, 77, 20); s.most != 50 {
		t.Errorf("%d records are sorted", s.most)
	}
	if s := newSorter(of(0), layout[scored]{}, 0, 20); s.most != 1 {
		t.Errorf("%d records of none are sorted", s.most)
	}
	if l := newTieLog(of(1280)); l.most != 20 {
		t.Errorf("%d weights of ties", l.most)
	}
	if s := newScores(77, false, of(1280), 1); len(s.all) != 40 || s.high != 40 {
		t.Errorf("%d scores", len(s.all))
	}
	if s := newScores(77, true, of(1920), 1); cap(s.weighted) != 20 || s.all != nil {
		t.Errorf("%d scores with weights", cap(s.weighted))
	}
}

// Runs of one level are merged as soon as there are so many, so that no record is written more
// often than there are levels.
func TestRunsOfLevels(t *testing.T) {
	r := newRuns(&store{in: Storage{Folder: t.TempDir()}}, scoredLayout(true))
	defer r.close()
	r.records, r.most = 2, 3
	const n = 28
	for i := range n {
		w := r.begin(0, 0)
		w.add(&scored{score: float64(i * 5 % n), weight: 1, row: int32(i)})
		r.add(w.end())
		var levels []int
		for left, level := i+1, 0; left > 0; left, level = left/3, level+1 {
			for range left % 3 {
				levels = append([]int{level}, levels...)
			}
		}
		if len(levels) != len(r.tagged[0]) {
			t.Fatalf("%d runs of %d, want levels %v", len(r.tagged[0]), i+1, levels)
		}
		for k, level := range levels {
			records := 1
			for range level {
				records *= 3
			}
			if one := r.tagged[0][k]; one.level != level || len(one.pieces) != (records+1)/2 {
				t.Errorf("run %d of %d is of level %d in %d pieces, want %v", k, i+1, one.level, len(one.pieces), levels)
			}
		}
	}
	for range 2 {
		next := 0.0
		r.mergeAll(func(s *scored) {
			if s.score != next || s.row*5%n != int32(next) || s.weight != 1 {
				t.Errorf("%+v, want score %v", s, next)
			}
			next++
		})
		if next != n || len(r.tagged[0]) > r.most {
			t.Errorf("%v records of %d in %d runs", next, n, len(r.tagged[0]))
		}
	}
	if r.err != nil {
		t.Error(r.err)
	}
}
