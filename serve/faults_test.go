package serve_test

import (
	"bytes"
	"context"
	"database/sql"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn/cart"
	"github.com/coppice-ml/coppice/learn/isolation"
	"github.com/coppice-ml/coppice/serve"
)

const goodVisit = `{"age":31,"weight":70,"plan":"basic","code":7,"note":"old cough","day":"2024-03-05"}`

// without is a visit with one field replaced, "" = left out.
func without(field, other string) string {
	from := strings.Index(goodVisit, `"`+field+`"`)
	to := from + strings.IndexAny(goodVisit[from:], ",}")
	text := goodVisit[:from] + other + goodVisit[to:]
	return strings.ReplaceAll(strings.ReplaceAll(text, ",,", ","), "{,", "{")
}

// TestWrongRequestsAreRefused sends what is wrong to each address. The answer has one status and
// says what is wrong, where, and what to do.
func TestWrongRequestsAreRefused(t *testing.T) {
	web := server(t, trained(t, boosted(), "stays"), serve.Options{MaxRows: 3, MaxBody: 4096})
	const rows, csv, infer = "/v1/models/visits/predict", "text/csv", "/v2/models/visits/infer"
	tensors := func(name, kind, shape, data string) string {
		return fmt.Sprintf(`{"inputs":[{"name":%q,"datatype":%q,"shape":%s,"data":%s}]}`, name, kind,
			shape, data)
	}
	for _, c := range []struct {
		path, kind, body string
		status           int
		want             string // in the answer
	}{
		{rows, "", "", 400, "the body is empty: send a row as a JSON object"},
		{rows, "", "7", 400, "byte 1 of the body: want a row as a JSON object, or an array of them (CSV by its Content-Type), not"},
		{rows, "", goodVisit[:20], 400, "the body ends inside of its JSON, behind byte 20"},
		{rows, "", `{"age":x}`, 400, `byte 8 of the body: want a value, not \"x}\"`},
		{rows, "", goodVisit + goodVisit, 400, "something follows the JSON"},
		{rows, "", "[" + goodVisit + ",7]", 400, `row 2: byte 87 of the body: want an object by the names of columns, not \"7]`},
		{rows, "", without("age", ""), 422, `row 1, column \"age\": the row does not name the column: null is a missing value`},
		{rows, "", "[[31,70]]", 400, `byte 2 of the body: want an object by the names of columns, not \"[31,70]]`},
		{rows, "", without("age", `"Age":31`), 422, `null is a missing value, and the field \"Age\" is no column`},
		{rows, "", without("age", `"age":NaN`), 400, `byte 8 of the body: want null for a missing value, not \"NaN,`},
		{rows + "?why=1&why=0", "", goodVisit, 400, "the parameter why 2 times: give one"},
		{rows, csv, "31;70\n", 400, `no column of the table is one of the model, whose first is \"age\": the table's is \"31;70\" (CSV has`},
		{"/invocations", csv, "age,weight,plan,code,note,day\n1,2,a,3,b,2024-01-01\n", 400, "the first line of the body has the names of the columns: send text/csv; header=present"},
		{infer, "", tensors("age", "FP32", "[1]", `["x"]`), 400, `want a value of the datatype FP32, not the text \"x\"`},
		{rows, "", without("age", `"age":"old"`), 422, `want a number, not \"old\"`},
		{rows, "", without("age", `"age":1e999`), 422, "the number 1e999 is beyond the range"},
		{rows, "", without("age", `"age":"1e400"`), 422, "the number 1e400 is beyond the range"},
		{rows, "", without("age", `"age":"-inf"`), 422, "the number -inf is beyond the range"},
		{rows, "", without("age", `"age":[1]`), 422, "want one value, not an object or an array"},
		{rows, "", without("age", `"age":{"a":[{}]}`), 422, "want one value, not an object or an array"},
		{rows, "", without("age", `"age":1,"age":1`), 422, "the field occurs twice"},
		{rows, "", without("day", `"day":"5 March"`), 422, `want a date such as`},
		{rows, "", without("note", `"note":5`), 422, "want a text, not the number 5"},
		{rows, "", "[" + strings.Repeat(goodVisit+",", 3) + goodVisit + "]", 413, "more than 3 rows"},
		{rows, "", "[" + without("age", `"age":"a"`) + "," + without("age", `"age":"b"`) + "]", 422, `{\"row\":2,\"column\":\"age\",\"detail\":\"want a number, not \\\"b\\\"\"}`},
		{rows, "", `{"age":"` + strings.Repeat("x", 5000) + `"}`, 413, "the body is larger than 4096 bytes, the limit of the server"},
		{rows, "image/png", goodVisit, 415, "Content-Type image/png is not read here: use application/json"},
		{rows, "a b", goodVisit, 415, "Content-Type"},
		{rows, "application/json; charset=latin1", goodVisit, 415, "want the charset utf-8"},
		{rows + "?reason=3", "", goodVisit, 400, "the address has no parameter reason: the nearest is reasons"},
		// the first by name, however often it is asked
		{rows + "?z=1&y=1&x=1&w=1&v=1&u=1&t=1&s=1", "", goodVisit, 400, "the address has no parameter s"},
		{rows + "?reasons=-1", "", goodVisit, 400, "reasons=-1: want a number of columns"},
		{rows + "?why=1&want=%3C", "", goodVisit, 400, "want=<: the model has the classes"},
		{rows + "?absent=no", "", goodVisit, 400, "absent=no: want refuse, missing or zero"},
		{rows + "?version=9", "", goodVisit, 404, `the model \"visits\" has no version \"9\": it has 1`},
		{rows + "?unknown=refuse", "", without("age", `"age":1,"agee":1`), 422, `the model has no such column: the nearest is \"age\"`},
		{rows, csv, "", 400, "the body is empty: send a line with the names"},
		{rows, csv, "age,age\n1,2\n", 400, `the column \"age\" occurs twice`},
		{rows, csv, "age\n1,2\n", 422, "row 1: the line has 2 fields, want 1"},
		{rows, csv, "age\n\"1\n", 400, "line 2 of the body is no CSV"},
		{rows, csv, "age,weight,plan,code,note,day\nold,1,a,3,b,2024-01-01\n", 422, `row 1, column \"age\": want a number, not \"old\"`},
		{"/v1/models/visit/predict", "", goodVisit, 404, `no model is called \"visit\": the nearest is \"visits\"`},
		{"/v1/models/visits", "", "{}", 404, "use /v1/models/visits:predict"},
		{"/v1/models/visits:train", "", "{}", 404, "use /v1/models/visits:predict, /v1/models/visits:explain"},
		{"/v1/models/visits:predict?reasons=2", "", "{}", 400, "reasons has no meaning here: POST /v1/models/visits/predict"},
		{"/v1/models/visits:explain?proba=1", "", "{}", 400, "proba has no meaning here"},
		{"/invocations?why=1", "", "{}", 400, "why has no meaning here: POST /v1/models/visits/predict"},
		{"/invocations?proba=yes", "", "{}", 400, "proba=yes: want 1 or 0"},
		{"/invocations", "", "7", 400, `byte 1 of the body: want an object, not`},
		{infer, "", `{"inputs":[{"name":7}]}`, 400, "byte 20 of the body: want a text, not"},
		{"/v1/models/visits:predict", "", "{}", 400, "the body has none of instances"},
		{"/v1/models/visits:predict", "", `{"instances":5}`, 400, "byte 14 of the body: want a list of rows"},
		{"/v1/models/visits:predict", "", `{"instances":[[1,2]]}`, 400, "the row has 2 values for 6 columns"},
		{"/v1/models/visits:explain", "", `{"instances":[7]}`, 400, `row 1: byte 15 of the body: want an object or a list of values, not \"7]`},
		{infer, "", `{"inputs":[]}`, 400, "the request has no inputs"},
		{infer, "", `{"inputs":7}`, 400, "byte 11 of the body: want an array, not"},
		{infer, "", tensors("age", "FP16", "[1]", "[1]"), 400, `FP16 is read as binary data alone`},
		{infer, "", tensors("agee", "FP64", "[1]", "[1]"), 400, `the nearest is \"age\"`},
		{infer, "", tensors("age", "FP64", "[2]", "[1]"), 400, "has 1 values, and 2 by its shape"},
		{infer, "", tensors("age", "FP64", "[1]", "[1,2]"), 400, "has 2 values, and 1 by its shape"},
		{infer, "", tensors("age", "FP64", "[9]", "[1]"), 413, "has 9 rows: the limit is 3"},
		{infer, "", tensors("age", "FP64", "[1,2]", "[1,2]"), 400, "want [n] or [n, 1]"},
		{infer, "", tensors("x", "FP64", "[1,2]", "[1,2]"), 400, "has 2 columns: the model has 6"},
		{infer, "", tensors("age", "INT8", "[1]", "[300]"), 400, "300 is no whole number of 8 bits"},
		{infer, "", tensors("age", "UINT8", "[1]", "[-1]"), 400, "-1 is no whole number of 8 bits without a sign"},
		{infer, "", tensors("age", "FP32", "[1]", "[1e39]"), 400, "1e39 is beyond the range of 32 bits"},
		{infer, "", tensors("age", "BYTES", "[1]", "[5]"), 400, "want a value of the datatype BYTES, not the number 5"},
		{infer, "", tensors("age", "FP64", "[-1]", "[5]"), 400, "no shape is [-1]"},
		{infer + "?reasons=2", "", "{}", 400, "reasons has no meaning here"},
		{infer + "?unknown=refuse", "", "{}", 400, "unknown has no meaning here"},
		{infer + "?nonsense=9", "", "{}", 400, "nonsense has no meaning here"},
		{infer + "?absent=no", "", "{}", 400, "absent=no: want refuse, missing or zero"},
		{"/v1/models/visits:predict?model=x", "", "{}", 400, "model has no meaning here"},
		{infer, "", `{"inputs":[{}]}`, 400, "byte 12 of the body: an input has a name, a shape and a datatype"},
		{infer, "", tensors("age", "FP64", "[1,1,1]", "[1]"), 400, "more than 2 dimensions: want the shape [n] or [n, k]"},
		{infer, "", tensors("age", "FP64", "[1]", `[1],"data":[1]`), 400, `the field \"data\" occurs twice`},
		{infer, "", tensors("age", "FP64", "[2]", "[[1],2]"), 400, "want values, not '[', by the shape [2]"},
		{infer, "", tensors("age", "FP64", "[2,1]", "[[1],2]"), 400, "want arrays, not '2', by the shape [2 1]"},
		{infer, "", tensors("age", "FP64", "[2,1]", "[[1,2],[]]"), 400, "it has 2 values, and 1 by its shape [2 1]"},
		{infer, "", `{"outputs":[{"name":"predict"},{"name":"predict"},{}]}`, 400, "more than 2 outputs: the model has no more"},
		{infer, "", `{"inputs":[],"id":"` + strings.Repeat("x", 4000) + `"}`, 400, "want a text of 1000 bytes at most"},
		{"/invocations", "", `{"inputs":7}`, 400, `byte 11 of the body: want a list of rows`},
		{"/invocations", "", `{"inputs":{"age":7}}`, 400, `byte 18 of the body: want an array`},
		{"/invocations", "", `{"instances":[],"inputs":[]}`, 400, "the body has instances and inputs: send one of them"},
		{"/invocations", "", `{"dataframe_split":{"data":[[1]]}}`, 400, "needs both"},
		{"/invocations", "", `{"a":` + strings.Repeat("[", 2000), 400, "JSON is read to a depth of 1000"},
		{infer, "", tensors("age", "FP64", "[]", "5"), 400, "want [n] or [n, 1]"},
		{"/v2/models/other/infer", "", "{}", 404, "no model is called"},
		{"/v2/models/visits/versions/7/infer", "", "{}", 404, "has no version"},
		{"/invocations", "", "{}", 400, "none of dataframe_split"},
		{"/invocations", "", `{"dataframe_split":{"columns":["age","age"],"data":[[1,2]]}}`, 400, "occurs twice"},
		{"/invocations", "", `{"dataframe_split":{"columns":["age"],"data":[[1,2]]}}`, 422, "2 values for 1 columns"},
		{"/invocations", "", `{"inputs":{"age":[1],"b":[1,2]}}`, 400, "not as many values"},
		{"/invocations", "application/xml", "", 415, "use application/json or text/csv"},
		{"/invocations", "text/csv; header=no", "", 400, "header=no: want present or absent"},
		{"/invocations?model=x", "", "{}", 404, "no model is called"},
		{"/nothing", "", "{}", 404, "nothing is at /nothing: /openapi.json lists"},
		{"/v2/nothing", "", "{}", 404, `{"error":"nothing is at`},
		{"/livez", "", "{}", 405, "has no method POST: use GET"},
		{"/v1/models/" + strings.Repeat("%2e%2e%2f", 8) + "etc/predict", "", "{}", 404, "no model is called"},
	} {
		status, text := post(t, web.URL+c.path, c.kind, c.body)
		want := strings.ReplaceAll(c.want, `{\"row\":2,\"column\":\"age\",\"detail\":\"want a number, not \\\"b\\\"\"}`,
			`{"row":2,"column":"age","detail":"want a number, not \"b\""}`)
		if status != c.status || !strings.Contains(text, want) {
			t.Errorf("%s %.60s: %d %s\nwant %d %s", c.path, c.body, status, text, c.status, want)
		}
		if strings.Count(strings.TrimSpace(text), "\n") > 0 {
			t.Errorf("%s: the answer has several lines: %s", c.path, text)
		}
	}
}

