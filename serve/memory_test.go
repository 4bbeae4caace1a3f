package serve_test

import (
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/serve"
)

// TestBodiesAreReadInPlace: rows of all forms are read from the bytes of the body, so that a body
// of short values takes little more than its size. What is counted is all that a request allocates,
// most of it for blocks of rows and for the answer.
func TestBodiesAreReadInPlace(t *testing.T) {
	const rows = 10_000
	h := server(t, trained(t, boosted(), "cost"), serve.Options{}).Config.Handler
	list := func(value string) string { return "[" + value + strings.Repeat(","+value, rows-1) + "]" }
	columns := []string{"age", "weight", "plan", "code", "note", "day"}
	values := []string{"1", "2", `""`, "3", `""`, "null"}
	var inputs, tensors []string
	for i, name := range columns {
		inputs = append(inputs, `"`+name+`":`+list(values[i]))
		kind := "FP64"
		if i == 2 || i > 3 {
			kind = "BYTES"
		}
		tensors = append(tensors, `{"name":"`+name+`","shape":[10000],"datatype":"`+kind+`","data":`+list(values[i])+`}`)
	}
	row := "[" + strings.Join(values, ",") + "]"
	for path, bodies := range map[string][]string{
		"/v2/models/visits/infer": {`{"inputs":[` + strings.Join(tensors, ",") + `]}`},
		"/invocations": {`{"inputs":{` + strings.Join(inputs, ",") + `}}`, `{"instances":` + list(row) + `}`,
			`{"dataframe_split":{"columns":["` + strings.Join(columns, `","`) + `"],"index":` + list("0") + `,"data":` + list(row) + `}}`},
	} {
		for _, body := range bodies {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			w := httptest.NewRecorder()
			h.ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
			runtime.ReadMemStats(&after)
			if w.Code != http.StatusOK {
				t.Fatalf("%s %.20s: %d %.200s", path, body, w.Code, w.Body)
			}
			took := float64(after.TotalAlloc-before.TotalAlloc-uint64(w.Body.Len())) / float64(len(body))
			if took > 45 { // each value as an own piece of memory makes it 70 and more
				t.Errorf("%s %.30s: %.0f bytes for each of the body", path, body, took)
			}
		}
	}
}
