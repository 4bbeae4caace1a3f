package bins

import (
	"cmp"
	"context"
	"slices"

	"github.com/coppice-ml/coppice/internal/hugepage"
	"github.com/coppice-ml/coppice/internal/parallel"
)

// Need is what Walk reads of blocks.
type Need struct {
	Packed  bool             // all groups that are not out, and their codes by row
	Columns []int32          // without Packed: these columns of the matrix
	Skip    func(i int) bool // block i is not read; nil: all are
}

// Walk calls f for the blocks of the matrix, in their order, with what is needed of their codes.
// The blocks of a stored matrix are read ahead, two of them, while f works on one. f keeps nothing
// of a block. The first error of f, of reading, or of the context ends it.
func (m *Matrix) Walk(
	ctx context.Context, need Need, workers int, f func(i int, b *Block) error,
) error {
	var blocks []int
	for i := range m.Blocks {
		if need.Skip == nil || !need.Skip(i) {
			blocks = append(blocks, i)
		}
	}
	if m.Store == nil {
		for _, i := range blocks {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := f(i, &m.Blocks[i]); err != nil {
				return err
			}
		}
		return nil
	}
	return m.walkStored(ctx, blocks, need, parallel.Workers(workers), f)
}

// loaded is a block that was read.
type loaded struct {
	i     int
	block *Block
	err   error
}

// ahead is how many blocks are read before they are needed.
const ahead = 1

func (m *Matrix) walkStored(
	ctx context.Context, blocks []int, need Need, workers int, f func(i int, b *Block) error,
) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ready := make(chan loaded, ahead)
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer close(ready)
		for _, i := range blocks {
			b, err := m.load(ctx, i, need, workers)
			select {
			case ready <- loaded{i, b, err}:
			case <-ctx.Done():
				m.release(i, b)
				return
			}
			if err != nil {
				return
			}
		}
	}()
	var failed error
	for l := range ready {
		if failed == nil {
			if failed = l.err; failed == nil {
				failed = f(l.i, l.block)
			}
			if failed != nil {
				cancel()
			}
		}
		m.release(l.i, l.block)
	}
	<-done
	if failed == nil {
		failed = ctx.Err()
	}
	return failed
}

// load reads a block, or returns the one that stayed in memory.
func (m *Matrix) load(ctx context.Context, i int, need Need, workers int) (*Block, error) {
	groups := m.groupsOf(need)
	if b := m.resident(i); b != nil && b.hasAll(groups) {
		return b, nil
	}
	b := &Block{First: m.Blocks[i].First, Rows: m.Blocks[i].Rows,
		Codes: make([]Codes, len(m.Groups))}
	failed := make([]error, len(groups))
	err := parallel.EachUntil(ctx, workers, len(groups), func(_, k int) {
		failed[k] = m.Store.read(m, i, int(groups[k]), b)
	})
	if err = cmp.Or(err, cmp.Or(failed...)); err != nil {
		m.release(-1, b)
		return nil, err
	}
	if !need.Packed {
		return b, nil
	}
	b.Packed = m.Store.takeNarrow(b.Rows * m.Stride)
	packers := make([]*packer, workers)
	err = parallel.EachUntil(ctx, workers, b.pieces(), func(worker, k int) {
		if packers[worker] == nil {
			packers[worker] = newPacker(m)
		}
		packers[worker].pack(b, k)
	})
	if err != nil {
		m.release(-1, b)
		return nil, err
	}
	m.keep(i, b)
	return b, nil
}

// hasAll reports whether the block has the codes of some groups.
func (b *Block) hasAll(groups []int32) bool {
	return !slices.ContainsFunc(groups, func(g int32) bool {
		return b.Codes[g].Narrow == nil && b.Codes[g].Wide == nil
	})
}