// TestMissingTexts: a text that means a missing value in files means it in each protocol.
func TestMissingTexts(t *testing.T) {
	web := server(t, trained(t, boosted(), "stays"), serve.Options{})
	const rows, head = "/v1/models/visits/predict", "age,weight,plan,code,note,day\n"
	of := func(kind, body string) string {
		_, text := post(t, web.URL+rows, kind, body)
		return text
	}
	null, csv := of("", without("plan", `"plan":null`)), of("text/csv", head+"31,70,,7,old cough,2024-03-05\n")
	if !strings.Contains(null, `"probabilities"`) || strings.Contains(null, `"new"`) {
		t.Fatal(null)
	}
	for _, token := range []string{"", "?", "NA", "null"} {
		if got := of("", without("plan", fmt.Sprintf(`"plan":%q`, token))); got != null {
			t.Errorf("%q is %s, want %s", token, got, null)
		}
		if got := of("text/csv", head+"31,70,"+token+",7,old cough,2024-03-05\n"); got != csv {
			t.Errorf("%q in CSV is %s, want %s", token, got, csv)
		}
		if got := of("", without("age", fmt.Sprintf(`"age":%q`, token))); !strings.Contains(got, `"probabilities"`) {
			t.Errorf("the number %q is %s", token, got)
		}
	}
}

