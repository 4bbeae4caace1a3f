//go:build linux

package serving

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/arrowdata"
)

// appendRow appends a row as a JSON object.
func appendRow(b []byte, names []string, row []float32) []byte {
	for i, name := range names {
		if i == 0 {
			b = append(b, '{')
		} else {
			b = append(b, ',')
		}
		b = append(strconv.AppendQuote(b, name), ':')
		b = strconv.AppendFloat(b, float64(row[i]), 'g', -1, 64)
	}
	return append(b, '}')
}

// jsonRow is the first row.
func jsonRow(names []string, values []float32) ([]byte, error) {
	return appendRow(nil, names, values), nil
}

// jsonRows are all rows.
func jsonRows(names []string, values []float32) ([]byte, error) {
	b := []byte{'['}
	for ; len(values) > 0; values = values[len(names):] {
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = appendRow(b, names, values)
	}
	return append(b, ']'), nil
}

// csvRows are all rows as CSV.
func csvRows(names []string, values []float32) ([]byte, error) {
	b := []byte(strings.Join(names, ",") + "\n")
	for i, v := range values {
		b = strconv.AppendFloat(b, float64(v), 'g', -1, 64)
		if (i+1)%len(names) == 0 {
			b = append(b, '\n')
		} else {
			b = append(b, ',')
		}
	}
	return b, nil
}

// arrowRows are all rows as a stream of Arrow.
func arrowRows(names []string, values []float32) ([]byte, error) {
	f, err := data.FromMatrix(data.RowMajor[float32]{Values: values, Columns: len(names)}, names)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = arrowdata.Write(&b, f)
	return b.Bytes(), err
}

// tensorRows are all rows as one binary tensor in the order of the columns. The first line is the
// length of the JSON, which is sent as a header.
func tensorRows(names []string, values []float32) ([]byte, error) {
	head, err := json.Marshal(map[string]any{"inputs": []any{map[string]any{"name": "rows",
		"shape": []int{len(values) / len(names), len(names)}, "datatype": "FP32",
		"parameters": map[string]int{"binary_data_size": 4 * len(values)}}}})
	if err != nil {
		return nil, err
	}
	b := append([]byte(fmt.Sprintln(len(head))), head...)
	for _, v := range values {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(v))
	}
	return b, nil
}