// groupsOf returns the groups that are needed.
func (m *Matrix) groupsOf(need Need) []int32 {
	var groups []int32
	if need.Packed {
		for i := range m.Groups {
			if !m.Groups[i].Out {
				groups = append(groups, int32(i))
			}
		}
		return groups
	}
	seen := make([]bool, len(m.Groups))
	for _, c := range need.Columns {
		if g := m.Columns[c].Group; !seen[g] {
			seen[g] = true
			groups = append(groups, g)
		}
	}
	return groups
}

// read reads the codes of a group of a block.
func (s *Store) read(m *Matrix, i, group int, b *Block) error {
	piece, codes := s.pieces[i][group], &b.Codes[group]
	if !m.Groups[group].Wide() {
		codes.Narrow = s.takeNarrow(b.Rows)
		return s.file.Read(piece, codes.Narrow)
	}
	codes.Wide = s.takeWide(b.Rows)
	stored := s.takeNarrow(2 * b.Rows)
	defer s.giveNarrow(stored)
	err := s.file.Read(piece, stored)
	codes.setBytes(stored)
	return err
}

// resident returns a block that stayed in memory, nil if it did not.
func (m *Matrix) resident(i int) *Block {
	m.Store.mu.Lock()
	defer m.Store.mu.Unlock()
	if i >= len(m.Store.kept) {
		return nil
	}
	return m.Store.kept[i]
}

// keep makes a block stay in memory, if the blocks before it do and there is memory. As all blocks
// are read in turn, those of which the memory is exceeded would else replace each other.
func (m *Matrix) keep(i int, b *Block) {
	s := m.Store
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := b.bytes(); i == len(s.kept) && s.held+n <= s.Memory {
		s.kept, s.held = append(s.kept, b), s.held+n
	}
}

// bytes returns the memory of a block.
func (b *Block) bytes() int64 {
	n := int64(cap(b.Packed))
	for i := range b.Codes {
		n += int64(cap(b.Codes[i].Narrow)) + 2*int64(cap(b.Codes[i].Wide))
	}
	return n
}

// release gives the memory of a block to others, unless the block stays.
func (m *Matrix) release(i int, b *Block) {
	if b == nil || i >= 0 && m.resident(i) == b {
		return
	}
	for k := range b.Codes {
		m.Store.giveNarrow(b.Codes[k].Narrow)
		m.Store.giveWide(b.Codes[k].Wide)
	}
	m.Store.giveNarrow(b.Packed)
}

// forget releases the blocks that stay, for a matrix that reads other columns.
func (m *Matrix) forget() {
	if m == nil {
		return
	}
	m.Store.mu.Lock()
	blocks := m.Store.kept
	m.Store.kept, m.Store.held = nil, 0
	m.Store.mu.Unlock()
	for _, b := range blocks {
		m.release(-1, b)
	}
}

// takeNarrow returns n bytes of any content.
func (s *Store) takeNarrow(n int) []uint8 {
	s.mu.Lock()
	defer s.mu.Unlock()
	for k := len(s.narrow) - 1; k >= 0; k-- {
		if b := s.narrow[k]; cap(b) >= n && cap(b) <= n+n/4+64 {
			s.narrow[k] = s.narrow[len(s.narrow)-1]
			s.narrow = s.narrow[:len(s.narrow)-1]
			return b[:n]
		}
	}
	return hugepage.Make(n)
}

// spareBuffers is how many buffers are kept that are not in use.
const spareBuffers = 1 << 10

func (s *Store) giveNarrow(b []uint8) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cap(b) > 0 && len(s.narrow) < spareBuffers {
		s.narrow = append(s.narrow, b)
	}
}

func (s *Store) takeWide(n int) []uint16 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if k := len(s.wide) - 1; k >= 0 && cap(s.wide[k]) >= n {
		b := s.wide[k]
		s.wide = s.wide[:k]
		return b[:n]
	}
	return make([]uint16, n)
}

func (s *Store) giveWide(b []uint16) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if cap(b) > 0 && len(s.wide) < spareBuffers {
		s.wide = append(s.wide, b)
	}
}
