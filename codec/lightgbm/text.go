package lightgbm

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/codec/internal/jsonscan"
)

// textReader reads the text of a model, line by line:
//
//	tree                         a header of keys and values
//	version=v4
//	...
//	tree_sizes=358 365
//
//	Tree=0                       trees: keys and values up to an empty line
//	num_leaves=3
//	...
//
//	end of trees
//
//	parameters:                  of what follows predictions need the columns that are categorical
//	[categorical_feature: 0,3]   and the names of their categories
//	end of parameters
//	pandas_categorical:[["a", "b"]]
type textReader struct {
	*foreign.Budget
	text []byte
	at   int   // where the next line starts
	here place // the current line
	f    *file
	head header
	base int // where the first tree starts

	lines block // of a tree
}

// place is a line of the file: its number, from 1, and where it starts.
type place struct{ line, offset int }

// header is what of the header needs the rest of it.
type header struct {
	features            int // max_feature_idx + 1; -1: not found
	names, infos, sizes entry
}

// entry is the value of a key, nil where there is none.
type entry struct {
	value []byte
	place place
	key   string // of lines of trees
}

// readText reads the text form.
func readText(r io.ReaderAt, size int64, b *foreign.Budget) (*file, error) {
	f := &file{format: textName, classes: 1, scores: -1}
	text, err := b.ReadAll(r, size)
	if err != nil {
		return nil, err
	}
	p := &textReader{Budget: b, text: text, f: f, lines: block{}}
	p.head.features = -1
	err = p.read()
	return f, p.placed(p.here, err)
}

// read reads the parts of the text.
func (p *textReader) read() (err error) {
	defer foreign.Ended(&err)
	p.readHeader()
	p.readTrees()
	p.readRest()
	foreign.Check(p.f.check())
	return p.f.fewCodes(p.Budget)
}

// fail ends reading by a fault of the current line, damaged by one of another.
func fail(format string, args ...any) { foreign.Check(fmt.Errorf(format, args...)) }

func (p *textReader) damaged(at place, format string, args ...any) {
	foreign.Check(p.placed(at, fmt.Errorf(format, args...)))
}

// placed is the error of a fault in a line.
func (p *textReader) placed(at place, err error) error {
	return p.f.corrupt(fmt.Sprintf("line %d", max(1, at.line)), at.offset, err)
}

// next returns the next line without its end, false after the last.
func (p *textReader) next() ([]byte, bool) {
	if p.at >= len(p.text) {
		return nil, false
	}
	p.here = place{p.here.line + 1, p.at}
	line, _, _ := bytes.Cut(p.text[p.at:], []byte("\n"))
	p.at += len(line) + 1
	return bytes.TrimSuffix(line, []byte("\r")), true
}

// back makes the current line the next one.
func (p *textReader) back() { p.at, p.here.line = p.here.offset, p.here.line-1 }

var treeMark = []byte("Tree=")

// readHeader reads the lines before the first tree.
func (p *textReader) readHeader() {
	if line, _ := p.next(); string(line) != "tree" {
		fail(`the first line is not "tree"`)
	}
	for {
		line, ok := p.next()
		if ok && !bytes.HasPrefix(line, treeMark) {
			foreign.Check(p.headerLine(line))
			continue
		}
		if ok {
			p.back()
		}
		p.base = p.at
		p.columns()
		return
	}
}

// headerLine reads a line of the header.
func (p *textReader) headerLine(line []byte) (err error) {
	key, value, _ := bytes.Cut(line, []byte("="))
	switch string(key) {
	case "version":
		p.f.version = string(value)
		return p.f.checkVersion()
	case "num_class":
		p.f.classes, err = number(value)
	case "num_tree_per_iteration":
		p.f.scores, err = number(value)
	case "max_feature_idx":
		features, err := number(value)
		p.head.features = features + 1
		return err
	case "objective":
		return p.f.setObjective(string(value))
	case "average_output":
		p.f.average = true
	case "feature_names":
		p.head.names = entry{value: value, place: p.here}
	case "feature_infos":
		p.head.infos = entry{value: value, place: p.here}
	case "tree_sizes":
		p.head.sizes = entry{value: value, place: p.here}
	}
	return err
}

// number reads a whole number.
func number(text []byte) (int, error) {
	n, err := strconv.ParseInt(string(text), 10, 32)
	if err != nil {
		return 0, fmt.Errorf("%.20q is not a whole number", text)
	}
	return int(n), nil
}

// columns makes the columns of the header's names and infos.
func (p *textReader) columns() {
	f, h := p.f, &p.head
	foreign.Check(f.checkVersion())
	if f.scores < 0 {
		f.scores = f.classes
	}
	if h.features < 0 || h.names.value == nil {
		fail("no max_feature_idx or no feature_names up to here: the header is damaged, " +
			"or the file is truncated")
	}
	names := words(h.names.value)
	if n := names.count(); n != h.features {
		p.damaged(h.names.place, "%d feature_names, max_feature_idx is %d", n,
			h.features-1)
	}
	p.Need(int64(h.features)*bytesPerColumn + int64(len(h.names.value)))
	f.columns = make([]column, h.features)
	infos := words(h.infos.value)
	if n := infos.count(); h.infos.value != nil && n != h.features {
		p.damaged(h.infos.place, "%d feature_infos for %d columns", n,
			h.features)
	}
	for i := range f.columns {
		c := &f.columns[i]
		c.name, c.top = string(names.next()), -1
		foreign.Check(p.placed(h.infos.place, c.parseInfo(infos.next())))
	}
}

