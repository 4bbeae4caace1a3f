package csvdata

import (
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/table"
)

// part is the rows of one block, read by a goroutine of its own.
type part struct {
	store
	splitter splitter
	buf      []byte
	lines    []int32 // of the rows: how many lines of the block are above
	whole    bool    // all rows were read, and nothing is wrong with them
	base     int     // how many columns of the table had turned when these were made
	plan     *table.Plan
	moves    []move // by column
}

// move is how a column of a part becomes rows of the table.
type move struct {
	codes, kept   []uint32 // of the table, by code of the part
	num           []float64
	code, keeping []uint32 // slices of the table for the part's rows
	from          int      // the first row that has a code
}

// newPart returns an empty part of a table.
func newPart(t *reading) *part {
	p := &part{store: store{options: t.options}}
	p.follow(t)
	return p
}

// follow makes the columns what those of the table are now, without rows and texts.
func (p *part) follow(t *reading) {
	p.base, p.plan, p.capacity = t.turns, t.plan.Fork(), 0
	p.columns, p.moves = make([]column, len(t.columns)), make([]move, len(t.columns))
	for j := range t.columns {
		p.columns[j] = column{Column: t.columns[j].Fork(p.plan), fast: t.columns[j].fast}
	}
}

// firstRows is for how many rows a part has memory at first.
const firstRows = 256

// manyTexts is from how many texts on a part begins a new dictionary of a column, so that several
// dictionaries do not take several times the memory.
const manyTexts = 1 << 15

// read reads the rows of a block up to the first that has something wrong.
func (p *part) read(b *block) {
	p.whole, p.rows, p.turns, p.lines = false, 0, 0, p.lines[:0]
	if b.err != nil {
		return
	}
	p.forget()
	s := &p.splitter
	s.load(b)
	s.line = 0
	for s.pos < s.limit {
		if s.between[s.buf[s.pos]] && !s.skipLines(len(p.columns) == 1) {
			break
		}
		if p.rows == p.capacity {
			p.capacity = max(2*p.capacity, firstRows)
			for j := range p.columns {
				p.columns[j].grow(p.capacity)
			}
		}
		p.lines = append(p.lines, int32(s.line))
		if err := p.readRow(s); err != nil {
			return
		}
		p.rows++
	}
	p.whole = true
}

// forget begins new dictionaries where there are many texts.
func (p *part) forget() {
	for j := range p.columns {
		c := &p.columns[j]
		if c.Dict != nil && c.Dict.Open() && len(c.Dict.Levels()) > manyTexts {
			c.Dict, p.moves[j].codes = c.Dict.Fork(), nil
		}
		if c.Kept.Dict != nil && len(c.Kept.Dict.Levels()) > manyTexts {
			c.Kept.Dict, p.moves[j].kept = c.Kept.Dict.Fork(), nil
		}
	}
}

// join adds the rows of a part to the table, which has memory for them, but for their values: these
// are to be moved. It reports false where a text has no place in a dictionary.
func (t *reading) join(p *part) bool {
	for j := range p.columns {
		c, m := &p.columns[j], &p.moves[j]
		if to := &t.columns[j]; to.Storage == table.Numbers && c.Storage == table.Codes {
			by := *c.Turned
			by.Row += t.before + t.rows
			by.Line += t.splitter.line
			to.turn(t.rows+c.again, t.capacity, &by)
			m.from, c.again = c.again, 0
		}
		if !m.learn(c, &t.columns[j], t.rows, p.rows) {
			return false
		}
	}
	t.turns += p.turns
	p.base = t.turns
	t.plan.Learn(p.plan)
	for i, line := range p.lines {
		t.origin.Add(t.before+t.rows-t.unplaced+i, t.splitter.line+int(line))
	}
	t.splitter.line += p.splitter.line
	t.rows += p.rows
	return true
}

// learn prepares the move of a column to rows of the table, whose dictionaries get the texts of the
// part.
func (m *move) learn(from, to *column, row, rows int) bool {
	var fault *data.ReadError
	if from.Storage == table.Codes {
		if m.codes, fault = to.Dict.Learn(from.Dict, m.codes); fault != nil {
			return false
		}
		m.code = to.Code[row : row+rows]
	} else if from.Storage == table.Numbers {
		m.num = to.Num[row : row+rows]
	}
	if from.Kept.Dict != nil {
		if m.kept, fault = to.Kept.Dict.Learn(from.Kept.Dict, m.kept); fault != nil {
			return false
		}
		m.keeping = to.Kept.Codes[row : row+rows]
	}
	return true
}

// move copies the values of all rows to the table.
func (p *part) move() {
	for j := range p.columns {
		c, m := &p.columns[j], &p.moves[j]
		switch c.Storage {
		case table.Numbers:
			copy(m.num, c.Num)
		case table.Codes:
			translate(m.code[m.from:], c.Code[m.from:], m.codes)
			m.from = 0
		}
		if c.Kept.Dict != nil {
			translate(m.keeping, c.Kept.Codes, m.kept)
		}
	}
}

// translate writes what codes are by a table; where it is nil they stay what they are.
func translate(to, from, by []uint32) {
	if by == nil {
		copy(to, from)
		return
	}
	for i, code := range from[:len(to)] {
		if code < data.UnseenCode {
			code = by[code]
		}
		to[i] = code
	}
}