// TestMissingInColumnsOfTexts: CSV has no empty text, and its missing texts are missing. In JSON
// null and blanks alone are.
func TestMissingInColumnsOfTexts(t *testing.T) {
	type remark struct {
		Note sql.Null[string] `coppice:"note,text"`
		Y    float64
	}
	rows := slices.Repeat([]remark{{sql.Null[string]{}, 1}, {sql.Null[string]{V: "", Valid: true}, 5},
		{sql.Null[string]{V: "good", Valid: true}, 9}}, 20)
	m, err := coppice.TrainStructs(t.Context(), cart.New(), rows, data.Label("Y"))
	if err != nil {
		t.Fatal(err)
	}
	web := server(t, m, serve.Options{})
	for _, c := range []struct{ kind, body, want string }{
		{"", `{"note":null}`, `"label":"1"`}, {"", `{"note":""}`, `"label":"5"`}, {"", `{"note":" "}`, `"label":"1"`},
		{"", `{"note":"good"}`, `"label":"9"`}, {"text/csv", "note\nNA", "\n1,"}, {"text/csv", "note\n\"\"", "\n1,"},
		{"text/csv", "note\n?", "\n1,"}, {"text/csv", "note\n\" \"", "\n1,"}, {"text/csv", "note\ngood", "\n9,"},
	} {
		if _, got := post(t, web.URL+"/v1/models/visits/predict", c.kind, c.body); !strings.Contains(got, c.want) {
			t.Errorf("%s %q: %s, want %q", c.kind, c.body, got, c.want)
		}
	}
}

