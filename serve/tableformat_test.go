package serve_test

import (
	"bytes"
	"context"
	"net/http"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/arrowdata"
	"github.com/coppice-ml/coppice/data/csvdata"
	"github.com/coppice-ml/coppice/serve"
)

const arrowType = "application/vnd.apache.arrow.stream"

// arrow reads and writes Arrow as the command serve does.
var arrow = serve.TableFormat{Type: arrowType, Write: arrowdata.Write,
	Read: func(ctx context.Context, body []byte) (*data.Frame, error) { return readArrow(ctx, body) }}

func readArrow(ctx context.Context, body []byte) (*data.Frame, error) {
	return arrowdata.Open(data.ReadOptions{Bytes: map[string][]byte{"body": body}}, "body").Frame(ctx)
}

// TestArrow: rows in Arrow are predicted as Predictor predicts them, and the answer has the columns
// of CSV.
func TestArrow(t *testing.T) {
	rows := visits(70, 6)
	f, err := data.FromStructs(rows)
	if err != nil {
		t.Fatal(err)
	}
	var body bytes.Buffer
	if err := arrowdata.Write(&body, f); err != nil {
		t.Fatal(err)
	}
	for _, label := range []string{"stays", "cost"} {
		m := trained(t, boosted(), label)
		p, err := coppice.NewPredictor[visit](m)
		if err != nil {
			t.Fatal(err)
		}
		web := server(t, m, serve.Options{Tables: []serve.TableFormat{arrow}})
		address := web.URL + "/v1/models/visits/predict?id=cost&reasons=2"
		status, answer := post(t, address, arrowType, body.String())
		if status != http.StatusOK {
			t.Fatal(answer)
		}
		got, err := readArrow(t.Context(), []byte(answer))
		if err != nil {
			t.Fatal(err)
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address, bytes.NewReader(body.Bytes()))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", arrowType)
		r.Header.Set("Accept", "text/csv")
		a, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer a.Body.Close()
		table, err := csvdata.Open(csvdata.Options{ReadOptions: data.ReadOptions{Stdin: a.Body}}, "-").Frame(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if got.Rows() != len(rows) || strings.Join(got.Schema.Names(), " ") != strings.Join(table.Schema.Names(), " ") {
			t.Fatalf("%d rows of %v, want %v", got.Rows(), got.Schema.Names(), table.Schema.Names())
		}
		for i := range rows {
			want, err := p.Predict(rows[i])
			if err != nil {
				t.Fatal(err)
			}
			at := got.Schema.Index("prediction")
			column := &got.Columns[at]
			if label == "cost" && column.Number(i) != want.Value ||
				label == "stays" && got.Schema.Fields[at].Levels[column.Code(i)] != want.Class {
				t.Errorf("row %d: want %v %s", i+1, want.Value, want.Class)
			}
		}
	}
	web := server(t, trained(t, boosted(), "stays"), serve.Options{Tables: []serve.TableFormat{arrow}, MaxRows: 50})
	for text, want := range map[string]string{"ARROW1 no": "the body is no application", body.String(): "more than 50 rows"} {
		status, answer := post(t, web.URL+"/v1/models/visits/predict", arrowType, text)
		if status >= http.StatusInternalServerError || !strings.Contains(answer, want) {
			t.Errorf("status %d: %s, want %s", status, answer, want)
		}
	}
}
