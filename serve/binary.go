package serve

import (
	"encoding/binary"
	"fmt"
	"math"
	"net/http"
	"strconv"

	"github.com/coppice-ml/coppice/internal/input"
)

// headerLength is the header of the protocol's extension for binary tensors: the length of the JSON
// before them.
const headerLength = "Inference-Header-Content-Length"

// parameters are those of the extension, of a request, an input or an output.
type parameters struct {
	Size   *int64 // of an input
	Data   *bool  // of an output
	Output bool   // of a request: of all outputs
}

// read reads the parameters that have a meaning.
func (p *parameters) read(s *jsonScanner) error {
	return s.fields(func(name string) error {
		switch name {
		case "binary_data_size":
			n, err := s.whole()
			p.Size = &n
			return err
		case "binary_data":
			p.Data = new(bool)
			return s.truth(p.Data)
		}
		return s.truth(&p.Output)
	}, "binary_data_size", "binary_data", "binary_data_output")
}

// decodeInfer reads a body whose tensors stand behind JSON of a length, "" = all is JSON.
func (c *call) decodeInfer(text string, m *Model, q *inferRequest) error {
	if text == "" {
		return q.read(c.scan(), m)
	}
	body := c.buffer.body.Bytes()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return syntaxf("%s: %q is no length", headerLength, text)
	}
	if n > int64(len(body)) {
		return syntaxf("%s is %d, and the body has %d bytes", headerLength, n, len(body))
	}
	c.scanner.reset(body[:n])
	if err := q.read(&c.scanner, m); err != nil {
		return err
	}
	rest := body[n:]
	for i := range q.Inputs {
		t := &q.Inputs[i]
		if t.Parameters.Size == nil {
			continue
		}
		size := *t.Parameters.Size
		switch {
		case size < 0 || size > int64(len(rest)):
			return syntaxf("input %q: binary_data_size is %d, and the body has %d bytes left", t.Name,
				size, len(rest))
		case t.data.Text != nil:
			return syntaxf("input %q has data and binary_data_size", t.Name)
		}
		t.binary, rest = rest[:size:size], rest[size:]
		if t.binary == nil {
			t.binary = []byte{}
		}
	}
	if len(rest) > 0 {
		return syntaxf("%d bytes follow the tensors of the inputs", len(rest))
	}
	return nil
}

// checkBinary counts the values of a tensor of bytes.
func (t *tensor) checkBinary(kind datatype, want int64) error {
	n, unit := int64(len(t.binary)), "bytes"
	if v := t.values(kind, nil); v.name == "BYTES" {
		for n, unit = 0, "texts"; len(v.binary) > 0; n++ {
			if _, ok := v.text(); !ok {
				return syntaxf("input %q: text %d is longer than its bytes", t.Name, n+1)
			}
		}
	} else {
		want *= kind.size()
	}
	if n != want {
		return syntaxf("input %q has %d %s, and %d by its shape %v", t.Name, n, unit, want, t.Shape)
	}
	return nil
}

// size is how many bytes a number or a truth value has.
func (k datatype) size() int64 { return int64(max(1, k.bits/8)) }

// text takes a text, which stands behind its length in four bytes; !ok: it is longer than its
// bytes.
func (t *columnTensor) text() (text []byte, ok bool) {
	b := t.binary
	if len(b) < 4 || int64(binary.LittleEndian.Uint32(b)) > int64(len(b)-4) {
		return nil, false
	}
	n := 4 + int(binary.LittleEndian.Uint32(b))
	t.binary = b[n:]
	return b[4:n], true
}

// putBinary writes the next value of bytes into a row, the low byte of a number first.
func (t *columnTensor) putBinary(rows *input.NamedReader, row []float64, column int) error {
	k := t.kind
	if t.name == "BYTES" {
		text, _ := t.text() // which were counted
		return rows.Text(row, column, text)
	}
	b := t.binary[:k.size()]
	t.binary = t.binary[k.size():]
	switch {
	case k.bits == 0:
		return rows.Truth(row, column, b[0] != 0)
	case !k.integer && k.bits == 16:
		return rows.Number(row, column, half(binary.LittleEndian.Uint16(b)))
	case !k.integer && k.bits == 32:
		return rows.Number(row, column, float64(math.Float32frombits(binary.LittleEndian.Uint32(b))))
	case !k.integer:
		return rows.Number(row, column, math.Float64frombits(binary.LittleEndian.Uint64(b)))
	}
	var v uint64
	for i, c := range b {
		v |= uint64(c) << (8 * i)
	}
	if k.unsigned {
		return rows.Numeral(row, column, strconv.AppendUint(nil, v, 10))
	}
	above := 64 - k.bits
	return rows.Numeral(row, column, strconv.AppendInt(nil, int64(v<<above)>>above, 10))
}

// half widens a number of 16 bits (IEEE 754 binary16).
func half(bits uint16) float64 {
	exponent, fraction := int(bits>>10&31), float64(bits&1023)
	v := math.Ldexp(fraction, -24) // without a leading 1
	switch {
	case exponent == 31 && fraction > 0:
		return math.NaN()
	case exponent == 31:
		v = math.Inf(1)
	case exponent > 0:
		v = math.Ldexp(1024+fraction, exponent-25)
	}
	if bits>>15 == 1 {
		v = -v
	}
	return v
}

// writeInfer answers with the outputs, of which some are bytes behind the JSON.
func writeInfer(w http.ResponseWriter, a *inferResponse, binaries map[string]bool) error {
	var rest []byte
	for i := range a.Outputs {
		o := &a.Outputs[i]
		if !binaries[o.Name] {
			continue
		}
		before := len(rest)
		switch data := o.Data.(type) {
		case []string:
			for _, text := range data {
				rest = binary.LittleEndian.AppendUint32(rest, uint32(len(text)))
				rest = append(rest, text...)
			}
		case []number:
			for _, v := range data {
				rest = binary.LittleEndian.AppendUint64(rest, math.Float64bits(float64(v)))
			}
		}
		o.Data = nil
		o.Parameters = map[string]int{"binary_data_size": len(rest) - before}
	}
	if len(binaries) == 0 {
		return writeJSON(w, a)
	}
	head := jsonOf(a)
	w.Header().Set("Content-Type", typeBinary)
	w.Header().Set(headerLength, fmt.Sprint(len(head)))
	_, _ = w.Write(append(head, rest...)) // a client that has gone needs no answer
	return nil
}