// bytesPerColumn bounds the memory that a column takes here and in a schema, but for its name and
// its levels.
const bytesPerColumn = 320

// parseInfo reads what a header has of a column's values: "[least:greatest]", the codes of its
// categories such as "-1:0:2:1", or "none" for a column that training left out.
func (c *column) parseInfo(info []byte) error {
	if len(info) == 0 || info[0] == '[' || string(info) == "none" {
		return nil
	}
	for code := range bytes.SplitSeq(info, []byte(":")) {
		n, err := number(code)
		if err != nil {
			return fmt.Errorf("feature_infos of column %.50q: %w", c.name, err)
		}
		c.top = max(c.top, int32(n))
	}
	c.codes, c.info = true, info
	return nil
}

// readTrees reads the trees.
func (p *textReader) readTrees() {
	sizes, start := words(p.head.sizes.value), p.base
	for {
		line, ok := p.next()
		if ok && len(line) == 0 {
			continue
		}
		if !ok || !bytes.HasPrefix(line, treeMark) {
			if ok {
				p.back()
			}
			break
		}
		if p.head.sizes.value != nil {
			if p.here.offset != start {
				fail("tree %d starts at byte %d, by tree_sizes at byte %d",
					len(p.f.trees), p.here.offset, start)
			}
			size, err := number(sizes.next())
			if err != nil {
				fail("the size of tree %d in tree_sizes: %w", len(p.f.trees), err)
			}
			start += size
		}
		p.readTree()
	}
	if rest := sizes.count(); rest > 0 {
		fail("%d trees, and %d more in tree_sizes: the file is truncated, or "+
			"its trees are damaged", len(p.f.trees), rest)
	}
}

// readRest reads what follows the trees.
func (p *textReader) readRest() {
	for {
		line, ok := p.next()
		if !ok {
			return
		}
		if list, found := bytes.CutPrefix(line, []byte("[categorical_feature: ")); found {
			p.f.setCategorical(string(bytes.TrimSuffix(list, []byte("]"))))
		}
		if list, found := bytes.CutPrefix(line, []byte("pandas_categorical:")); found {
			s := jsonscan.NewText(list, p.Take)
			p.f.frame = readFrame(s)
			foreign.Check(s.Err())
		}
	}
}

// list is what is left of a list of words.
type list struct{ text []byte }

func words(text []byte) list { return list{bytes.TrimSpace(text)} }

// next returns the next word, nil after the last.
func (l *list) next() []byte {
	n := bytes.IndexByte(l.text, ' ')
	if n < 0 {
		n = len(l.text)
	}
	word := l.text[:n]
	l.text = bytes.TrimLeft(l.text[n:], " ")
	return word
}

// count returns the number of words that are left.
func (l list) count() int {
	n := 0
	for len(l.text) > 0 {
		l.next()
		n++
	}
	return n
}

// floats reads a list of n numbers.
func (p *textReader) floats(e entry, n int) []float64 {
	p.fits(e, n, 8)
	numbers, rest := make([]float64, n), words(e.value)
	for i := range numbers {
		text := rest.next()
		x, err := strconv.ParseFloat(string(text), 64)
		if err != nil && !errors.Is(err, strconv.ErrRange) {
			p.damaged(e.place, "%.20q in %s is not a number", text, e.key)
		}
		numbers[i] = x
	}
	return numbers
}

// integers reads a list of n whole numbers in the range of T.
func integers[T int32 | uint32 | uint8](p *textReader, e entry, n int) []T {
	p.fits(e, n, 4)
	numbers, rest := make([]T, n), words(e.value)
	for i := range numbers {
		text := rest.next()
		x, err := strconv.ParseInt(string(text), 10, 64)
		numbers[i] = T(x)
		if err != nil || int64(numbers[i]) != x {
			p.damaged(e.place, "%.20q in %s is not a whole number in range", text, e.key)
		}
	}
	return numbers
}

// fits checks that an entry has n words, and takes memory for so many elements.
func (p *textReader) fits(e entry, n, size int) {
	if e.value == nil && n > 0 {
		fail("no line %s, want one of %d numbers", e.key, n)
	}
	if got := words(e.value).count(); got != n {
		p.damaged(e.place, "%d numbers in %s, want %d", got, e.key, n)
	}
	p.Need(int64(n) * int64(size))
}

// ascending reports whether places start with 0 and do not descend.
func ascending(at []int32) bool { return at[0] == 0 && slices.IsSorted(at) }
