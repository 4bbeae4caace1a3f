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

// TestEmptyElementsTakeLittle: no body makes a server hold much more than its bytes, nor take long
// for them, whatever it repeats.
func TestEmptyElementsTakeLittle(t *testing.T) {
	h := server(t, trained(t, boosted(), "cost"), serve.Options{MaxRows: 100, Repository: &serve.Source{}}).Config.Handler
	const size = 1 << 16
	for _, path := range []string{"/v1/models/visits/predict", "/v1/models/visits/predict?unknown=refuse",
		"/v1/models/visits:predict", "/v2/models/visits/infer", "/invocations", "/v2/repository/models/visits/load"} {
		for _, around := range []string{"?", "[?]", `{"inputs":[?]}`, `{"outputs":[?]}`, `{"inputs":{"a":0?}}`,
			`{"inputs":[{"shape":[?]}]}`, `{"inputs":[{"name":"age","shape":[9],"datatype":"FP64","data":[?]}]}`,
			`{"parameters":{"a":0?}}`, `{"instances":[?]}`, `{"instances":[[?]]}`, `{"dataframe_records":[?]}`,
			`{"dataframe_split":{"columns":[?],"data":[]}}`, `{"dataframe_split":{"columns":[],"data":[?]}}`} {
			for _, element := range []string{"{}", "[]", "0", `""`, `"":0`, `"":[]`, `"age":0`, ""} {
				body := strings.Replace(around, "?", strings.TrimPrefix(strings.Repeat(","+element, size/(1+len(element))), ","), 1)
				if strings.Contains(around, "0?") {
					body = strings.Replace(around, "?", strings.Repeat(","+element, size/(1+len(element))), 1)
				}
				kind := ""
				if around == "?" {
					kind = "text/csv"
				}
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
				r.Header.Set("Content-Type", kind)
				h.ServeHTTP(httptest.NewRecorder(), r)
				runtime.ReadMemStats(&after)
				if took := float64(after.TotalAlloc-before.TotalAlloc) / size; took > 70 { // the names of 10,000 columns take 54 of them
					t.Errorf("%s %s of %q: %.0f bytes for each of the body", path, around, element, took)
				}
			}
		}
	}
}
