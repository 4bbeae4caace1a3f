package csvdata

import (
	"bytes"
	"context"

	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/memory"
)

const (
	blockSize = 512 << 10 // a block and the ends of the columns fit into the second level cache
	padding   = 16
)

// block is a piece of a source's text that ends in a newline, or why there is none.
type block struct {
	number     int    // of the block, over all sources
	name       string // of the source
	buf        []byte // with padding behind limit
	pos, limit int
	separator  byte
	comment    byte
	header     *header // of the first block of a source, whose rows begin at line
	line       int
	headerAt   int   // the line of the header's last field
	last       bool  // the source ends with the block
	stored     int64 // bytes, as stored, of all sources up to limit
	packed     bool  // the source is compressed
	err        error

	// taken means that the rows of an earlier block ended in this one, so that it is read; nobody
	// else works on an unowned one.
	taken, unowned bool
}

// cutter cuts the texts of sources into blocks, in their order. Where a block ends depends on the
// text alone.
type cutter struct {
	ctx     context.Context
	options *Options
	sources []source.Source
	// ends the reading of sources before their turn
	stopAhead func()
	size      int // of a block, in bytes
	most      memory.Limit
	at        int // the current source
	in        *source.Text
	ended     bool   // all of the source is read
	rest      []byte // what was read behind the last block
	number    int
	pause     int   // next returns nil before the block of this number
	done      int64 // bytes of the sources before
	// how text is read: as of the current source
	separator byte
	start     []byte // what was read of the source to look at, and is not in a block yet
	carriage  bool   // its lines end in CR alone
}

// over reports whether there are no more blocks.
func (c *cutter) over() bool { return c.at == len(c.sources) }

// stop leaves out what was not cut yet.
func (c *cutter) stop() { c.at = len(c.sources) }

// end ends the cutting.
func (c *cutter) end() {
	c.close()
	c.stopAhead()
}

func (c *cutter) close() {
	if c.in != nil {
		c.in.Close()
	}
}

// next returns the next block, nil behind the last one or one with an error, and where there is a
// pause. It may use the memory of a block that is no longer needed.
func (c *cutter) next(buf []byte) *block {
	if c.number >= c.pause {
		return nil
	}
	return c.pull(buf)
}

// pull is next without pauses, for a row that goes on behind one.
func (c *cutter) pull(buf []byte) *block {
	if c.over() {
		return nil
	}
	var b *block
	var err error
	if c.in == nil {
		b, err = c.first(buf)
	} else {
		b, err = c.text(buf)
	}
	if err != nil {
		b = &block{name: c.sources[c.at].Name, err: err}
		c.stop()
	}
	b.number = c.number
	c.number++
	if b.last {
		c.close()
		c.in = nil
		c.done += c.sources[c.at].Size
		c.at++
	}
	return b
}

// first opens a source, reads its header and returns the first block below it.
func (c *cutter) first(buf []byte) (*block, error) {
	src := &c.sources[c.at]
	in, err := src.OpenText(c.ctx, "CSV")
	if err != nil {
		return nil, err
	}
	c.in, c.ended, c.rest = in, false, c.rest[:0]
	sample, err := c.look()
	if err != nil {
		return nil, err
	}
	s := &splitter{name: src.Name, line: 1, most: c.most,
		more: func() (*block, error) { return c.text(nil) }}
	b, err := c.text(buf)
	if err != nil {
		return nil, s.place(err)
	}
	s.load(b)
	header, err := c.options.readHeader(s, sample)
	if err != nil {
		return nil, err
	}
	c.separator = s.separator
	return &block{name: src.Name, buf: s.buf, pos: s.pos, limit: s.limit, separator: s.separator, comment: s.comment,
		header: header, line: s.line, headerAt: s.at, last: s.end, stored: s.stored, packed: s.packed}, nil
}

// endless names what an endlessRow is.
const endless = "a row without an end"

// endlessRow is the error of a row for which there is no memory. Its line is known where the rows
// before it are.
type endlessRow struct{ error }

// text returns the next block of the current source. One that would hold no newline is made larger.
// At the end of the source it completes an unfinished last line by a newline.
func (c *cutter) text(buf []byte) (*block, error) {
	capacity := c.size
	if c.in.Packed() == "" {
		capacity = int(min(int64(capacity), c.in.Size()+1)) // with a byte to spare for the end
	}
	for capacity = max(capacity, 1); capacity < len(c.rest); capacity *= 2 {
	}
	buf = sized(buf, 0, capacity)
	have := copy(buf, c.rest)
	limit := 0
	for limit == 0 && !c.ended {
		if have == capacity {
			// the block, and one of twice its size
			if err := c.most.Check(endless, 3*int64(capacity)); err != nil {
				return nil, &endlessRow{err}
			}
			capacity *= 2
			buf = sized(buf, have, capacity)
		}
		for have < capacity && !c.ended {
			n, err := c.fill(buf[have:capacity])
			if err != nil {
				return nil, err
			}
			have += n
			c.ended = n == 0
		}
		limit = rowsEnd(buf[:have])
	}
	if c.ended {
		if have > 0 && buf[have-1] != '\n' {
			buf[have] = '\n' // into the padding, of which 8 bytes are needed
			have++
		}
		limit = have
	}
	c.rest = append(c.rest[:0], buf[limit:have]...)
	b := &block{name: c.in.Name(), buf: buf, limit: limit, separator: c.separator, comment: c.options.Comment, last: c.ended,
		packed: c.in.Packed() != "", stored: c.done + c.in.Stored()}
	if !b.packed {
		b.stored -= int64(len(c.rest) + len(c.start))
	}
	return b, nil
}

// sized returns memory for a block of a capacity, which begins with the first bytes of buf. It is
// as long wherever it comes from, for its length counts against the limit of memory.
func sized(buf []byte, have, capacity int) []byte {
	if cap(buf) < capacity+padding {
		return append(make([]byte, 0, capacity+padding), buf[:have]...)[:capacity+padding]
	}
	return buf[:capacity+padding]
}

// rowsEnd returns where the last row of a text ends that begins with a row, 0 if none does. It is
// behind the last newline with an even number of quotes before it. Where quotes are ordinary
// characters, or a field is longer than the text, it may be a newline inside quotes.
func rowsEnd(text []byte) int {
	last := bytes.LastIndexByte(text, '\n') + 1
	odd := bytes.Count(text[:last], []byte{'"'})%2 == 1
	for end := last; end > 0; {
		if !odd {
			return end
		}
		before := bytes.LastIndexByte(text[:end-1], '\n') + 1
		odd = odd != (bytes.Count(text[before:end], []byte{'"'})%2 == 1)
		end = before
	}
	return last
}
