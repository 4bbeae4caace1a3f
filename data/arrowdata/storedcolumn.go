package arrowdata

import (
	"encoding/binary"
	"math"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/table"
)

// storedBatch is a record batch as it stands in a file, of which a body of buffers is at a place.
type storedBatch struct {
	rows           int64
	nodes, buffers []byte // two integers each: values and nulls; place in the body and size
	at, size       int64
}

const nodeSize, bufferSize = 16, 16 // bytes

// pair returns the two integers of an entry.
func pair(entries []byte, i int) (a, b int64) {
	return int64(binary.LittleEndian.Uint64(entries[16*i:])),
		int64(binary.LittleEndian.Uint64(entries[16*i+8:]))
}

// storedColumn is a column of numbers as they stand in a file: its node and its first buffer.
type storedColumn struct {
	to           *table.Column
	node, buffer int
	form         table.Form
}

// asStored returns the needed columns where all of them are plain numbers that can be read from the
// bodies of batches, without the decoder. That takes no memory beside the table. It reports false
// where the decoder is needed, and it is to say so if the file is damaged.
func (k *known) asStored(schema *arrow.Schema, needed []column) ([]storedColumn, bool) {
	if k.packed || k.bigEndian || k.schemas != 1 {
		return nil, false
	}
	var found []storedColumn
	buffer := 0
	for i, f := range schema.Fields() {
		layout := f.Type.Layout()
		_, nested := f.Type.(arrow.NestedType)
		_, extended := f.Type.(arrow.ExtensionType)
		if nested || extended || f.Type.ID() == arrow.NULL || layout.VariadicSpec != nil {
			return nil, false
		}
		if len(needed) > 0 && needed[0].path[0] == i {
			c := storedColumn{to: needed[0].to, node: i, buffer: buffer}
			if c.form = formOf(f.Type); c.form == table.NoForm || !c.to.Plain() {
				return nil, false
			}
			found, needed = append(found, c), needed[1:]
		}
		buffer += len(layout.Buffers)
	}
	for i := range k.batches {
		for j := range found {
			if !k.batches[i].holds(&found[j]) {
				return nil, false
			}
		}
	}
	return found, true
}

// holds reports whether the values of a column, and which of them are null, are in the body.
func (s *storedBatch) holds(c *storedColumn) bool {
	if c.node >= len(s.nodes)/nodeSize || c.buffer+1 >= len(s.buffers)/bufferSize {
		return false
	}
	n, nulls := pair(s.nodes, c.node)
	inside := func(buffer int, bytes int64) bool {
		at, size := pair(s.buffers, buffer)
		return at >= 0 && bytes <= size && size <= s.size && at <= s.size-size
	}
	return n == s.rows && n >= 0 && n <= table.MaxRows && nulls >= 0 &&
		inside(c.buffer+1, n*int64(c.form.Width())) && (nulls == 0 || inside(c.buffer, (n+7)/8))
}

// read appends the values of a batch.
func (c *storedColumn) read(f *source.File, s *storedBatch, spare func(bytes int64) error) error {
	const piece = 1 << 14 // rows
	rows, width := int(s.rows), c.form.Width()
	_, nulls := pair(s.nodes, c.node)
	bytes := make([]byte, 0, min(rows, piece)*width)
	var valid []byte
	if nulls > 0 {
		valid = make([]byte, (rows+7)/8)
	}
	if err := spare(int64(cap(bytes) + len(valid))); err != nil {
		return err
	}
	at, _ := pair(s.buffers, c.buffer)
	if err := readAt(f, valid, s.at+at); err != nil {
		return err
	}
	c.to.Grow(rows)
	at, _ = pair(s.buffers, c.buffer+1)
	for from := 0; from < rows; from += piece {
		n := min(piece, rows-from)
		bytes = bytes[:n*width]
		if err := readAt(f, bytes, s.at+at+int64(from)*int64(width)); err != nil {
			return err
		}
		appendNumbers(c.to, n, c.form, bytes, valid[min(from/8, len(valid)):])
	}
	return nil
}

// formOf returns the form of a type whose numbers are taken as they stand.
func formOf(t arrow.DataType) table.Form {
	switch t.ID() {
	case arrow.FLOAT64:
		return table.Double
	case arrow.FLOAT32:
		return table.Single
	case arrow.INT64:
		return table.Int64
	case arrow.INT32:
		return table.Int32
	}
	return table.NoForm
}

// appendNumbers appends n numbers to a plain column. Where valid has bits, they are null where its
// bit is 0.
func appendNumbers(c *table.Column, n int, form table.Form, b, valid []byte) {
	null := func(i int) bool { return len(valid) > 0 && valid[i/8]>>(i%8)&1 == 0 }
	to, ok := c.Extend(n, b, form)
	for i := range n {
		switch {
		case !ok && null(i):
			c.AppendMissing()
		case !ok: // of those forms that are rounded
			c.AppendInteger(int64(binary.LittleEndian.Uint64(b[8*i:])))
		case null(i):
			to[i] = math.NaN()
		}
	}
}
