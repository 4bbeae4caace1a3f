package serve_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/serve"
)

// binaryInputs are rows as tensors of bytes behind their JSON.
func binaryInputs(t *testing.T, rows []visit, parameters string) (head, rest []byte) {
	t.Helper()
	var inputs []string
	column := func(name, kind string, write func(*bytes.Buffer, *visit)) {
		var b bytes.Buffer
		for i := range rows {
			write(&b, &rows[i])
		}
		inputs = append(inputs, fmt.Sprintf(`{"name":%q,"shape":[%d],"datatype":%q,`+
			`"parameters":{"binary_data_size":%d}}`, name, len(rows), kind, b.Len()))
		rest = append(rest, b.Bytes()...)
	}
	little := func(b *bytes.Buffer, v any) {
		if err := binary.Write(b, binary.LittleEndian, v); err != nil {
			t.Fatal(err)
		}
	}
	text := func(b *bytes.Buffer, s string) { little(b, uint32(len(s))); b.WriteString(s) }
	column("age", "FP64", func(b *bytes.Buffer, v *visit) { little(b, v.Age) })
	column("weight", "FP32", func(b *bytes.Buffer, v *visit) { little(b, v.Weight) })
	column("plan", "BYTES", func(b *bytes.Buffer, v *visit) { text(b, v.Plan) })
	column("code", "INT16", func(b *bytes.Buffer, v *visit) { little(b, int16(v.Code)) })
	column("note", "BYTES", func(b *bytes.Buffer, v *visit) { text(b, v.Note) })
	column("day", "BYTES", func(b *bytes.Buffer, v *visit) { text(b, v.Day.Format(time.RFC3339)) })
	return fmt.Appendf(nil, `{"inputs":[%s]%s}`, strings.Join(inputs, ","), parameters), rest
}

// postBinary sends a request of the extension; length is the header, "" = none.
func postBinary(t *testing.T, url, length string, body []byte) (*http.Response, []byte) {
	t.Helper()
	r, err := http.NewRequest(http.MethodPost, url+"/v2/models/visits/infer", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if length != "" {
		r.Header.Set("Inference-Header-Content-Length", length)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	b, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a, b
}

// Binary tensors give the bits that the rows have in JSON, in outputs of bytes too.
func TestBinaryTensors(t *testing.T) {
	m := trained(t, boosted(), "stays")
	web := server(t, m, serve.Options{})
	p, err := coppice.NewPredictor[visit](m)
	if err != nil {
		t.Fatal(err)
	}
	rows := visits(20, 5)
	for _, parameters := range []string{`,"parameters":{"binary_data_output":true}`,
		`,"outputs":[{"name":"predict_proba","parameters":{"binary_data":true}},{"name":"predict"}]`} {
		head, rest := binaryInputs(t, rows, parameters)
		a, body := postBinary(t, web.URL, strconv.Itoa(len(head)), append(head, rest...))
		n, err := strconv.Atoi(a.Header.Get("Inference-Header-Content-Length"))
		if err != nil || a.StatusCode != http.StatusOK {
			t.Fatal(a.StatusCode, string(body))
		}
		var got struct {
			Outputs []struct {
				Name       string
				Data       []string
				Parameters struct {
					Size int `json:"binary_data_size"`
				}
			}
		}
		if err := json.Unmarshal(body[:n], &got); err != nil {
			t.Fatal(err)
		}
		after := body[n:]
		for _, o := range got.Outputs {
			own := after[:o.Parameters.Size]
			after = after[o.Parameters.Size:]
			for i, row := range rows {
				want, err := p.Predict(row)
				if err != nil {
					t.Fatal(err)
				}
				if o.Name == "predict" {
					label := ""
					if o.Data != nil {
						label = o.Data[i]
					} else {
						size := binary.LittleEndian.Uint32(own)
						label, own = string(own[4:4+size]), own[4+size:]
					}
					if label != want.Class {
						t.Errorf("row %d: %q, want %q", i, label, want.Class)
					}
					continue
				}
				for k, v := range want.Values {
					bits := binary.LittleEndian.Uint64(own[8*(len(want.Values)*i+k):])
					if math.Float64frombits(bits) != v {
						t.Errorf("row %d: %v, want %v", i, math.Float64frombits(bits), v)
					}
				}
			}
		}
		if len(after) > 0 {
			t.Errorf("%d bytes follow the outputs", len(after))
		}
	}
}

func TestWrongBinaryTensorsAreRefused(t *testing.T) {
	web := server(t, trained(t, boosted(), "stays"), serve.Options{})
	input := func(kind string, size int) string {
		return fmt.Sprintf(`{"inputs":[{"name":"age","shape":[1],"datatype":%q,`+
			`"parameters":{"binary_data_size":%d}}]}`, kind, size)
	}
	for _, c := range []struct{ length, head, rest, want string }{
		{"x", "{}", "", `Inference-Header-Content-Length: \"x\" is no length`},
		{"-1", "{}", "", "is no length"},
		{"99", "{}", "", "is 99, and the body has 2 bytes"},
		{"", input("FP64", 8), "", "has no data"},
		{"*", input("FP64", 9), "12345678", "binary_data_size is 9, and the body has 8 bytes left"},
		{"*", input("FP64", -1), "12345678", "binary_data_size is -1"},
		{"*", input("FP64", 8), "123456789", "1 bytes follow the tensors"},
		{"*", input("FP32", 8), "12345678", "has 8 bytes, and 4 by its shape"},
		{"*", input("BYTES", 8), "\xff\xff\xff\xff5678", "text 1 is longer than its bytes"},
		{"*", input("BYTES", 3), "\x00\x00\x00", "text 1 is longer than its bytes"},
		{"*", input("BYTES", 0), "", "has 0 texts, and 1 by its shape"},
		{"*", strings.Replace(input("FP64", 8), `"shape"`, `"data":[1],"shape"`, 1), "12345678", "has data and binary_data_size"},
	} {
		length := c.length
		if length == "*" {
			length = strconv.Itoa(len(c.head))
		}
		a, body := postBinary(t, web.URL, length, []byte(c.head+c.rest))
		if a.StatusCode != http.StatusBadRequest || !strings.Contains(string(body), c.want) {
			t.Errorf("%s %s: %d %s, want %s", c.length, c.head, a.StatusCode, body, c.want)
		}
	}
}
