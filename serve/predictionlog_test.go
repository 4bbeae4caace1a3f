package serve_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/internal/outside"
	"github.com/coppice-ml/coppice/serve"
)

// loggedLine is a line of a log of visits.
type loggedLine struct {
	Time       time.Time
	ID         *string `json:"visit"`
	Model      string
	Inputs     map[string]any
	Prediction string
	Yes        float64 `json:"p_yes"`
	Flags      string
}

// TestPredictionLog: each row is logged with its id, inputs and prediction, in the file of its
// hour, by all protocols. A column of --redact is not.
func TestPredictionLog(t *testing.T) {
	now := atomic.Int64{}
	now.Store(time.Date(2026, 3, 1, 12, 30, 0, 0, time.UTC).Unix())
	defer outside.Judge(func(c outside.Call) outside.Fault {
		if c.Kind == outside.Clock {
			return outside.Fault{Time: time.Unix(now.Load(), 0)}
		}
		return outside.Fault{}
	})()
	folder := filepath.Join(t.TempDir(), "new", "log")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	before := `{"Model":"before"}` + "\n" + `{"Model":` + strings.Repeat(" ", 100_000) // a crash has cut it
	if err := os.WriteFile(filepath.Join(folder, "2026-03-01T12.jsonl"), []byte(before), 0o600); err != nil {
		t.Fatal(err)
	}
	l, err := serve.NewPredictionLog(serve.LogOptions{Folder: folder, Redact: []string{"weight"}})
	if err != nil {
		t.Fatal(err)
	}
	m := trained(t, boosted(), "stays")
	web := server(t, m, serve.Options{EachRow: l.Add, ID: "visit"})
	var first answered
	status, text := post(t, web.URL+"/v1/models/visits/predict", "",
		`{"visit":"a",`+strings.Replace(goodVisit[1:], `"basic"`, `"silver"`, 1))
	decoded(t, status, text, &first)
	now.Add(3600)
	post(t, web.URL+"/v1/models/visits/predict", "text/csv",
		"visit,age,weight,plan,code,note,day\nb,,70,gold,7,cough,2024-03-05T17:00:00Z\n")
	post(t, web.URL+"/v1/models/visits:predict", "", `{"instances":[`+goodVisit+`]}`)
	post(t, web.URL+"/v1/models/visits/predict", "", without("age", ""))                       // is refused
	post(t, web.URL+"/v1/models/visits/predict", "", "["+goodVisit+","+without("age", "")+"]") // with both rows
	if l.Close(); l.Written() != 3 || l.Lost() != 0 {
		t.Fatalf("%d rows written and %d lost, want 3", l.Written(), l.Lost())
	}
	l.Close() // does nothing
	var lines []loggedLine
	for _, name := range []string{"2026-03-01T12.jsonl", "2026-03-01T13.jsonl"} {
		b, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(strings.TrimSpace(string(b)), "\n") {
			var one loggedLine
			if err := json.Unmarshal([]byte(line), &one); err != nil {
				t.Fatal(err, line)
			}
			lines = append(lines, one)
		}
	}
	id, err := coppice.ID(m)
	if err != nil {
		t.Fatal(err)
	}
	if lines[0].Model != "before" {
		t.Errorf("%+v", lines[0])
	}
	a, b, c := lines[1], lines[2], lines[3]
	if a.Model != id || *a.ID != "a" || a.Time.Hour() != 12 || a.Prediction != first.Label ||
		a.Yes != first.Probabilities["yes"] || !strings.Contains(a.Flags, "new plan") {
		t.Errorf("%+v, want the answer %s", a, text)
	}
	for name, want := range map[string]any{"age": 31.0, "plan": serve.UnknownCategory, "code": "7",
		"day": "2024-03-05", "weight": nil, "note": nil} {
		if got, has := a.Inputs[name]; got != want || has != (want != nil) {
			t.Errorf("%s is logged as %v, want %v", name, got, want)
		}
	}
	if age, has := b.Inputs["age"]; *b.ID != "b" || b.Time.Hour() != 13 || age != nil || !has ||
		b.Inputs["day"] != "2024-03-05T17:00:00Z" {
		t.Errorf("%+v", b)
	}
	if c.ID != nil || c.Inputs["plan"] != "basic" {
		t.Errorf("%+v", c)
	}
}

