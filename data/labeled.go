package data

import (
	"context"
	"errors"
	"iter"
	"slices"
)

// LabeledBlock is consecutive rows of a BlockDataset with their target.
type LabeledBlock struct {
	RowBlock
	Target Target  // of the rows of the block
	begin  int     // of the block in the table
	kept   []int32 // rows of the block in the table's; nil: all
}

// Place returns the number of a row of the block for Locate of the data set's frame.
func (b *LabeledBlock) Place(row int) int {
	if b.kept != nil {
		row = int(b.kept[row])
	}
	return b.begin + row
}

// Labeled yields all rows with their target, in blocks, or the first error instead of a block. It
// may be called any number of times. Errors about the labels, weights and groups of StreamBlocks
// come after the rows that are in order.
func (d *BlockDataset) Labeled(ctx context.Context) iter.Seq2[LabeledBlock, error] {
	if d.stream != nil {
		return d.stream.blocks(ctx)
	}
	return func(yield func(LabeledBlock, error) bool) {
		for b, err := range d.Features.Blocks(ctx) {
			l := LabeledBlock{RowBlock: b, begin: b.First}
			if err == nil {
				l.Target = d.Target.between(b.First, b.First+b.Rows(), d.Rows())
			}
			if !yield(l, err) || err != nil {
				return
			}
		}
	}
}

// between returns the target of consecutive rows of all, which shares its values.
func (t *Target) between(from, to, all int) Target {
	own := *t
	own.Y = nil
	for _, y := range t.Y {
		own.Y = append(own.Y, y[from:to])
	}
	own.Class, own.Upper = part(t.Class, from, to), part(t.Upper, from, to)
	own.Event, own.Weight = part(t.Event, from, to), part(t.Weight, from, to)
	own.Group, own.Time = part(t.Group, from, to), part(t.Time, from, to)
	outputs := len(t.Offset) / all
	own.Offset = part(t.Offset, from*outputs, to*outputs)
	return own
}

// part returns consecutive values; nil of nil.
func part[T any](values []T, from, to int) []T {
	if values == nil {
		return nil
	}
	return values[from:to]
}

// StreamBlocks is ApplyBlocks for a table of which no label, weight or group is kept in memory:
// Labeled yields them with the features, in one pass. The target of the data set has its task, its
// classes and the positive one, and no rows. Errors about single rows come from Labeled.
//
// Where all labels decide on the task or on more than two classes, or dates on their parts, the
// data set is that of ApplyBlocks. With RareLast the labels are read once more.
func (r Roles) StreamBlocks(ctx context.Context, from Features) (*BlockDataset, error) {
	if err := r.survival(); err != nil {
		return nil, err
	}
	schema, at, err := r.findBlocks(from)
	if err != nil {
		return nil, err
	}
	if err := r.checkPositive(); err != nil {
		return nil, err
	}
	if r.Log == nil {
		r.Log = func(string, ...any) {}
	}
	var distinct *labelCounts
	if r.RareLast && r.Task == Auto && at.label >= 0 {
		if distinct, err = r.countLabels(ctx, from, at.label); err != nil {
			return nil, err
		}
	}
	if from.Rows() == 0 || !r.streams(schema, &at, distinct) {
		return r.ApplyBlocks(ctx, from)
	}
	s := &labelStream{from: from, roles: r, beside: at.beside(), features: at.features}
	if s.head, err = r.head(schema, at.label, distinct); err != nil {
		return nil, err
	}
	if s.schema, err = newDateNotes(schema, at.features).expanded(&r, at.features); err != nil {
		return nil, err
	}
	d := Dataset{Frame: Outline(*s.schema, from.Rows(), from.Outline().Origin), Target: s.head}
	return &BlockDataset{Dataset: d, stream: s}, nil
}

// streams reports whether the target of each row follows from the row alone.
func (r *Roles) streams(s *Schema, at *positions, distinct *labelCounts) bool {
	switch {
	case at.label < 0, distinct != nil && (len(distinct.names) == 0 || len(distinct.names) > 2):
		return false
	case distinct == nil && r.Classes == nil && (r.Task == Auto || r.Task.Classes()):
		return false
	}
	return !slices.ContainsFunc(at.features, func(c int) bool {
		return s.Fields[c].Kind == Date && r.Like.madeOf(s.Fields[c].Name) == nil
	})
}

// head returns the target without rows, which the labels decide on where they were counted.
func (r *Roles) head(schema *Schema, label int, distinct *labelCounts) (Target, error) {
	t := Target{Name: r.Label, Task: r.Task, Format: schema.Fields[label].Format,
		Roles: r.columns()}
	if r.Event != "" || r.Observed {
		t.Event = []uint8{} // which the rows have
	}
	if r.Upper != "" {
		t.Upper = []float64{}
	}
	l, times := labels{name: r.Label, num: []float64{}}, []int(nil)
	if distinct != nil {
		l, times = distinct.labels(r.Label)
	}
	if err := r.take(&t, &Frame{}, &l, times); err != nil {
		return t, err
	}
	if t.Class != nil {
		t.Class = t.Class[:0]
	}
	for i := range t.Y {
		t.Y[i] = t.Y[i][:0]
	}
	return t, nil
}

// labelCounts are the different labels of a table, as texts, and how many rows have each. Of more
// than two there are three.
type labelCounts struct {
	names  []string
	rows   []int
	number bool // all are numbers, of a column of numbers
}

