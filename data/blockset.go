package data

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
)

// BlockDataset is a data set whose features are read in blocks, while its target is in memory. The
// frame of Dataset is an Outline. That of StreamBlocks has a target of no rows, which come with the
// blocks of Labeled.
type BlockDataset struct {
	Dataset
	Features RowSource // of the rows of Dataset; nil: see Labeled
	stream   *labelStream
}

// AnyDataset is a data set of either form: a *Dataset in memory, or a *BlockDataset.
type AnyDataset interface {
	// InBlocks returns the data set as one whose features come in blocks.
	InBlocks() *BlockDataset
}

// InBlocks returns the data set as one of a single block, which shares its values.
func (d *Dataset) InBlocks() *BlockDataset {
	return &BlockDataset{Dataset: *d, Features: d.Frame}
}

// InBlocks returns the data set itself.
func (d *BlockDataset) InBlocks() *BlockDataset { return d }

// ApplyBlocks is Apply for a table that is read in blocks. It reads the table once, and keeps the
// columns that have a role, but for features. Errors are those of Apply and of reading.
func (r Roles) ApplyBlocks(ctx context.Context, from Features) (*BlockDataset, error) {
	schema, at, err := r.findBlocks(from)
	if err != nil {
		return nil, err
	}
	beside := at.beside()
	held, dates, err := collect(ctx, from, schema, beside, at.features)
	if err != nil {
		return nil, err
	}
	held.Origin = from.Outline().Origin
	own := r
	own.Ignore, own.TimeFeature, own.Like = nil, false, nil
	ds, err := own.Apply(held)
	if err != nil {
		return nil, err
	}
	made, err := dates.expanded(&r, at.features)
	if err != nil {
		return nil, err
	}
	f := &featureBlocks{from: from, features: at.features, kept: ds.Kept, schema: made}
	ds.Frame = Outline(*made, f.Rows(), ds.Frame.Origin)
	return &BlockDataset{Dataset: *ds, Features: f}, nil
}

// findBlocks returns the schema of a table that is read in blocks, and where the roles are in it.
func (r *Roles) findBlocks(from Features) (*Schema, positions, error) {
	schema := from.Outline().Schema
	r.state(&schema)
	at, err := r.find(&schema)
	if err == nil {
		err = r.refuseTexts(&schema, at.features)
	}
	return &schema, at, err
}

// refuseTexts reports a feature that is a text, unless Like has its columns: all rows choose them.
func (r *Roles) refuseTexts(s *Schema, features []int) error {
	for _, c := range features {
		_, text := r.Texts[s.Fields[c].Name]
		if text || s.Fields[c].Kind == Text && r.Like.madeOf(s.Fields[c].Name) == nil {
			return fmt.Errorf("column %q holds texts, which are not read in blocks: read the table "+
				"into memory, or leave the column out", s.Fields[c].Name)
		}
	}
	return nil
}

// beside returns the columns that have a role, ascending.
func (at *positions) beside() []int {
	columns := slices.Clone(at.start)
	for _, c := range []int{at.label, at.weight, at.group, at.time, at.event, at.upper} {
		if c >= 0 {
			columns = append(columns, c)
		}
	}
	slices.Sort(columns)
	return slices.Compact(columns)
}

// collect reads some columns into a frame, and notes what the dates of others are like.
func collect(
	ctx context.Context, from RowSource, schema *Schema, columns, features []int,
) (*Frame, *dateNotes, error) {
	s := schema.Like(nil)
	dates := newDateNotes(schema, features)
	read := slices.Concat(columns, dates.columns)
	slices.Sort(read)
	read = slices.Compact(read)
	place := make([]int, len(schema.Fields)) // of a column among those that are read
	for i, c := range read {
		place[c] = i
	}
	num, code := make([][]float64, len(columns)), make([][]uint32, len(columns))
	for i, c := range columns {
		if s.Fields = append(s.Fields, schema.Fields[c]); schema.Fields[c].Kind == Categorical {
			code[i] = make([]uint32, 0, from.Rows())
		} else {
			num[i] = make([]float64, 0, from.Rows())
		}
	}
	rows := 0
	for b, err := range BlocksOf(ctx, from, Region{To: from.Rows(), Columns: read}) {
		if err != nil {
			return nil, nil, err
		}
		for i, c := range columns {
			if code[i] != nil {
				code[i] = append(code[i], b.Columns[place[c]].Codes()...)
			} else {
				num[i] = append(num[i], b.Columns[place[c]].Numbers()...)
			}
		}
		dates.add(b.Frame, place)
		rows += b.Rows()
	}
	made := make([]Column, len(columns))
	for i := range columns {
		if made[i] = Numbers(num[i]); code[i] != nil {
			made[i] = Codes(code[i])
		}
	}
	f, err := NewFrame(s, made)
	if err == nil {
		f.rows = rows // there may be no columns
	}
	return f, dates, err
}

