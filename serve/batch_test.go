package serve_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	_ "github.com/coppice-ml/coppice/internal/testing/tier" // collects garbage more rarely
	"github.com/coppice-ml/coppice/serve"
)

// TestBatchesOfManyBlocks: rows of several blocks are predicted as each alone, in their order, and
// a wrong row of one is named, or answered by its error.
func TestBatchesOfManyBlocks(t *testing.T) {
	m := trained(t, boosted(), "stays")
	p, err := coppice.NewPredictor[visit](m)
	if err != nil {
		t.Fatal(err)
	}
	rows := visits(2100, 4)
	texts := make([]string, len(rows))
	for i := range rows {
		texts[i] = encoded(t, rows[i])
	}
	web := server(t, m, serve.Options{})
	address := web.URL + "/v1/models/visits/predict"
	wrong := map[int]bool{2: true, 1500: true}
	ask := func(query, kind, body string) []answered {
		status, text := post(t, address+query, kind, body)
		if kind == "application/x-ndjson" {
			text = `{"predictions":[` + strings.ReplaceAll(strings.TrimSpace(text), "\n", ",") + "]}"
		}
		var got struct{ Predictions []answered }
		decoded(t, status, text, &got)
		return got.Predictions
	}
	compare := func(got []answered, wrong map[int]bool) {
		t.Helper()
		if len(got) != len(rows) {
			t.Fatalf("%d predictions, want %d", len(got), len(rows))
		}
		for i, g := range got {
			if (g.Error != nil) != wrong[i] {
				t.Fatalf("row %d: error %v", i+1, g.Error)
			}
			if wrong[i] {
				if want := fmt.Sprintf("row %d, column \"age\"", i+1); !strings.Contains(g.Error.Detail, want) {
					t.Errorf("row %d: %s, want %s", i+1, g.Error.Detail, want)
				}
				continue
			}
			want, err := p.Predict(rows[i])
			if err != nil {
				t.Fatal(err)
			}
			check(t, g, want)
		}
	}
	compare(ask("", "", "["+strings.Join(texts, ",")+"]"), nil)
	compare(ask("", "application/x-ndjson", strings.Join(texts, "\n")), nil)
	for i := range wrong {
		var fields map[string]any
		if err := json.Unmarshal([]byte(texts[i]), &fields); err != nil {
			t.Fatal(err)
		}
		fields["age"] = "old"
		texts[i] = encoded(t, fields)
	}
	body := "[" + strings.Join(texts, ",") + "]"
	compare(ask("?errors=row", "", body), wrong)
	compare(ask("", "application/x-ndjson", strings.Join(texts, "\n")), wrong)
	status, text := post(t, address, "", body)
	if status != http.StatusUnprocessableEntity || !strings.Contains(text, `"row":3,`) ||
		!strings.Contains(text, `"row":1501,`) {
		t.Errorf("status %d: %s", status, text)
	}
}
