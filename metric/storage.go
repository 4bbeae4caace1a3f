package metric

import (
	"encoding/binary"
	"math"

	"github.com/coppice-ml/coppice/internal/scratch"
)

// Storage is how much a Stream keeps of rows in memory, and where it puts the rest. The zero value
// keeps all in memory.
type Storage struct {
	// Bytes of memory, about, for the scores, labels and predictions that are kept; 0 = no limit.
	// The rest goes to a scratch file, so that values stay exact.
	Bytes int64
	// Folder is that of the scratch file; "" = the system's folder for temporary files.
	Folder string
}

// store is the scratch file of a stream. It is made when something is written, and removed by
// close. The first error stays; after it nothing is written or read.
type store struct {
	in    Storage
	file  *scratch.File
	err   error
	bytes []byte // of a piece
}

// limit returns how many records of a size fit into a part of the memory, at least 1 and at most
// so many.
func (t *store) limit(part int64, size, most int) int {
	if t.in.Bytes == 0 {
		return most
	}
	return int(max(1, min(int64(most), t.in.Bytes/part/int64(size))))
}

// write appends a piece of numbers.
func (t *store) write(values ...[]float64) (p scratch.Piece) {
	t.bytes = t.bytes[:0]
	for _, list := range values {
		for _, v := range list {
			t.bytes = binary.LittleEndian.AppendUint64(t.bytes, math.Float64bits(v))
		}
	}
	return t.append(t.bytes)
}

// append appends a piece of bytes.
func (t *store) append(b []byte) (p scratch.Piece) {
	if t.err == nil && t.file == nil {
		t.file, t.err = scratch.Create(t.in.Folder)
	}
	if t.err == nil {
		p, t.err = t.file.Write(b)
	}
	return p
}

// read returns the bytes of a piece, in memory that is passed where it is large enough. They are 0
// after an error.
func (t *store) read(p scratch.Piece, to []byte) []byte {
	if cap(to) < p.Len() {
		to = make([]byte, p.Len())
	}
	to = to[:p.Len()]
	if t.err == nil {
		t.err = t.file.Read(p, to)
	}
	if t.err != nil {
		clear(to)
	}
	return to
}

// readNumbers appends the numbers of a piece to a list.
func (t *store) readNumbers(p scratch.Piece, list []float64) []float64 {
	t.bytes = t.read(p, t.bytes)
	for b := t.bytes; len(b) > 0; b = b[8:] {
		list = append(list, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	return list
}

func (t *store) close() error {
	err := t.file.Close()
	t.file = nil
	return err
}