// dateNotes are a few dates of each date column, from which Expand makes the same fields as from
// all of them.
type dateNotes struct {
	schema  *Schema
	columns []int       // those of dates among the features
	dates   [][]float64 // of each: the earliest, the first, and others by which parts vary
}

func newDateNotes(schema *Schema, features []int) *dateNotes {
	n := &dateNotes{schema: schema}
	for _, c := range features {
		if schema.Fields[c].Kind == Date {
			n.columns, n.dates = append(n.columns, c), append(n.dates, []float64{math.NaN()})
		}
	}
	return n
}

// add notes dates of a frame, in which columns have other places.
func (n *dateNotes) add(f *Frame, place []int) {
	for i, c := range n.columns {
		for _, v := range f.Columns[place[c]].Numbers() {
			if math.IsNaN(v) {
				continue
			}
			few := n.dates[i]
			if !(few[0] <= v) {
				few[0] = v
			}
			if len(few) == 1 {
				n.dates[i] = append(few, v)
				continue
			}
			for p := Year; p < Days; p++ {
				d := DatePart{Part: p}
				if parts := d.values(few[1:]); !varies(parts) {
					if x := d.Of(v); !slices.Contains(parts, x) && x == x {
						n.dates[i] = append(few, v)
						break
					}
				}
			}
		}
	}
}

// expanded returns the schema of features whose dates are parts.
func (n *dateNotes) expanded(r *Roles, features []int) (*Schema, error) {
	all, most := n.schema.Like(nil), 1
	for _, few := range n.dates {
		most = max(most, len(few))
	}
	columns := make([]Column, len(features))
	for i, c := range features {
		all.Fields = append(all.Fields, n.schema.Fields[c])
		if at := slices.Index(n.columns, c); at >= 0 {
			few := slices.Clone(n.dates[at])
			for len(few) < most {
				few = append(few, math.NaN())
			}
			columns[i] = Numbers(few)
		} else if n.schema.Fields[c].Kind.HasLevels() {
			columns[i] = Codes(slices.Repeat([]uint32{MissingCode}, most))
		} else {
			columns[i] = Numbers(make([]float64, most))
		}
	}
	if r.Log == nil {
		r.Log = func(string, ...any) {}
	}
	f, err := r.expand(&Frame{Schema: all, Columns: columns, rows: most})
	if err != nil {
		return nil, err
	}
	return &f.Schema, nil
}

// featureBlocks are the features of a table that is read in blocks.
type featureBlocks struct {
	from     RowSource
	features []int
	kept     []int32 // rows of the table; nil: all
	schema   *Schema // with the parts of dates
}

func (f *featureBlocks) Fields() []Field { return f.schema.Fields }

func (f *featureBlocks) Rows() int {
	if f.kept != nil {
		return len(f.kept)
	}
	return f.from.Rows()
}

func (f *featureBlocks) Locate(row int) string {
	if f.kept != nil {
		row = int(f.kept[row])
	}
	return f.from.Locate(row)
}

// Blocks yields the features of the rows that have a label.
func (f *featureBlocks) Blocks(ctx context.Context) iter.Seq2[RowBlock, error] {
	return f.BlocksOf(ctx, Region{To: f.Rows()})
}

// BlocksOf implements RegionSource.
func (f *featureBlocks) BlocksOf(ctx context.Context, p Region) iter.Seq2[RowBlock, error] {
	return func(yield func(RowBlock, error) bool) {
		end := p.From
		for b, err := range BlocksOf(ctx, f.from, f.region(p)) {
			var own RowBlock
			if err == nil {
				own, err = f.of(b)
			}
			if err != nil {
				yield(RowBlock{}, err)
				return
			}
			if own.rows == 0 {
				continue
			}
			end = own.First + own.rows
			if p.Columns != nil {
				own.Frame = own.Select(p.Columns)
			}
			if !yield(own, nil) {
				return
			}
		}
		if end < p.To {
			yield(RowBlock{}, fmt.Errorf("%d rows were read, then %d", p.To, end))
		}
	}
}

