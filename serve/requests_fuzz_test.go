package serve_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/serve"
)

// FuzzRequests sends any body in any type to each address that predicts. No request makes the
// server panic or answer with its own fault, and every answer says what it is.
func FuzzRequests(f *testing.F) {
	m, err := serve.NewModel("visits", trained(f, boosted(), "stays"), serve.ModelOptions{})
	if err != nil {
		f.Fatal(err)
	}
	models := serve.NewModels()
	models.Put(m)
	h := serve.Handler(models, serve.Options{MaxBody: 1 << 16, MaxRows: 100,
		Tables: []serve.TableFormat{arrow}, Repository: &serve.Source{}})
	typed, err := serve.HandlerOf[visit](m, serve.Options{MaxBody: 1 << 16, MaxRows: 100})
	if err != nil {
		f.Fatal(err)
	}
	for _, body := range []string{goodVisit, "[" + goodVisit + "]", "age,weight\n1,2\n",
		`{"instances":[` + goodVisit + `,[1,2,"a",3,"b","2024-01-01"]]}`,
		`{"dataframe_split":{"columns":["age"],"data":[[1]]}}`, `{"inputs":{"age":[1]}}`,
		`{"inputs":[{"name":"age","shape":[1],"datatype":"FP64","data":[null]}]}`,
		`{"inputs":[{"name":"age","shape":[1],"datatype":"FP32","parameters":{"binary_data_size":4}}]}1234`,
	} {
		for kind := range uint8(5) {
			f.Add(kind, "why=1&reasons=2&errors=row", strings.LastIndexByte(body, '}')+1, body)
		}
	}
	kinds := []string{"", "text/csv", "application/x-ndjson", "text/csv; header=present",
		arrowType}
	paths := []string{"/v1/models/visits/predict", "/v1/models/visits:predict",
		"/v1/models/visits:explain", "/v2/models/visits/infer", "/invocations", "/typed",
		"/v2/repository/index", "/v2/repository/models/gone/load"}
	f.Fuzz(func(t *testing.T, kind uint8, query string, head int, body string) {
		for _, path := range paths {
			r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
			r.URL.RawQuery = query
			if k := kinds[int(kind)%len(kinds)]; k != "" {
				r.Header.Set("Content-Type", k)
			}
			if kind >= 128 {
				r.Header.Set("Inference-Header-Content-Length", strconv.Itoa(head))
			}
			w := httptest.NewRecorder()
			if path == "/typed" {
				typed.ServeHTTP(w, r)
			} else {
				h.ServeHTTP(w, r)
			}
			if w.Code >= http.StatusInternalServerError || w.Header().Get("Content-Type") == "" {
				t.Errorf("%s %q: status %d, %q", path, body, w.Code, w.Body)
			}
		}
	})
}