func (r *Roles) countLabels(ctx context.Context, from RowSource, column int) (*labelCounts, error) {
	n := &labelCounts{number: true}
	for b, err := range BlocksOf(ctx, from, Region{To: from.Rows(), Columns: []int{column}}) {
		if err != nil {
			return nil, err
		}
		l, err := readLabels(b.Frame, 0)
		if err != nil {
			return nil, err
		}
		l.rename(r.Rename)
		kept := l.labeled()
		l.num, l.code = Pick(l.num, kept), Pick(l.code, kept)
		t := &Target{}
		l.classes(t)
		counts := make([]int, len(t.Classes))
		for _, c := range t.Class {
			counts[c]++
		}
		n.number = n.number && l.num != nil
		for c, name := range t.Classes {
			at := slices.Index(n.names, name)
			if at < 0 {
				at, n.names, n.rows = len(n.names), append(n.names, name), append(n.rows, 0)
			}
			n.rows[at] += counts[c]
			if len(n.names) > 2 {
				return n, nil
			}
		}
	}
	return n, nil
}

// labels returns each of the labels once, and how many rows have it.
func (n *labelCounts) labels(name string) (labels, []int) {
	l := labels{name: name}
	for i, text := range n.names {
		if v, _ := parseNumber(text); n.number {
			l.num = append(l.num, v)
		} else {
			l.code, l.text = append(l.code, uint32(i)), append(l.text, text)
		}
	}
	return l, n.rows
}

// labelStream is a table whose features and labels are read together.
type labelStream struct {
	from             RowSource
	roles            Roles
	head             Target // of no rows
	beside, features []int
	schema           *Schema // of the features
	noted            bool
}

// partNotes is what Roles find in some rows of a table.
type partNotes struct {
	unused []string // old values of labels that none has
}

func (s *labelStream) blocks(ctx context.Context) iter.Seq2[LabeledBlock, error] {
	return func(yield func(LabeledBlock, error) bool) {
		r := newPartReader(s)
		first := 0
		for b, err := range s.from.Blocks(ctx) {
			l := LabeledBlock{begin: b.First}
			if err == nil && b.Rows() > 0 {
				l, err = r.read(b)
			}
			if err != nil {
				yield(LabeledBlock{}, err)
				return
			}
			if l.Frame == nil || l.Rows() == 0 {
				continue
			}
			l.First = first
			first += l.Rows()
			if !yield(l, nil) {
				return
			}
		}
		if err := r.end(first); err != nil {
			yield(LabeledBlock{}, err)
		}
	}
}

// partReader makes targets of blocks, and checks what all of them together must be.
type partReader struct {
	*labelStream
	own       Roles // of a block
	notes     partNotes
	unused    []string // values that no label of the blocks had so far
	dropped   int
	sum       float64 // of weights
	unlabeled *unlabeledError
	unknown   *UnknownLabelError
	fault     error // the first other one
}

func newPartReader(s *labelStream) *partReader {
	r := &partReader{labelStream: s, own: s.roles}
	r.own.Ignore, r.own.TimeFeature, r.own.Texts, r.own.Like, r.own.Log = nil, false, nil, nil, nil
	r.own.RareLast, r.own.Positive, r.own.part = false, "", &r.notes
	r.own.Task, r.own.Classes = s.head.Task, s.head.Classes
	return r
}

// read returns the rows of a block. After a fault no more rows are returned, while those without a
// label, and labels that are no class, are counted to the end of the table.
func (r *partReader) read(b RowBlock) (l LabeledBlock, err error) {
	beside := b.Select(r.beside)
	ds, err := r.own.Apply(beside)
	var unlabeled *unlabeledError
	var unknown *UnknownLabelError
	switch {
	case errors.As(err, &unlabeled):
		if r.unlabeled == nil {
			r.unlabeled = unlabeled
		} else {
			r.unlabeled.rows += unlabeled.rows
		}
		return l, nil
	case errors.As(err, &unknown):
		if r.unknown == nil {
			r.unknown = unknown
		} else {
			r.unknown.join(unknown)
		}
		return l, nil
	case err != nil && r.fault == nil:
		r.fault = err
	}
	if r.faulty() != nil {
		return l, nil
	}
	if b.First == 0 {
		r.unused = r.notes.unused
	} else {
		r.unused = slices.DeleteFunc(slices.Clone(r.unused),
			func(old string) bool { return !slices.Contains(r.notes.unused, old) })
	}
	r.dropped += b.Rows() - ds.Rows()
	for _, w := range ds.Target.Weight {
		r.sum += w
	}
	ds.Target.Positive = r.head.Positive
	f := b.Select(r.features)
	if ds.Kept != nil {
		f = f.Subset(ds.Kept)
	}
	f, err = Expand(f, r.schema)
	return LabeledBlock{RowBlock: RowBlock{Frame: f}, Target: ds.Target, begin: b.First,
		kept: ds.Kept}, err
}

// faulty returns what is wrong with the rows so far, in the order of Apply.
func (r *partReader) faulty() error {
	switch {
	case r.unlabeled != nil:
		return r.unlabeled
	case r.unknown != nil:
		return r.unknown
	}
	return r.fault
}

// end checks the whole of the table, of which so many rows have a label.
func (r *partReader) end(rows int) error {
	if err := r.faulty(); err != nil {
		return err
	}
	if rows == 0 {
		return noLabelError(r.roles.Label)
	}
	if !r.noted {
		r.noted = true
		r.roles.noteUnused(r.unused)
		if r.dropped > 0 {
			r.roles.noteDropped(r.dropped)
		}
	}
	if r.roles.Weight == "" {
		return nil
	}
	return checkWeightSum(r.sum, inColumn(r.roles.Weight))
}