// region returns the region of the table that has some features.
func (f *featureBlocks) region(p Region) Region {
	in := Region{p.From, p.To, f.features}
	if f.kept != nil && p.From < p.To {
		in.From, in.To = int(f.kept[p.From]), int(f.kept[p.To-1])+1
	}
	return in
}

// of returns the features of a block of the table, of the rows that have a label.
func (f *featureBlocks) of(b RowBlock) (RowBlock, error) {
	own := b
	if f.kept != nil {
		own.First, _ = slices.BinarySearch(f.kept, int32(b.First))
		end, _ := slices.BinarySearch(f.kept, int32(b.First+b.Rows()))
		rows := slices.Clone(f.kept[own.First:end])
		for i := range rows {
			rows[i] -= int32(b.First)
		}
		own.Frame = b.Subset(rows)
	}
	var err error
	own.Frame, err = Expand(own.Frame, f.schema)
	return own, err
}

// Hashing is the features of a data set, hashed while somebody reads their blocks.
type Hashing struct {
	RowSource
	// Watch, unless it is nil, is called whenever the rows are about to be hashed from the first
	// on. What it returns is called with each block and those of its rows that count.
	Watch func() func(f *Frame, rows []int32)

	of      *BlockDataset
	rows    []int32
	columns *columnHashes // of the blocks so far
	labels  *labelHashes  // of the blocks that Add was given; nil: the data set has the labels
	sums    []uint64      // of the columns; nil: not all were read yet
}

// Hashing returns the features, of which Hash is that of the given rows; nil = all. Rows of a table
// in blocks count in ascending order, and once. Weights, groups, times and offsets do not count:
// the rows are the same whatever is made of them.
func (d *BlockDataset) Hashing(rows []int32) *Hashing {
	if d.outline {
		rows = InOrder(rows)
	}
	return &Hashing{RowSource: d.Features, of: d, rows: d.Chosen(rows)}
}

// BlocksOf implements RegionSource. It hashes nothing.
func (h *Hashing) BlocksOf(ctx context.Context, p Region) iter.Seq2[RowBlock, error] {
	return BlocksOf(ctx, h.RowSource, p)
}

// Blocks yields the blocks of the features. The first call that reads all of them hashes them; it
// is not to be made with others at the same time.
func (h *Hashing) Blocks(ctx context.Context) iter.Seq2[RowBlock, error] {
	if h.sums != nil {
		return h.RowSource.Blocks(ctx)
	}
	return func(yield func(RowBlock, error) bool) {
		columns, left := newColumnHashes(h.Fields()), h.rows
		watch := func(*Frame, []int32) {}
		if h.Watch != nil {
			watch = h.Watch()
		}
		for b, err := range h.RowSource.Blocks(ctx) {
			if err == nil {
				var own []int32
				for len(left) > 0 && int(left[0]) < b.First+b.Rows() {
					own, left = append(own, left[0]-int32(b.First)), left[1:]
				}
				columns.add(b.Frame, own)
				watch(b.Frame, own)
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
		h.sums = columns.sums()
	}
}

// Outline returns the frame of the data set.
func (h *Hashing) Outline() *Frame { return h.of.Frame }

// InMemory returns the frame of the data set, or an error that wraps memory.ErrLimit.
func (h *Hashing) InMemory() (*Frame, error) { return h.of.Frame.InMemory() }

// Add takes the next block of BlockDataset.Labeled, in place of Blocks; all of its rows count. Of a
// data set in memory it does nothing, since Hash reads that.
func (h *Hashing) Add(b *LabeledBlock) {
	if !h.of.outline {
		return
	}
	if h.labels == nil {
		h.columns, h.labels = newColumnHashes(h.of.Schema.Fields), &labelHashes{}
	}
	rows := AllRows(b.Rows())
	h.columns.add(b.Frame, rows)
	h.labels.add(&b.Target, rows)
}

// Hash is Dataset.Hash of the rows without what does not count. Of features that are not in memory
// all blocks have been read before, and without that it is the hash of no table.
func (h *Hashing) Hash(workers int) Hash {
	own := h.of.Dataset
	t := &own.Target
	t.Weight, t.Group, t.Time, t.Offset = nil, nil, nil, nil
	switch {
	case !own.outline:
		return own.Hash(h.rows, workers)
	case h.labels != nil:
		return hashOf(h.columns.rows, h.columns.sums(), h.labels.sums(t))
	}
	return hashOf(len(h.rows), h.sums, t.hash(h.rows, own.Rows()))
}
