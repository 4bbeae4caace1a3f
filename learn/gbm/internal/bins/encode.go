package bins

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/parallel"
)

const (
	narrowCodes = 256     // most codes of a group of one byte
	blockRows   = 1 << 10 // rows that are looked up at once
	chunkRows   = 1 << 16 // rows of a column that a worker takes at once
)

// Encode puts rows of a table (ascending and distinct; nil = all) in bins that were fitted before,
// on this table or on another one of the same columns and dictionaries. Categories without a bin
// are in that of missing values. Of the options it takes Bundle, List, Joint and Unpacked. Without
// Bundle every column is a group of its own, since other rows may be away from the most frequent
// bins of several columns of a bundle. Listed columns stay listed. The Missing of the columns that
// it returns is that of these rows.
func Encode(
	ctx context.Context, from data.RowSource, rows []int32, columns []Column,
	o Options, workers int,
) (*Matrix, error) {
	columns = slices.Clone(columns)
	if err := checkColumns(from, columns); err != nil {
		return nil, err
	}
	if err := checkRows(from, rows); err != nil {
		return nil, err
	}
	return encode(ctx, from, rows, columns, nil, o, parallel.Workers(workers))
}

// checkColumns reports whether a table has the columns.
func checkColumns(from data.RowSource, columns []Column) error {
	fields := from.Fields()
	for i := range columns {
		c := &columns[i]
		if int(c.Feature) >= len(fields) {
			return fmt.Errorf("rows to put in bins have %d columns, the bins are of column %d",
				len(fields), c.Feature+1)
		}
		if field := &fields[c.Feature]; (field.Kind == data.Categorical) != c.Nominal() {
			return fmt.Errorf("column %q is %v, its bins are not", field.Name, field.Kind)
		}
	}
	return nil
}

// encode returns the matrix of the given rows in the bins of columns, each a group of its own
// unless bundled. Columns that are not in the table are made already. Of the options it takes
// Bundle, List, Joint and Unpacked.
func encode(
	ctx context.Context, from data.RowSource, rows []int32, columns []Column, made []Made,
	o Options, workers int,
) (*Matrix, error) {
	m := &Matrix{Rows: rows, Columns: columns}
	if rows == nil {
		m.Rows = data.AllRows(from.Rows())
	}
	var lists []sparse
	var bundles []bundle
	if o.Bundle || o.List {
		for i := range columns {
			columns[i].Listed = false
		}
		var err error
		if lists, bundles, err = findBundles(ctx, from, m.Rows, columns, o.Bundle,
			workers); err != nil {
			return nil, err
		}
	} else {
		var err error
		if lists, err = listAgain(ctx, from, m.Rows, columns, workers); err != nil {
			return nil, err
		}
	}
	m.group(lists, bundles)
	whole, _ := m.allocate(len(m.Rows), nil)
	m.Blocks = []Block{whole}
	if err := m.encodeAlone(ctx, from, made, o.Share, workers); err != nil {
		return nil, err
	}
	err := parallel.EachUntil(ctx, workers, len(m.Groups), func(_, i int) {
		g, codes := &m.Groups[i], &m.Blocks[0].Codes[i]
		c := &columns[g.Columns[0]]
		switch {
		case g.Listed:
			s := &lists[g.Columns[0]]
			codes.List = &List{s.rows, s.bins, uint8(s.usual)}
			c.Missing = s.missing(c, len(m.Rows))
		case len(g.Columns) > 1:
			for _, k := range g.Columns {
				lists[k].write(&columns[k], codes.Narrow)
			}
		default:
			c.Missing = m.Blocks[0].has(i, c.Values, len(m.Rows))
		}
	})
	if err != nil {
		return nil, err
	}
	m.JointCodes = min(o.Joint, narrowCodes)
	m.join()
	m.arrange()
	if o.Unpacked {
		return checked(m), nil
	}
	m.makePacked(nil)
	if err := m.listRows(ctx, nil, workers); err != nil {
		return nil, err
	}
	return checked(m), m.pack(ctx, workers)
}