// TestScoresOfAnomalies: addresses without names answer labels of anomalies, or scores.
func TestScoresOfAnomalies(t *testing.T) {
	l := isolation.New()
	l.Trees = 5
	web := server(t, trained(t, l, ""), serve.Options{})
	_, score := post(t, web.URL+"/v1/models/visits/predict", "", goodVisit)
	_, score, _ = strings.Cut(score, `"score":`)
	for _, path := range []string{"/invocations", "/v1/models/visits:predict"} {
		for of, want := range map[string]string{"": `["anomaly"]`, "?proba=1": "[[" + score[:5]} {
			if _, got := post(t, web.URL+path+of, "", `{"instances":[`+goodVisit+`]}`); !strings.Contains(got, want) {
				t.Errorf("%s%s: %s, want %s", path, of, got, want)
			}
		}
	}
}

// TestEmptyLines: an empty line of a table of one column is a row with a missing value.
func TestEmptyLines(t *testing.T) {
	web := server(t, grown(t, 0, "Z", "X"), serve.Options{})
	for body, want := range map[string]int{"1\n\n30\n": 3, "\n1\r\n\r\n30": 4, "\n\n": 2, "1\n30": 2} {
		for path, text := range map[string]string{"/v1/models/visits/predict": "Y\n" + body, "/invocations": body} {
			rows := want
			if text != body {
				rows++ // the header
			}
			if status, answer := post(t, web.URL+path, "text/csv", text); strings.Count(answer, "\n") != rows {
				t.Errorf("%s %q: %d %q, want %d lines", path, text, status, answer, rows)
			}
		}
	}
}

