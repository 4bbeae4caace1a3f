package serve

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strconv"
)

// headerLength is the header of the protocol's extension for binary tensors: the length of the JSON
// before them.
const headerLength = "Inference-Header-Content-Length"

// binaryParameters are those of the extension, of a request, an input or an output.
type binaryParameters struct {
	Size   *int64 `json:"binary_data_size"`   // of an input
	Data   *bool  `json:"binary_data"`        // of an output
	Output *bool  `json:"binary_data_output"` // of a request: of all outputs
}

// decodeInfer reads a body whose tensors stand behind JSON of a length, "" = all is JSON.
func decodeInfer(text string, body []byte, q *inferRequest) error {
	if text == "" {
		return decodeBody(body, q)
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < 0 {
		return syntaxf("%s: %q is no length", headerLength, text)
	}
	if n > int64(len(body)) {
		return syntaxf("%s is %d, and the body has %d bytes", headerLength, n, len(body))
	}
	if err := decodeBody(body[:n], q); err != nil {
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
		case len(t.Data) > 0:
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

// binaryElements reads the values of a tensor of bytes, the low byte of a number first.
func (t *tensor) binaryElements(kind datatype, want int64) ([]any, error) {
	b := t.binary
	if t.Datatype == "BYTES" {
		return t.binaryTexts(want)
	}
	size := int64(max(1, kind.bits/8))
	if int64(len(b)) != want*size {
		return nil, syntaxf("input %q has %d bytes, and %d by its shape %v", t.Name, len(b), want*size,
			t.Shape)
	}
	all := make([]any, want)
	for i := range all {
		all[i] = kind.decode(b[int64(i)*size:])
	}
	return all, nil
}

// decode reads a number or a truth value.
func (k datatype) decode(b []byte) any {
	switch {
	case k.bits == 0:
		return b[0] != 0
	case !k.integer && k.bits == 16:
		return half(binary.LittleEndian.Uint16(b))
	case !k.integer && k.bits == 32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case !k.integer:
		return math.Float64frombits(binary.LittleEndian.Uint64(b))
	}
	var v uint64
	for i := range k.bits / 8 {
		v |= uint64(b[i]) << (8 * i)
	}
	if k.unsigned {
		return v
	}
	above := 64 - k.bits
	return int64(v<<above) >> above
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

// binaryTexts reads texts, each behind its length in four bytes.
func (t *tensor) binaryTexts(want int64) ([]any, error) {
	b := t.binary
	var all []any
	for len(b) > 0 {
		if len(b) < 4 || int64(binary.LittleEndian.Uint32(b)) > int64(len(b)-4) {
			return nil, syntaxf("input %q: text %d is longer than its bytes", t.Name, len(all)+1)
		}
		n := int(binary.LittleEndian.Uint32(b))
		all = append(all, string(b[4:4+n]))
		b = b[4+n:]
	}
	if int64(len(all)) != want {
		return nil, syntaxf("input %q has %d texts, and %d by its shape %v", t.Name, len(all), want,
			t.Shape)
	}
	return all, nil
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
	head, err := json.Marshal(a)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set(headerLength, fmt.Sprint(len(head)))
	_, _ = w.Write(append(head, rest...)) // a client that has gone needs no answer
	return nil
}