// listAgain lists the rows of columns that were listed before, those that are not in the bin that
// was the most frequent one then.
func listAgain(
	ctx context.Context, from data.RowSource, rows []int32, columns []Column, workers int,
) ([]sparse, error) {
	lists := make([]sparse, len(columns))
	failed, memory := make([]error, len(columns)), make([][]uint8, workers)
	err := parallel.EachUntil(ctx, workers, len(columns), func(worker, i int) {
		c := &columns[i]
		if !c.Listed {
			return
		}
		by, done := newEncoder(c), false
		lists[i] = sparse{column: int32(i), usual: c.Default, listed: true}
		if done, failed[i] = lists[i].fillStored(ctx, from, rows, by); done || failed[i] != nil {
			return
		}
		codes := resized(memory[worker], len(rows))
		memory[worker] = codes
		if failed[i] = by.encode(ctx, from, codes, rows); failed[i] == nil {
			lists[i].keepAway(codes)
		}
	})
	return lists, cmp.Or(err, cmp.Or(failed...))
}

// group makes a group of every bundle and of every other column, in the order of their first
// columns. lists are by column.
func (m *Matrix) group(lists []sparse, bundles []bundle) {
	first := make(map[int32]*bundle, len(bundles))
	in := make([]bool, len(m.Columns))
	for i := range bundles {
		first[bundles[i].columns[0]] = &bundles[i]
		for _, k := range bundles[i].columns {
			in[k] = true
		}
	}
	for i := range m.Columns {
		number := len(m.Groups)
		if b := first[int32(i)]; b != nil {
			m.Groups = append(m.Groups, b.group(m.Columns, lists, number))
		} else if lists[i].listed {
			m.list(i, lists[i].usual)
		} else if !in[i] {
			c := &m.Columns[i]
			c.Group, c.First, c.Default = int32(number), 0, -1
			m.Groups = append(m.Groups, Group{Columns: []int32{int32(i)}, Codes: c.Bins()})
		}
	}
}

// arrange gives each group its place in a row of Packed: narrow groups that are alone, joints, wide
// groups.
func (m *Matrix) arrange() {
	end := 0
	for i := range m.Groups {
		if g := &m.Groups[i]; !g.Wide() && !g.Joined && !g.Out {
			g.At = end
			end++
		}
	}
	for i := range m.Joints {
		j := &m.Joints[i]
		j.At = end
		end++
		for _, k := range j.Groups {
			m.Groups[k].At = j.At
		}
	}
	end = (end + 3) &^ 3
	m.Narrow = end
	for i := range m.Groups {
		if g := &m.Groups[i]; g.Wide() && !g.Out {
			g.At = end
			end += 2
		}
	}
	m.Stride = (end + 3) &^ 3
}

// encodeAlone sets the codes of the groups of one column, a block of the table after the other.
func (m *Matrix) encodeAlone(
	ctx context.Context, from data.RowSource, made []Made, share *Share, workers int,
) error {
	fields := len(from.Fields())
	var by []*encoder
	var shared []*Codes
	for i := range m.Groups {
		g := &m.Groups[i]
		if len(g.Columns) > 1 || g.Listed {
			continue
		}
		c := &m.Columns[g.Columns[0]]
		if k := int(c.Feature) - fields; k >= 0 {
			copy(m.Blocks[0].Codes[i].Narrow, made[k].Narrow)
			copy(m.Blocks[0].Codes[i].Wide, made[k].Wide)
			continue
		}
		if share.takes(len(shared)) {
			by = append(by, newEncoder(c))
		}
		shared = append(shared, &m.Blocks[0].Codes[i])
	}
	var failed error
	err := eachPart(ctx, from, m.Rows, func(p part) bool {
		whole := len(p.rows) == p.Rows()
		failed = fillAll(ctx, by, &m.Blocks[0], p.at, p.Columns, p.rows, whole, workers)
		return failed == nil
	})
	if err := cmp.Or(failed, err); err != nil {
		return err
	}
	return share.codes(ctx, shared, len(m.Rows))
}

