package csvdata

import (
	"context"
	"math"
	"sync"

	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/memory"
)

// readAll reads the rows of all sources, in blocks of that many bytes.
func (t *reading) readAll(ctx context.Context, sources []source.Source, size int) error {
	c := t.cutter(ctx, sources, size)
	defer c.end()
	return t.readFrom(c)
}

// cutter returns the cutter of some sources.
func (t *reading) cutter(ctx context.Context, sources []source.Source, size int) *cutter {
	sources, stop := source.ReadAhead(ctx, &t.options.ReadOptions, sources)
	return &cutter{ctx: ctx, options: t.options, sources: sources, stopAhead: stop, size: size,
		most: memory.Limit(t.options.Memory.Bytes()), pause: math.MaxInt}
}

// readFrom reads the rows of all blocks until the cutter is over or pauses.
func (t *reading) readFrom(c *cutter) error {
	t.splitter.most = memory.Limit(t.options.Memory.Bytes())
	t.splitter.more = func() (*block, error) {
		b := c.pull(nil)
		return b, b.err
	}
	workers := t.workers(c.size)
	for t.rows < t.until {
		b := c.next(t.splitter.buf)
		if b == nil {
			return nil
		}
		if err := t.add(b); err != nil {
			return err
		}
		if workers > 1 && t.rows < t.until && !c.over() {
			return t.readTogether(c, workers)
		}
	}
	return nil
}

// workers returns how many goroutines are to read. Those of which the memory would be a large part
// of the limit are left out.
func (t *reading) workers(size int) int {
	const blocks = 16 // a worker has a block, its values and its texts
	few := t.options.Memory.Bytes() / 8 / int64(blocks*size)
	blocksOf := t.size/int64(size) + 1
	return int(min(int64(parallel.Workers(t.options.Threads)), few, 4*blocksOf))
}

// crew are goroutines that read one table. Each cuts a block, in turn, and reads its rows into a
// part of its own, as if the block began with a row and no column turned categorical before. Then
// it waits for its turn, in the order of the blocks. If all that was so, the part becomes rows of
// the table. If not, or if something is wrong with a row, the block is read again, and now in
// order. What the table becomes and which error is reported is therefore the same for any number of
// goroutines.
//
//	goroutine 0   cut 1   read 1 ............  join 1   copy 1   cut 3   read 3 ..
//	goroutine 1           cut 2   read 2 ............  join 2   copy 2   cut 4 ..
type crew struct {
	*reading
	cutting sync.Mutex
	cutter  *cutter
	cut     map[int]*block // those whose turn is over or to come

	turning sync.Mutex
	turned  sync.Cond
	turn    int   // the number of the block that is added next
	pulled  int   // how many blocks behind it were needed for its last row
	over    bool  // nothing more is to be read
	err     error // the first one in order

	copying sync.RWMutex // read: parts are copied to the columns; write: these may be replaced
}

// readTogether reads the rest of the sources, of which the kinds of columns are known that the
// first block shows.
func (t *reading) readTogether(c *cutter, workers int) error {
	g := &crew{reading: t, cutter: c, cut: map[int]*block{}, turn: c.number}
	g.turned.L = &g.turning
	t.splitter.buf, t.splitter.more = nil, g.more
	parts := make([]*part, workers)
	for i := range parts {
		parts[i] = newPart(t)
	}
	parallel.Each(workers, workers, func(worker, _ int) { g.work(parts[worker]) })
	return g.err
}

// work reads blocks until there are none.
func (g *crew) work(p *part) {
	for {
		b := g.take(p.buf)
		if b == nil {
			return
		}
		p.buf = b.buf
		p.read(b)
		if !g.await(b.number) {
			return
		}
		joined, err := g.add(p, b)
		g.pass(b.number, err)
		if joined {
			p.move()
			g.copying.RUnlock()
		}
	}
}

// add adds the rows of a block in its turn, by joining the part or by reading the block again. It
// reports whether the part was joined: its values are still to be moved to the columns, which no
// other goroutine replaces in the meantime.
func (g *crew) add(p *part, b *block) (joined bool, err error) {
	if b.taken {
		p.follow(g.reading)
		return false, nil
	}
	if err := g.begin(b); err != nil {
		return false, err
	}
	if p.whole && p.base == g.turns && g.rows+p.rows <= min(g.capacity, g.until) {
		g.copying.RLock()
		if g.join(p) {
			return true, nil
		}
		g.copying.RUnlock()
	}
	g.copying.Lock()
	defer g.copying.Unlock()
	err = g.readRows()
	p.follow(g.reading)
	return false, err
}

// take cuts a block for a worker; nil if there is nothing more to read.
func (g *crew) take(buf []byte) *block {
	g.cutting.Lock()
	defer g.cutting.Unlock()
	b := g.cutter.next(buf)
	if b != nil {
		g.cut[b.number] = b
	}
	return b
}

// more returns the block behind the last one that was added, which is nobody's turn any more.
func (g *crew) more() (*block, error) {
	g.cutting.Lock()
	defer g.cutting.Unlock()
	g.pulled++
	b := g.cut[g.turn+g.pulled]
	if b == nil {
		b = g.cutter.pull(nil)
		b.unowned = true
		g.cut[b.number] = b
	}
	b.taken = true
	return b, b.err
}

// await waits for the turn of a block. It reports false if nothing more is to be read.
func (g *crew) await(number int) bool {
	g.turning.Lock()
	defer g.turning.Unlock()
	for g.turn != number && !g.over {
		g.turned.Wait()
	}
	return !g.over
}

// pass gives the turn to the next block that somebody has read.
func (g *crew) pass(number int, err error) {
	g.cutting.Lock()
	for more := true; more; {
		delete(g.cut, number)
		number++
		more = g.cut[number] != nil && g.cut[number].unowned
	}
	if err != nil || g.rows >= g.until {
		g.cutter.stop()
	}
	g.cutting.Unlock()
	g.turning.Lock()
	g.turn, g.pulled, g.err = number, 0, err
	g.over = err != nil || g.rows >= g.until
	g.turned.Broadcast()
	g.turning.Unlock()
}
