package arrowdata

import (
	"encoding/binary"
	"slices"
)

// verifier walks over a flatbuffer. It checks that every vector and text that the buffer announces
// can be there, and that tables are not referred to so often that unfolding them never ends.
//
//	table    offset back to its vtable | values
//	vtable   its size | the table's size | where each field is in the table, 0 = absent
//	vector   number of elements | elements; those that are tables are offsets
type verifier struct {
	b     []byte
	left  int // tables that may still be visited
	depth int
	bad   bool
}

func newVerifier(b []byte) *verifier { return &verifier{b: b, left: len(b) / 4} }

// bytes returns n bytes at a position, zeros if they are not all there.
func (v *verifier) bytes(at, n int) []byte {
	if at < 0 || n < 0 || at > len(v.b) || n > len(v.b)-at {
		v.bad = true
		return make([]byte, 8)
	}
	return v.b[at : at+n]
}

func (v *verifier) u16(at int) int { return int(binary.LittleEndian.Uint16(v.bytes(at, 2))) }
func (v *verifier) u32(at int) int { return int(binary.LittleEndian.Uint32(v.bytes(at, 4))) }

// follow returns the position that the offset at a position points to.
func (v *verifier) follow(at int) int { return at + v.u32(at) }

// field returns the position of a table's field, 0 if it is absent.
func (v *verifier) field(table, slot int) int {
	vtable := table - int(int32(v.u32(table)))
	entry := 4 + 2*slot
	if entry >= v.u16(vtable) {
		return 0
	}
	if offset := v.u16(vtable + entry); offset != 0 && !v.bad {
		return table + offset
	}
	return 0
}

// table returns the position of the table in a field, 0 if it is absent.
func (v *verifier) table(of, slot int) int {
	at := v.field(of, slot)
	if at == 0 {
		return 0
	}
	return v.follow(at)
}

// vector returns the elements of a vector in a field, each of a size in bytes.
func (v *verifier) vector(table, slot, size int) []byte {
	at := v.field(table, slot)
	if at == 0 || v.bad {
		return nil
	}
	at = v.follow(at)
	n := v.u32(at)
	if v.bad || n > len(v.b)/size {
		v.bad = true
		return nil
	}
	elements := v.bytes(at+4, n*size)
	if v.bad {
		return nil
	}
	return elements
}

// tables calls visit for each table of a vector.
func (v *verifier) tables(of, slot int, visit func(table int)) {
	const deepest = 64
	elements := v.vector(of, slot, 4)
	if v.depth++; v.depth > deepest {
		v.bad = true
	}
	first := v.field(of, slot)
	if first != 0 {
		first = v.follow(first) + 4
	}
	for i := 0; i < len(elements) && !v.bad; i += 4 {
		if v.left--; v.left < 0 {
			v.bad = true
			break
		}
		visit(v.follow(first + i))
	}
	v.depth--
}

// text checks a text in a field.
func (v *verifier) text(table, slot int) { v.vector(table, slot, 1) }

func (v *verifier) metadata(of, slot int) {
	v.tables(of, slot, func(pair int) {
		v.text(pair, 0)
		v.text(pair, 1)
	})
}

// known is what the messages of a file or a stream say.
//
// Each column of views has an entry in a batch's list of buffer counts, which the decoder does not
// check.
type known struct {
	views      int           // columns of views of a record batch
	dictionary map[int64]int // those of the values of a dictionary, by its id
	schemas    int
	packed     bool // some batch is compressed
	bigEndian  bool
	batches    []storedBatch // of records, in order
}

// The types of a schema that hold more than their parameters.
const (
	unionType      = 14 // a vector of type codes
	binaryViewType = 23
	textViewType   = 24
)

func (v *verifier) schema(at int, found *known) {
	found.views, found.dictionary = 0, map[int64]int{}
	found.schemas++
	if order := v.field(at, 0); order != 0 {
		found.bigEndian = v.u16(order) != 0
	}
	v.tables(at, 1, func(field int) { found.views += v.column(field, found) })
	v.metadata(at, 2)
}

// column checks a field of the schema with those below it and returns how many views it has in a
// record batch.
func (v *verifier) column(at int, found *known) int {
	n := 0
	v.text(at, 0)
	if kind := v.field(at, 2); kind != 0 {
		switch v.bytes(kind, 1)[0] {
		case unionType:
			if t := v.table(at, 3); t != 0 {
				v.vector(t, 1, 4)
			}
		case binaryViewType, textViewType:
			n++
		}
	}
	v.tables(at, 5, func(child int) { n += v.column(child, found) })
	v.metadata(at, 6)
	if dictionary := v.table(at, 4); dictionary != 0 {
		id := v.int64(dictionary, 0)
		found.dictionary[id] = max(n, found.dictionary[id])
		return 0
	}
	return n
}

// int64 returns the value of a field, 0 if it is absent.
func (v *verifier) int64(table, slot int) int64 {
	at := v.field(table, slot)
	if at == 0 {
		return 0
	}
	return int64(binary.LittleEndian.Uint64(v.bytes(at, 8)))
}

// batch checks a record batch: nodes, buffers, and how many of the buffers each column of views
// has.
func (v *verifier) batch(at, views int) {
	v.vector(at, 1, nodeSize)
	buffers := uint64(len(v.vector(at, 2, bufferSize)) / bufferSize)
	counts := v.vector(at, 4, 8)
	v.bad = v.bad || len(counts)/8 < views
	for ; len(counts) > 0; counts = counts[8:] {
		if binary.LittleEndian.Uint64(counts) > buffers {
			v.bad = true
		}
	}
}

// footer checks the footer of a file and returns the places of its messages.
func (v *verifier) footer(found *known) []byte {
	root := v.follow(0)
	if schema := v.table(root, 1); schema != 0 {
		v.schema(schema, found)
	}
	v.metadata(root, 4)
	return slices.Concat(v.vector(root, 2, blockSize), v.vector(root, 3, blockSize))
}

// message checks a message that follows a schema with the given views, or is one and sets them. It
// returns the size of the body.
func (v *verifier) message(known *known) int64 {
	root := v.follow(0)
	kind := byte(0)
	if at := v.field(root, 1); at != 0 {
		kind = v.bytes(at, 1)[0]
	}
	switch header := v.table(root, 2); {
	case header == 0:
		v.bad = true
	case kind == 1:
		v.schema(header, known)
	case kind == 2:
		if batch := v.table(header, 1); batch != 0 {
			v.batch(batch, known.dictionary[v.int64(header, 0)])
		}
	case kind == 3:
		v.batch(header, known.views)
		known.packed = known.packed || v.table(header, 3) != 0
		known.batches = append(known.batches, storedBatch{rows: v.int64(header, 0),
			nodes: v.vector(header, 1, nodeSize), buffers: v.vector(header, 2, bufferSize)})
	}
	v.metadata(root, 4)
	return v.int64(root, 3)
}