// encoder looks up the bins of a column's values.
type encoder struct {
	column *Column
	find   *search // of numbers
}

func newEncoder(c *Column) *encoder {
	e := &encoder{column: c}
	if !c.Nominal() {
		e.find = newSearch(c.SplitPoints)
	}
	return e
}

// fillAll sets the codes of a block from one on to the bins of some rows of columns, which are all
// between the first row and the last where whole. Workers take chunks of a column, so that they
// share the work on tables of few columns, too.
func fillAll(
	ctx context.Context, by []*encoder, b *Block, at int, columns []data.Column, rows []int32,
	whole bool, workers int,
) error {
	chunks := (len(rows) + chunkRows - 1) / chunkRows
	return parallel.EachUntil(ctx, workers, len(by)*chunks, func(_, task int) {
		e, lo := by[task/chunks], task%chunks*chunkRows
		some := rows[lo:min(lo+chunkRows, len(rows))]
		e.fill(&b.Codes[e.column.Group], at+lo, &columns[e.column.Feature], some, whole)
	})
}

// fill sets the codes from one on to the bins of some values; see encodeRows.
func (e *encoder) fill(codes *Codes, at int, values *data.Column, rows []int32, whole bool) {
	if codes.Narrow != nil {
		encodeRows(e, values, codes.Narrow[at:][:len(rows)], rows, whole)
	} else {
		encodeRows(e, values, codes.Wide[at:][:len(rows)], rows, whole)
	}
}

// encode sets dst to the bins of some rows of a table, of a column whose bins are narrow.
func (e *encoder) encode(
	ctx context.Context, from data.RowSource, dst []uint8, rows []int32,
) error {
	return eachPart(ctx, from, rows, func(p part) bool {
		values, whole := &p.Columns[e.column.Feature], len(p.rows) == p.Rows()
		encodeRows(e, values, dst[p.at:][:len(p.rows)], p.rows, whole)
		return true
	})
}

// encodeRows sets dst to the bins of some values, which are all between the first row and the last
// where whole.
func encodeRows[T uint8 | uint16](
	e *encoder, values *data.Column, dst []T, rows []int32, whole bool,
) {
	if _, _, absent, sparse := values.Stored(); sparse {
		encodeSparse(e, values, absent, dst, rows)
		return
	}
	var number [blockRows]float64
	if whole && len(rows) > 0 {
		from, to := int(rows[0]), int(rows[0])+len(rows)
		if e.find == nil {
			levelCodes(e.column, dst, values.Codes()[from:to])
			return
		}
		if values.InPlace() {
			codes(e.find, dst, values.NumbersIn(from, to, nil))
			return
		}
		for at := from; at < to; at += blockRows {
			n := min(blockRows, to-at)
			codes(e.find, dst[at-from:][:n], values.NumbersIn(at, at+n, number[:]))
		}
		return
	}
	var code [blockRows]uint32
	for len(rows) > 0 {
		n := min(len(rows), blockRows)
		if e.find != nil {
			values.PickNumbers(number[:n], rows[:n])
			codes(e.find, dst[:n], number[:n])
		} else {
			for i, r := range rows[:n] {
				code[i] = values.Code(int(r))
			}
			levelCodes(e.column, dst[:n], code[:n])
		}
		dst, rows = dst[n:], rows[n:]
	}
}

// encodeSparse is encodeRows for a sparse column: bins are looked up for stored values alone.
func encodeSparse[T uint8 | uint16](
	e *encoder, values *data.Column, absent float64, dst []T, rows []int32,
) {
	var usual, bins [blockRows]T
	codes(e.find, usual[:1], []float64{absent})
	for i := range usual {
		usual[i] = usual[0]
	}
	var place [blockRows]int32
	var number [blockRows]float64
	for len(rows) > 0 {
		n := min(len(rows), blockRows)
		copy(dst, usual[:n])
		at, stored := values.AppendStored(place[:0], number[:0], rows[:n])
		codes(e.find, bins[:len(stored)], stored)
		for i, k := range at {
			dst[k] = bins[i]
		}
		dst, rows = dst[n:], rows[n:]
	}
}