// TestPredictionLogOfInferences: rows of the Open Inference Protocol have the id of the request.
func TestPredictionLogOfInferences(t *testing.T) {
	folder := t.TempDir()
	l, err := serve.NewPredictionLog(serve.LogOptions{Folder: folder, Inputs: []string{"age"}})
	if err != nil {
		t.Fatal(err)
	}
	web := server(t, trained(t, boosted(), "stays"), serve.Options{EachRow: l.Add, Absent: "missing"})
	for _, q := range []string{`"id":"r","inputs":[{"shape":[1],"data":[1]`, `"id":"s","inputs":[{"shape":[2],"data":[2,3]`,
		`"inputs":[{"shape":[1],"data":[4]`} {
		if status, text := post(t, web.URL+"/v2/models/visits/infer", "",
			"{"+q+`,"name":"age","datatype":"FP64"}]}`); status != 200 {
			t.Fatal(status, text)
		}
	}
	l.Close()
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, name := range files { // by time
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			var one struct {
				ID     string
				Inputs struct{ Age float64 }
			}
			if err := json.Unmarshal([]byte(line), &one); err != nil {
				t.Fatal(err, line)
			}
			got = append(got, fmt.Sprint(one.ID, " ", one.Inputs.Age))
		}
	}
	if want := []string{"r 1", "s/1 2", "s/2 3", " 4"}; !slices.Equal(got, want) {
		t.Errorf("logged %q, want %q", got, want)
	}
}

// TestPredictionLogOfAFullDisk: requests are answered while nothing can be written, rows that find
// no place are counted, and the error is reported once.
func TestPredictionLogOfAFullDisk(t *testing.T) {
	var full atomic.Bool
	full.Store(true)
	defer outside.Judge(func(c outside.Call) outside.Fault {
		if c.Kind == outside.Write && c.Size > 0 && full.Load() {
			return outside.Fault{Err: errors.New("the disk is full"), Bytes: 20}
		}
		return outside.Fault{}
	})()
	folder := t.TempDir()
	var reported atomic.Int64
	l, err := serve.NewPredictionLog(serve.LogOptions{Folder: folder, Inputs: []string{},
		Failed: func(error) { reported.Add(1) }})
	if err != nil {
		t.Fatal(err)
	}
	web := server(t, trained(t, boosted(), "stays"), serve.Options{EachRow: l.Add})
	for i := range int64(3) {
		if status, text := post(t, web.URL+"/v1/models/visits/predict", "", goodVisit); status != 200 {
			t.Fatal(status, text)
		}
		for l.Lost() <= i {
			time.Sleep(time.Millisecond)
		}
	}
	full.Store(false)
	post(t, web.URL+"/v1/models/visits/predict", "", goodVisit)
	if l.Close(); l.Written() != 1 || l.Lost() != 3 || reported.Load() != 1 {
		t.Errorf("%d rows written, %d lost, reported %d times", l.Written(), l.Lost(), reported.Load())
	}
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	b, err := os.ReadFile(files[len(files)-1])
	if err != nil {
		t.Fatal(err)
	}
	if !json.Valid(b) || !strings.Contains(string(b), `"inputs":{}`) {
		t.Errorf("want one line without inputs, not %s", b)
	}
}

// TestPredictionLogIsBounded: what waits for a disk that stalls has a bound, and a sample of the
// rows is one.
func TestPredictionLogIsBounded(t *testing.T) {
	l, err := serve.NewPredictionLog(serve.LogOptions{Folder: t.TempDir(), Fraction: 0.25})
	if err != nil {
		t.Fatal(err)
	}
	m := trained(t, boosted(), "stays")
	s, err := serve.NewModel("visits", m, serve.ModelOptions{})
	if err != nil {
		t.Fatal(err)
	}
	row := &serve.PredictedRow{Model: s, Row: make([]float64, len(s.Schema().Fields)),
		Response: []float64{0.5, 0.5}}
	for range 2000 {
		l.Add(row)
	}
	if l.Close(); l.Written() < 400 || l.Written() > 600 {
		t.Errorf("%d of 2000 rows are a sample of a fourth", l.Written())
	}
	stalled := make(chan struct{})
	defer outside.Judge(func(c outside.Call) outside.Fault {
		if c.Kind == outside.Create {
			<-stalled
		}
		return outside.Fault{}
	})()
	if l, err = serve.NewPredictionLog(serve.LogOptions{Folder: t.TempDir(), Queue: 8}); err != nil {
		t.Fatal(err)
	}
	for range 100 {
		l.Add(row)
	}
	if l.Lost() < 100-8-8 {
		t.Errorf("%d rows are lost", l.Lost())
	}
	close(stalled)
	if l.Close(); l.Written()+l.Lost() != 100 || l.Written() < 8 {
		t.Errorf("%d rows written and %d lost, of 100", l.Written(), l.Lost())
	}
}
