package native

import (
	"io"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/tree"
)

// A section of arrays starts with a table of them. Its payload:
//
//	0   4  number of arrays
//	4   4  zero
//	8  40  for each array: its descriptor
//	       the arrays, in the order of the table; each at the next multiple of 16, zeros in between
//
// A descriptor:
//
//	 0  16  name, ended by zeros
//	16   2  element: u1 (byte), i4, u4 (32-bit integer, signed or not), u8 (64-bit), f8 (IEEE 754 double), nd (node)
//	18   2  flags, as those of sections
//	20   4  zero
//	24   8  offset of the array in the payload
//	32   8  number of elements
//
// An array without elements is left out, so that an array added later keeps a file from older
// programs only where it is used. Offsets follow from the counts; they are stored for readers in
// other languages, and checked.
const (
	tableHeadSize  = 8
	descriptorSize = 40
	arrayNameSize  = 16
)

// element is what an array consists of.
type element interface {
	~uint8 | ~int32 | ~uint32 | ~uint64 | ~float64 | tree.Node
}

// array is one array of a section, bound to the slices that it is written from and read into. To
// add one, add it to the list that its section is made of.
type array struct {
	name  string
	code  string // element, as in the descriptor
	size  int    // bytes per element
	flags uint16
	since Version                 // the least one that has the array; 0: that of its section
	count func() int64            // number of elements in memory
	emit  func(w io.Writer) error // writes them
	// takes n elements from the file; false if their number does not fit
	load func(raw []byte, n int64) bool
}

func newArray[T element](name string, flags uint16) array {
	code := map[reflect.Kind]string{
		reflect.Uint8: "u1", reflect.Int32: "i4", reflect.Uint32: "u4", reflect.Uint64: "u8",
		reflect.Float64: "f8", reflect.Struct: "nd",
	}[reflect.TypeFor[T]().Kind()]
	return array{name: name, code: code, size: int(reflect.TypeFor[T]().Size()), flags: flags}
}

// whole is the array that a single slice makes.
func whole[T element](name string, flags uint16, s *[]T) array {
	a := newArray[T](name, flags)
	a.count = func() int64 { return int64(len(*s)) }
	a.emit = func(w io.Writer) error {
		_, err := w.Write(rawBytes(*s))
		return err
	}
	a.load = func(raw []byte, _ int64) bool {
		*s = view[T](raw)
		return true
	}
	return a
}

// from returns the array as one that a version added.
func (a array) from(v Version) array {
	a.since = v
	return a
}

// arraySection is a section of the arrays that are not empty.
func arraySection(name string, all []array) section {
	var used []array
	since := Version(0)
	for _, a := range all {
		if a.count() > 0 {
			used, since = append(used, a), max(since, a.since)
		}
	}
	table := le.AppendUint32(nil, uint32(len(used)))
	table = le.AppendUint32(table, 0)
	at := int64(tableHeadSize + descriptorSize*len(used))
	for _, a := range used {
		at += gap(at, 0)
		d := make([]byte, descriptorSize)
		copy(d[:arrayNameSize], a.name)
		copy(d[16:], a.code)
		le.PutUint16(d[18:], a.flags)
		le.PutUint64(d[24:], uint64(at))
		le.PutUint64(d[32:], uint64(a.count()))
		table = append(table, d...)
		at += int64(a.size) * a.count()
	}
	return section{name: name, flags: required, size: at, since: since, emit: func(w io.Writer) error {
		if _, err := w.Write(table); err != nil {
			return err
		}
		at := int64(len(table))
		for _, a := range used {
			if _, err := w.Write(make([]byte, gap(at, 0))); err != nil {
				return err
			}
			if err := a.emit(w); err != nil {
				return err
			}
			at += gap(at, 0) + int64(a.size)*a.count()
		}
		return nil
	}}
}

// entry is an array as found in a file.
type entry struct {
	at    int // offset of its descriptor in the payload
	code  string
	flags uint16
	raw   []byte
	count int64
}

// table is the parsed table of a section of arrays.
type table struct {
	*payload
	entries map[string]*entry
}

// parseTable reads and checks the table of arrays of a section.
func parseTable(p *payload) *table {
	t := &table{payload: p, entries: map[string]*entry{}}
	if len(p.data) < tableHeadSize {
		p.corrupt(len(p.data), "the table of arrays ends here")
	}
	n := int64(le.Uint32(p.data))
	if n > int64(len(p.data)-tableHeadSize)/descriptorSize {
		p.corrupt(0, "%d arrays in %d bytes", n, len(p.data))
	}
	end := tableHeadSize + descriptorSize*int(n)
	for i := range int(n) {
		at := tableHeadSize + descriptorSize*i
		d := p.data[at : at+descriptorSize]
		name := strings.TrimRight(string(d[:arrayNameSize]), "\x00")
		e := &entry{at: at, code: string(d[16:18]), flags: le.Uint16(d[18:])}
		size := map[string]uint64{"u1": 1, "i4": 4, "u4": 4, "u8": 8, "f8": 8, "nd": 16}[e.code]
		start := end + int(gap(int64(end), 0))
		offset, count := le.Uint64(d[24:]), le.Uint64(d[32:])
		switch {
		case size == 0:
			p.corrupt(at+16, "array %q: unknown element %q", name, e.code)
		case t.entries[name] != nil:
			p.corrupt(at, "second array %q", name)
		case offset != uint64(start) || start > len(p.data):
			p.corrupt(at+24, "array %q is at %d instead of %d", name, offset, start)
		case count == 0 || count > uint64(len(p.data)-start)/size:
			p.corrupt(at+32, "array %q: %d elements in %d bytes", name, count,
				len(p.data)-start)
		case !zero(p.data[end:start]) || !zero(p.data[4:8]) || !zero(d[20:24]):
			p.corrupt(end, "bytes between arrays are not zero")
		}
		end = start + int(count*size)
		e.raw, e.count = p.data[start:end:end], int64(count)
		t.entries[name] = e
	}
	if end != len(p.data) {
		p.corrupt(end, "%d bytes after the last array", len(p.data)-end)
	}
	return t
}

// load hands the arrays of the file to those of the list; an array that the file does not hold has
// no elements.
func (t *table) load(arrays []array) {
	for _, a := range arrays {
		e := t.entries[a.name]
		if e == nil {
			e = &entry{code: a.code}
		}
		if e.code != a.code {
			t.corrupt(e.at+16, "array %q consists of %s, not %s", a.name, e.code, a.code)
		}
		if !a.load(e.raw, e.count) {
			t.corrupt(e.at, "array %q: %d elements do not fit the trees", a.name, e.count)
		}
		delete(t.entries, a.name)
	}
}

// loadAll hands all arrays of a payload to those of the list: see load and rest.
func (p *payload) loadAll(arrays []array) {
	t := parseTable(p)
	t.load(arrays)
	t.rest()
}

// rest checks that no array that nothing loaded is a required one. Of several it names the first in
// the order of names, so that a file always has the same error.
func (t *table) rest() {
	for _, name := range slices.Sorted(maps.Keys(t.entries)) {
		if t.entries[name].flags != 0 {
			unsupported("the file needs array %q, which this program cannot read: use a "+
				"newer program", name)
		}
	}
}

func zero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}