// TestAbsentColumns sends a row without a column, as each choice takes it: an error, a missing
// value or a zero.
func TestAbsentColumns(t *testing.T) {
	web := server(t, trained(t, boosted(), "cost"), serve.Options{})
	value := func(query, row string) float64 {
		var got answered
		status, text := post(t, web.URL+"/v1/models/visits/predict"+query, "", row)
		decoded(t, status, text, &got)
		return got.Value
	}
	for choice, same := range map[string]string{"missing": `"age":null`, "zero": `"age":0`} {
		got := value("?absent="+choice, without("age", ""))
		if want := value("", without("age", same)); got != want {
			t.Errorf("absent=%s predicts %v, want %v", choice, got, want)
		}
	}
	if value("", without("age", `"age":null`)) == value("", without("age", `"age":0`)) {
		t.Error("null and 0 predict the same here, so the test says nothing")
	}
	status, text := post(t, web.URL+"/v1/models/visits/predict?errors=row", "",
		"["+without("age", "")+","+goodVisit+"]")
	var got struct{ Predictions []answered }
	decoded(t, status, text, &got)
	if p := got.Predictions; len(p) != 2 || p[0].Error == nil || p[0].Error.Status != 422 ||
		p[1].Error != nil || p[1].Value != value("", goodVisit) {
		t.Error(text)
	}
}

// TestFlagsOfValues that training had not stand with the prediction.
func TestFlagsOfValues(t *testing.T) {
	web := server(t, trained(t, boosted(), "stays"), serve.Options{})
	var got answered
	status, text := post(t, web.URL+"/v1/models/visits/predict?id=code", "",
		without("plan", `"plan":"silver"`))
	decoded(t, status, text, &got)
	if len(got.Flags) != 1 || got.Flags[0].Column != "plan" || got.Flags[0].Kind != "new" ||
		got.ID != 7.0 {
		t.Error(text)
	}
}

