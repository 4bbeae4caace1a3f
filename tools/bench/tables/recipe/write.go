package recipe

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"
)

// Digest identifies rows of a table: hashes of the features and of the labels as little-endian
// float32, row by row.
type Digest struct{ Features, Labels string }

// WriteCSV writes rows from, from+1, ... from+rows-1 with a header line (y, f0, f1, ...), the label
// first and as an integer, and returns their digest.
func (t *Table) WriteCSV(w io.Writer, from, rows int) (Digest, error) {
	return t.WriteColumns(w, from, rows, t.Features)
}

// WriteColumns is WriteCSV of the label and the first features only. The digest is that of all.
func (t *Table) WriteColumns(w io.Writer, from, rows, columns int) (Digest, error) {
	out := bufio.NewWriterSize(w, 1<<20)
	features, labels := sha256.New(), sha256.New()
	x, wide := make([]float32, t.Features), make([]float64, t.Features)
	line := []byte("y")
	for j := range columns {
		line = append(line, ",f"+strconv.Itoa(j)...)
	}
	if _, err := out.Write(append(line, '\n')); err != nil {
		return Digest{}, err
	}
	var raw []byte
	for i := range rows {
		y := t.Row(from+i, x, wide)
		line, raw = strconv.AppendInt(line[:0], int64(y), 10), raw[:0]
		for j, v := range x {
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(v))
			if j >= columns {
				continue
			}
			line = append(line, ',')
			if t.Integers {
				line = strconv.AppendInt(line, int64(v), 10)
			} else {
				line = AppendFloat(line, v)
			}
		}
		features.Write(raw)
		labels.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(y)))
		if _, err := out.Write(append(line, '\n')); err != nil {
			return Digest{}, err
		}
	}
	return Digest{fmt.Sprintf("%x", features.Sum(nil)[:8]), fmt.Sprintf("%x", labels.Sum(nil)[:8])},
		out.Flush()
}
