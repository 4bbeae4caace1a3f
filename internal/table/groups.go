package table

import (
	"errors"
	"slices"
	"sync"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// Groups are groups of rows of one file that are stored column after column.
type Groups struct {
	Columns []*Column // the used ones
	Rows    []int     // of each group

	// Read appends the values of a group to a column. One goroutine at a time reads a column, and
	// its groups in order; workers are numbered from 0. Read calls spare before it allocates, with
	// the bytes that it will need at the same time, beside those of the column. It ends with the
	// error that spare returns.
	Read func(worker, group, column int, spare func(bytes int64) error) error
}

// ReadGroups appends the rows of all groups, read by as many goroutines as ReadOptions.Threads
// allows.
//
// What the table becomes, and which error is reported, is the same for any number of them: that of
// reading group after group and in each column after column. The values of a column, its texts and
// its notes come from one goroutine at a time, in the order of the rows. The limit of memory is
// checked for every read in its turn, when all before it are done, with what it needed most; one
// that comes before its turn waits where the reads ahead take more than a part of the limit.
func (b *Builder) ReadGroups(g *Groups) error {
	for from := 0; from < len(g.Rows); {
		if out, err := leavesOut(b, g.Rows[from]); err != nil {
			return err
		} else if out {
			from++
			continue
		}
		until, err := batch(b, g.Rows, from)
		if err != nil {
			return err
		}
		if err := newGroupCrew(b, g, from, until).read(); err != nil {
			return err
		}
		if err := b.passOn(); err != nil {
			return err
		}
		from = until
	}
	return nil
}

// batch returns which groups are read together: those for which there is memory, up to the one that
// makes a block.
func batch(b *Builder, rows []int, from int) (until int, err error) {
	w, total := b.wanted, 0
	for until = from; until < len(rows); until++ {
		if total > 0 && (b.full.made(b.rows+total, &b.Size) || b.full.mayBeMade(total, b.columns) ||
			w != nil && b.before+b.rows+total >= w.To) { // the last ones that are wanted
			break
		}
		// a file claims as many rows as it likes
		if total = min(total+rows[until], MaxRows+1); b.Limit(total) != nil && until > from {
			break
		}
	}
	return until, b.Limit(rows[from])
}

// follow makes a column report to another plan, such as a fork for the goroutine that reads it.
func (c *Column) follow(p *Plan) {
	c.plan, c.Texts.plan = p, p
	for _, d := range []*Dictionary{c.Dict, c.Kept.Dict} {
		if d != nil && d.account != nil {
			d.account = &p.account
		}
	}
}

// endGroup ends as many rows of every column. It passes none on.
func endGroup(b *Builder, n int) error {
	if err := b.Limit(n); err != nil {
		return err
	}
	b.files.addAll(b.before+b.rows, n)
	b.rows += n
	return nil
}

// groupCrew are goroutines that read the columns of some groups. The reads are numbered in the
// order in which one goroutine would do them. Each goroutine does the first one whose column nobody
// reads.
//
//	            column 0   1   2
//	group 0     done    done   done       turn is 3: what is before is part of the table
//	group 1     busy    done   busy
//	group 2             busy
type groupCrew struct {
	*Groups
	b     *Builder
	from  int // the first group
	until int // the one behind the last
	end   int // the number of reads
	plans []*Plan

	mu     sync.Mutex
	turned sync.Cond
	free   []int              // the next reads of the columns that nobody reads, in order
	turn   int                // the first read that is not part of the table yet
	done   map[int]*groupRead // those from there on that are done
	ahead  int64              // bytes that reads from there on take
	most   int64              // from which on they wait for their turn
	fault  error              // of the values of the group whose turn it is
	err    error              // the first one
}

// newGroupCrew makes the goroutines' work of some groups.
func newGroupCrew(b *Builder, g *Groups, from, until int) *groupCrew {
	const part = 8 // of the limit of memory: what reads may take that come before their turn
	c := &groupCrew{b: b, Groups: g, from: from, until: until,
		end: (until - from) * len(g.Columns), done: map[int]*groupRead{},
		most: int64(b.plan.account.limit) / part}
	c.turned.L = &c.mu
	return c
}

// read appends the rows of the groups.
func (c *groupCrew) read() error {
	b := c.b
	if len(c.Columns) == 0 {
		for group := c.from; group < c.until; group++ {
			if err := endGroup(b, c.Rows[group]); err != nil {
				return err
			}
		}
		return nil
	}
	for i, column := range c.Columns {
		c.free = append(c.free, i)
		c.plans = append(c.plans, b.plan.Fork())
		column.follow(c.plans[len(c.plans)-1])
	}
	workers := min(parallel.Workers(b.options.Threads), len(c.Columns))
	parallel.Each(workers, workers, func(worker, _ int) { c.work(worker) })
	for i, column := range c.Columns {
		b.plan.Learn(c.plans[i])
		b.plan.account.addTexts(&c.plans[i].account)
		b.plan.dicts = append(b.plan.dicts, c.plans[i].dicts...)
		column.follow(b.plan)
	}
	return c.err
}

// groupRead is one read.
type groupRead struct {
	number int
	plan   *Plan
	before int64           // what the column had charged
	taken  int64           // bytes beyond that, counted in ahead
	peaks  []int64         // what it needed, each more than the last
	fault  *data.ReadError // the first one that the column met in this read, in a row
	row    int
	err    error
}

// errNotNeeded ends a read behind an error.
var errNotNeeded = errors.New("table: this is behind an error")

// work reads until there is nothing left that others are not at.
func (c *groupCrew) work(worker int) {
	for r := c.take(nil); r != nil; r = c.take(r) {
		group, column := c.place(r.number)
		faulty := r.plan.fault != nil
		r.err = c.Read(worker, group, column, func(bytes int64) error { return c.spare(r, bytes) })
		if r.err == nil {
			r.err = c.spare(r, 0) // texts may have come
		}
		if !faulty {
			r.fault, r.row = r.plan.fault, r.plan.faultRow
		}
	}
}

// place returns the group and the column of a read.
func (c *groupCrew) place(number int) (group, column int) {
	return c.from + number/len(c.Columns), number % len(c.Columns)
}

// take ends a read and returns the next one, nil if there is none.
func (c *groupCrew) take(last *groupRead) *groupRead {
	c.mu.Lock()
	defer c.mu.Unlock()
	if last != nil {
		c.finish(last)
	}
	if c.err != nil || len(c.free) == 0 || c.free[0] >= c.end {
		return nil
	}
	number := c.free[0]
	c.free = c.free[1:]
	plan := c.plans[number%len(c.Columns)]
	return &groupRead{number: number, plan: plan, before: plan.account.held}
}

// finish makes a read part of the table, as soon as all before it are, and those behind it that
// waited.
func (c *groupCrew) finish(last *groupRead) {
	c.done[last.number] = last
	next := last.number + len(c.Columns)
	at, _ := slices.BinarySearch(c.free, next)
	c.free = slices.Insert(c.free, at, next)
	held := last.plan.account.held - last.before
	c.ahead, last.taken = c.ahead+held-last.taken, held
	if last.err != nil {
		c.end = min(c.end, last.number+1)
	} else if last.fault != nil { // the rest of its group may hold an error, which goes first
		c.end = min(c.end, (last.number/len(c.Columns)+1)*len(c.Columns))
	}
	for c.err == nil && c.done[c.turn] != nil {
		if c.err = c.add(c.done[c.turn]); c.err == nil {
			delete(c.done, c.turn)
			c.turn++
		}
	}
	c.turned.Broadcast()
}

// add makes a read part of the table in its turn.
func (c *groupCrew) add(r *groupRead) error {
	group, column := c.place(r.number)
	rows := c.Rows[group]
	if err := c.b.Limit(rows); err != nil {
		return err
	}
	for _, peak := range r.peaks {
		if err := c.b.Spare(rows, peak); err != nil {
			return err
		}
	}
	if r.err != nil {
		return r.err
	}
	c.b.Size.Charge(r.taken)
	c.ahead -= r.taken
	if r.fault != nil && c.fault == nil {
		c.fault = c.b.files.fault(r.fault, c.b.files.line(c.b.before+r.row))
	}
	if column < len(c.Columns)-1 {
		return nil
	}
	if c.fault != nil {
		return c.fault
	}
	return endGroup(c.b, rows)
}

// spare returns an error if there is no memory for bytes that a read needs, beside what its column
// holds. Before its turn the read waits where too much is read ahead.
func (c *groupCrew) spare(r *groupRead, bytes int64) error {
	bytes += r.plan.account.held - r.before
	c.mu.Lock()
	defer c.mu.Unlock()
	for r.number != c.turn && c.err == nil && c.ahead-r.taken+bytes > c.most {
		c.turned.Wait()
	}
	if c.err != nil {
		return errNotNeeded
	}
	c.ahead, r.taken = c.ahead+bytes-r.taken, bytes
	if n := len(r.peaks); n == 0 || bytes > r.peaks[n-1] {
		r.peaks = append(r.peaks, bytes)
	}
	if r.number != c.turn {
		return nil
	}
	group, _ := c.place(r.number)
	return c.b.Spare(c.Rows[group], bytes)
}