// TestBusyServersAnswerSo fills the only place for streams, and asks for another.
func TestBusyServersAnswerSo(t *testing.T) {
	web := server(t, trained(t, boosted(), "stays"), serve.Options{Concurrent: 1})
	const streams = 4 // that may be open for one place
	ended := make(chan error, streams)
	var feeds []*io.PipeWriter
	for range streams {
		body, feed := io.Pipe()
		feeds = append(feeds, feed)
		go func() {
			r, err := http.Post(web.URL+"/v1/models/visits/predict", "application/x-ndjson", body)
			if err == nil {
				_, err = io.Copy(io.Discard, r.Body)
				r.Body.Close()
			}
			ended <- err
		}()
		// the first row is written once the server reads the body, so the stream is open
		for _, text := range []string{goodVisit + "\n", " "} {
			if _, err := io.WriteString(feed, text); err != nil {
				t.Fatal(err)
			}
		}
	}
	ask := func() (*http.Response, error) {
		return http.Post(web.URL+"/v1/models/visits/predict", "application/x-ndjson", strings.NewReader(goodVisit))
	}
	r, err := ask()
	for err == nil && r.StatusCode == http.StatusOK { // the transport may have read ahead
		r.Body.Close()
		r, err = ask()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusTooManyRequests || r.Header.Get("Retry-After") != "1" {
		t.Errorf("status %d, Retry-After %q", r.StatusCode, r.Header.Get("Retry-After"))
	}
	if status, _ := get(t, web.URL+"/readyz"); status != http.StatusOK {
		t.Errorf("a busy server is not ready: %d", status)
	}
	for _, feed := range feeds {
		feed.Close()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	}
}

// get requests an address.
func get(t testing.TB, url string) (int, string) {
	t.Helper()
	r, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	b, err := io.ReadAll(r.Body)
	if err != nil {
		t.Fatal(err)
	}
	return r.StatusCode, string(b)
}

// TestRequestsEndInTime has a time that is over before many rows are predicted, and a writer that
// has no deadlines.
func TestRequestsEndInTime(t *testing.T) {
	web := server(t, trained(t, boosted(), "stays"), serve.Options{Timeout: time.Nanosecond})
	for path, body := range map[string]string{
		"/v1/models/visits/predict": "[" + goodVisit + strings.Repeat(","+goodVisit, 9999) + "]",
		"/invocations":              `{"instances":[` + goodVisit + strings.Repeat(","+goodVisit, 9999) + `]}`,
	} {
		w := httptest.NewRecorder()
		web.Config.Handler.ServeHTTP(w, httptest.NewRequest(http.MethodPost, path, strings.NewReader(body)))
		status, text := w.Code, w.Body.String()
		if status != http.StatusServiceUnavailable || !strings.Contains(text, "took longer than 1ns") {
			t.Errorf("%s: %d %s", path, status, text)
		}
	}
}

// TestClientsThatLeave: logs and metrics do not count them as answered.
func TestClientsThatLeave(t *testing.T) {
	web := server(t, trained(t, boosted(), "stays"), serve.Options{})
	ctx, leave := context.WithCancel(t.Context())
	leave()
	r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/v1/models/visits/predict", strings.NewReader("["+goodVisit+"]"))
	w := httptest.NewRecorder()
	if web.Config.Handler.ServeHTTP(w, r); w.Code != 499 {
		t.Errorf("status %d", w.Code)
	}
}

func TestAccessLogHasNoValues(t *testing.T) {
	var lines bytes.Buffer
	m, err := serve.NewModel("visits", trained(t, boosted(), "stays"), serve.ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	models := serve.NewModels()
	models.Put(m)
	h := serve.AccessLog(serve.Handler(models, serve.Options{}),
		slog.New(slog.NewJSONHandler(&lines, nil)))
	r := httptest.NewRequest(http.MethodPost, "/v1/models/visits/predict?id=secret",
		strings.NewReader(without("plan", `"plan":"secret"`)))
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	text := lines.String()
	if w.Code != http.StatusOK || !strings.Contains(text, `"status":200`) ||
		!strings.Contains(text, fmt.Sprintf(`"bytes":%d`, w.Body.Len())) {
		t.Error(w.Code, text)
	}
	if strings.Contains(text, "secret") {
		t.Errorf("the log has a value: %s", text)
	}
	for _, want := range []string{`"client":"192.0.2.1"`, `"model":"visits"`, `"version":"1"`, `"rows":1}`,
		`"model_id":"` + m.ID() + `"`, `"id":"` + w.Header().Get("X-Request-Id") + `"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %s", text, want)
		}
	}
	for id, taken := range map[string]bool{"a-1.B_2": true, "": false, "a b": false, "a\"b": false,
		strings.Repeat("a", 65): false} {
		r, w := httptest.NewRequest(http.MethodGet, "/livez", http.NoBody), httptest.NewRecorder()
		r.Header.Set("X-Request-Id", id)
		lines.Reset()
		h.ServeHTTP(w, r)
		got := w.Header().Get("X-Request-Id")
		if (got == id) != taken || len(got) < 7 || !strings.Contains(lines.String(), `"id":"`+got+`"`) {
			t.Errorf("the id %q is %q in the answer, and the log has %s", id, got, &lines)
		}
	}
}

// TestModelsDescribeThemselves reads metadata and schemas.
func TestModelsDescribeThemselves(t *testing.T) {
	web := server(t, trained(t, boosted(), "stays"), serve.Options{})
	for path, want := range map[string][]string{
		"/v1/models":                         {`{"models":[{"model":"visits","version":"1","model_id":"`},
		"/v1/models/visits":                  {`"ready":true`, `"task":"binary"`, `"classes":["no","yes"]`},
		"/v1/models/visits/schema":           {`"required":["age","weight","plan","code","note","day"]`, `"examples":["basic","gold","plus"]`},
		"/v2":                                {`"name":"coppice"`, `"extensions":["binary_tensor_data"]`},
		"/v2/health/live":                    {`"live":true`},
		"/v2/health/ready":                   {`"ready":true`},
		"/v2/models/visits":                  {`{"name":"plan","shape":[-1],"datatype":"BYTES"}`, `{"name":"predict_proba","shape":[-1,2],"datatype":"FP64"}`},
		"/v2/models/visits/versions/1":       {`"versions":["1"]`},
		"/v2/models/visits/ready":            {`"ready":true`},
		"/v2/models/visits/versions/1/ready": {`"ready":true`},
		"/ping":                              {`"ready":true`},
		"/livez":                             {`"live":true`},
		"/readyz":                            {`"ready":true`},
		"/startupz":                          {`"ready":true`},
		"/openapi.json":                      {`"openapi":"3.1.0"`, `"/v1/models/visits/predict"`, `"$ref":"#/components/schemas/Row_visits"`},
	} {
		status, text := get(t, web.URL+path)
		for _, part := range want {
			if status != http.StatusOK || !strings.Contains(text, part) {
				t.Errorf("%s: %d %s\nlacks %s", path, status, text, part)
			}
		}
	}
	none := httptest.NewServer(serve.Handler(serve.NewModels(), serve.Options{}))
	defer none.Close()
	for _, path := range []string{"/readyz", "/ping", "/v2/health/ready", "/startupz"} {
		if status, _ := get(t, none.URL+path); status != http.StatusServiceUnavailable {
			t.Errorf("%s without a model: %d", path, status)
		}
	}
	if status, _ := get(t, none.URL+"/livez"); status != http.StatusOK {
		t.Errorf("/livez without a model: %d", status)
	}
}

// TestAnswersWithoutNames: proba=1 gives the probabilities of classes in the order of the model at
// each address whose answers have no names, and those of the row API.
func TestAnswersWithoutNames(t *testing.T) {
	m := trained(t, boosted(), "stays")
	web := server(t, m, serve.Options{}).URL
	var row struct{ Probabilities map[string]float64 }
	status, text := post(t, web+"/v1/models/visits/predict", "", goodVisit)
	decoded(t, status, text, &row)
	var want []string
	for _, class := range m.Spec().Classes {
		want = append(want, strconv.FormatFloat(row.Probabilities[class], 'g', -1, 64))
	}
	list := strings.Join(want, ",")
	for path, body := range map[string]string{
		"/invocations?proba=1":              `{"dataframe_records":[` + goodVisit + `]}`,
		"/v1/models/visits:predict?proba=1": `{"instances":[` + goodVisit + `]}`,
	} {
		if _, got := post(t, web+path, "", body); got != `{"predictions":[[`+list+"]]}\n" {
			t.Errorf("%s: %s, want %s", path, got, list)
		}
	}
	q := httptest.NewRequest(http.MethodPost, "/invocations", strings.NewReader(`{"instances":[`+goodVisit+`]}`))
	q.Header.Set("X-Amzn-SageMaker-Custom-Attributes", "proba=1")
	q.Header.Set("Accept", "text/csv")
	w := httptest.NewRecorder()
	server(t, m, serve.Options{}).Config.Handler.ServeHTTP(w, q)
	if got := w.Body.String(); got != list+"\n" {
		t.Errorf("SageMaker gets %s, want %s", got, list)
	}
}

// TestAccept: each address refuses a type that its answers never have, and none refuses its own.
// Who requests health gets it in any case.
func TestAccept(t *testing.T) {
	m := trained(t, boosted(), "stays")
	h := server(t, m, serve.Options{Repository: &serve.Source{}}).Config.Handler
	row, err := serve.NewModel("visits", m, serve.ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	typed, err := serve.HandlerOf[visit](row, serve.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const instances = `{"instances":[` + goodVisit + `]}`
	body := map[string]string{"/v1/models/visits/predict": goodVisit, "/v1/models/visits:predict": instances,
		"/v1/models/visits:explain": instances, "/invocations": instances, "/typed": encoded(t, visits(1, 2)[0]),
		"/v2/models/visits/infer": encoded(t, map[string]any{"inputs": inputsOf(visits(1, 2))}), "/v2/repository/index": "{}"}
	own := map[string]string{"/v1/models/visits/predict": "text/csv", "/invocations": "text/csv", "/typed": "text/csv",
		"/v2/models/visits/infer": "application/octet-stream"}
	for _, path := range []string{"/v1/models/visits/predict", "/v1/models/visits:predict", "/v1/models/visits:explain",
		"/invocations", "/typed", "/v2/models/visits/infer", "/v2/repository/index", "/v1/models", "/v1/models/visits",
		"/v1/models/visits/schema", "/v2", "/v2/models/visits", "/openapi.json", "/livez", "/ping", "/v2/health/ready"} {
		for _, accept := range []string{"image/png", "text/html, */*;q=0.8", "application/json", own[path]} {
			want, method := http.StatusOK, http.MethodGet
			if accept == "image/png" && path != "/livez" && path != "/ping" && path != "/v2/health/ready" {
				want = http.StatusNotAcceptable
			}
			if body[path] != "" {
				method = http.MethodPost
			}
			q, w := httptest.NewRequest(method, path, strings.NewReader(body[path])), httptest.NewRecorder()
			q.Header.Set("Accept", accept)
			if path == "/typed" {
				typed.ServeHTTP(w, q)
			} else {
				h.ServeHTTP(w, q)
			}
			if w.Code != want {
				t.Errorf("%s, Accept %s: %d %s, want %d", path, accept, w.Code, w.Body, want)
			}
		}
	}
}

// TestAcceptChooses: the type of an answer is the one that a request wants most, and 0 excludes.
func TestAcceptChooses(t *testing.T) {
	h := server(t, trained(t, boosted(), "stays"), serve.Options{}).Config.Handler
	const rows, table = "/v1/models/visits/predict", "[" + goodVisit + "]"
	for _, c := range []struct {
		path, body, accept string
		want               string // type; "" = 406
	}{
		{rows, goodVisit, "", "application/json"},
		{rows, goodVisit, "text/csv", "text/csv"},
		{rows, goodVisit, "TEXT/CSV", "text/csv"},
		{rows, goodVisit, "application/json, text/plain, */*", "application/json"},
		{rows, goodVisit, "application/x-ndjson", ""},
		{rows, table, "application/x-ndjson", ""},
		{rows, table, "text/csv;q=0", ""},
		{rows, table, "application/json;q=0, */*", "text/csv"},
		{rows, table, "application/json;q=0.5, text/csv;q=0.9", "text/csv"},
		{rows, table, "text/csv;q=0.5, application/json", "application/json"},
		{rows, table, "*/*;q=0.1, TEXT/*", "text/csv"},
		{"/invocations", `{"instances":` + table + "}", "Text/Csv", "text/csv"},
		{"/invocations", `{"instances":` + table + "}", "text/csv;q=0.2, application/json;q=0.1", "text/csv"},
		{"/v1/models/visits:predict", `{"instances":` + table + "}", "application/json;q=0", ""},
		{"/v1/models/visits:predict", `{"instances":` + table + "}", "application/problem+json", ""},
	} {
		q, w := httptest.NewRequest(http.MethodPost, c.path, strings.NewReader(c.body)), httptest.NewRecorder()
		q.Header.Set("Accept", c.accept)
		h.ServeHTTP(w, q)
		kind, _, _ := strings.Cut(w.Header().Get("Content-Type"), ";")
		if c.want == "" && w.Code != http.StatusNotAcceptable || c.want != "" && (w.Code != http.StatusOK || kind != c.want) {
			t.Errorf("%s %.10s, Accept %s: %d %s, want %q", c.path, c.body, c.accept, w.Code, kind, c.want)
		}
	}
}
