package jsonl

import (
	"bytes"
	"encoding/json"
	"math"
	"sync"

	"github.com/coppice-ml/coppice/internal/jsontext"
	"github.com/coppice-ml/coppice/internal/parallel"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/spelling"
	"github.com/coppice-ml/coppice/internal/table"
)

// key is one that occurred, outside of objects inside.
type key struct {
	quoted string // as it is written
	column *table.Column
}

// block is some lines of a text. Their values are found by any goroutine, and appended to the
// table in the order of the text.
//
//	{"size": 1.5, "color": "red"}       values: 1.5 of key 0, and a place of key 1
//	{"size": 2, "new": {"a": 1}}        a line that is left to reader.row
type block struct {
	text   []byte
	number int   // of the first line
	keys   []key // those that occurred before the block was cut
	values []lineValue
	lines  []line
	found  chan struct{} // has an element once the values are found
}

// lineValue is a value of a line.
type lineValue struct {
	number float64 // NaN: it is to be read where it stands
	at     int     // in its line
	key    int
}

// line is one of a block, without its end.
type line struct {
	from, to int
	values   int // how many were found; -1: the line is to be read by reader.row
}

// nearKeys is among how many known keys that of a value is looked for, behind the one before.
const nearKeys = 32

// find finds the values of all lines.
func (b *block) find() {
	b.values, b.lines = b.values[:0], b.lines[:0]
	for at := 0; at < len(b.text); {
		l := line{from: at, to: len(b.text), values: -1}
		if k := bytes.IndexByte(b.text[at:], '\n'); k >= 0 {
			l.to = at + k
		}
		at = l.to + 1
		if l.to > l.from && b.text[l.to-1] == '\r' {
			l.to--
		}
		before := len(b.values)
		if b.findIn(b.text[l.from:l.to]) {
			l.values = len(b.values) - before
		} else {
			b.values = b.values[:before]
		}
		b.lines = append(b.lines, l)
	}
	b.found <- struct{}{}
}

// findIn finds the values of a line. It reports false where the line is more than an object of
// known keys, in their order, with numbers and words.
func (b *block) findIn(text []byte) bool {
	p := jsontext.Walker{Text: text}
	p.Blanks()
	if !p.Take('{') {
		return false
	}
	for next := 0; ; next++ {
		last := min(len(b.keys), next+nearKeys)
		for ; next < last && !bytes.HasPrefix(text[p.At:], []byte(b.keys[next].quoted)); next++ {
		}
		if next == last {
			return false
		}
		p.At += len(b.keys[next].quoted)
		p.Blanks()
		if !p.Take(':') {
			return false
		}
		v := lineValue{number: math.NaN(), at: p.At, key: next}
		switch c := p.Next(); {
		case c == '"':
			if _, ok := p.Quoted(); !ok {
				return false
			}
		case c == '{' || c == '[':
			return false
		default:
			v.number = number(&p)
		}
		b.values = append(b.values, v)
		if p.Take('}') {
			return p.Ended()
		}
		if !p.Take(',') {
			return false
		}
	}
}

// number moves over a word and returns its number; NaN for other words, and for integers that may
// need their digits.
func number(p *jsontext.Walker) float64 {
	padded := p.Text[:len(p.Text)+source.Padding]
	v, end := table.ScanNumber(padded, p.At)
	if end > p.At && (padded[end] == ',' || padded[end] == '}') && padded[end-1] != '.' {
		p.At = end
		return v
	}
	word := p.Word()
	if bytes.ContainsAny(word, ".eE") && spelling.JSONNumber(word) {
		v, _ := table.ParseNumber(word)
		return v
	}
	return math.NaN()
}

// blockBytes is about how many bytes of text a block has.
const blockBytes = 128 << 10

// readLines appends the objects of all lines, from the one that was read last. Several goroutines
// find values, in blocks that were cut ahead. What becomes of the values, and which error is
// reported, is that of reading line by line.
func (r *reader) readLines(lines *source.Lines, size int64) error {
	const parts = 16 // a block with its values takes up to so many times its text
	most := min(size/blockBytes+1, r.options.Memory.Bytes()/8/(parts*blockBytes))
	workers := int(max(1, min(int64(parallel.Workers(r.options.Threads)), most)))
	work := make(chan *block, 2*workers)
	var group sync.WaitGroup
	defer group.Wait()
	defer close(work)
	for range workers {
		group.Go(func() {
			for b := range work {
				b.find()
			}
		})
	}
	var ahead, free []*block
	var fault error
	for ended := false; ; {
		if !ended && (len(ahead) == 0 || len(r.keys) > 0 && len(ahead) < cap(work)) {
			b := &block{found: make(chan struct{}, 1)}
			if len(free) > 0 {
				b, free = free[0], free[1:]
			}
			b.number, b.keys, b.text = lines.Number(), r.keys, lines.Block(b.text)
			ahead = append(ahead, b)
			if workers == 1 {
				b.find()
			} else {
				work <- b
			}
			var line []byte
			line, fault = lines.Next()
			ended = line == nil
			continue
		}
		if len(ahead) == 0 {
			return fault
		}
		b := ahead[0]
		<-b.found
		if err := r.appendBlock(b); err != nil {
			return err
		}
		ahead, free = ahead[1:], append(free, b)
	}
}

// appendBlock appends the objects of a block.
func (r *reader) appendBlock(b *block) error {
	values := b.values
	for i, l := range b.lines {
		r.line = b.number + i
		p := parser{jsontext.Walker{Text: b.text[l.from:l.to]}}
		if l.values < 0 {
			if p.Blanks(); p.Ended() {
				continue
			}
			if cut := r.options.CutLine; cut != nil && l.to == len(b.text) && !json.Valid(p.Text) {
				cut(r.builder.File(), r.line)
				continue
			}
			if err := r.row(&p); err != nil {
				return err
			}
		}
		for _, v := range values[:max(l.values, 0)] {
			c := b.keys[v.key].column
			r.builder.Pad(c)
			if v.number == v.number && c.Storage != table.Codes && c.Kept.Dict == nil {
				c.AppendNumber(v.number)
				continue
			}
			p.At = v.at
			if err := r.value(&p, c); err != nil {
				return err
			}
		}
		values = values[max(l.values, 0):]
		if err := r.builder.EndRow(r.line); err != nil {
			return err
		}
	}
	return nil
}
