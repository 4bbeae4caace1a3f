package formats_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// clientNumber is a number that is a text in JSON where JSON has no such number.
type clientNumber float64

func (n *clientNumber) UnmarshalJSON(b []byte) error {
	x, err := strconv.ParseFloat(strings.Trim(string(b), `"`), 64)
	*n = clientNumber(x)
	return err
}

// scoredByClient is what another tool predicts by a file that was written for it.
type scoredByClient struct {
	Client, Format, SHA256 string
	Slack                  float64
	Scores                 [][]clientNumber
	Labels                 []string
}

// TestScoredByClients compares models, and what is read of the files that are written of them, with
// what the tools predict by these files. tools/clients -freeze makes testdata/clients: it has the
// tools themselves. Rows are at split points and one unit beside, with missing and new categories.
func TestScoredByClients(t *testing.T) {
	paths, err := filepath.Glob("testdata/clients/*.json")
	if err != nil || len(paths) < 12 {
		t.Fatalf("%d cases, %v", len(paths), err)
	}
	for _, path := range paths {
		name := strings.TrimSuffix(path, ".json")
		t.Run(filepath.Base(name), func(t *testing.T) {
			m, _, err := formats.Open(name+".coppice", codec.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			var c struct {
				Rows   [][]clientNumber
				Scored []scoredByClient
			}
			if err := json.Unmarshal(b, &c); err != nil {
				t.Fatal(err)
			}
			for _, s := range c.Scored {
				s.check(t, m, c.Rows)
			}
		})
	}
}

// check writes a model for a client and compares what is predicted.
func (s *scoredByClient) check(t *testing.T, m model.Model, rows [][]clientNumber) {
	t.Helper()
	f := formats.ByName(s.Format)
	var file bytes.Buffer
	if err := f.Encode(&file, m); err != nil {
		t.Fatal(err)
	}
	if sum := sha256.Sum256(file.Bytes()); hex.EncodeToString(sum[:]) != s.SHA256 {
		t.Errorf("%s: the file differs from the one that %s predicted by: run tools/clients with -freeze",
			s.Format, s.Client)
	}
	again, err := f.Decode(bytes.NewReader(file.Bytes()), int64(file.Len()), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for what, one := range map[string]model.Model{"the model": m, "its file": again} {
		p := bindBoth(t, one, &m.Spec().Schema)
		for i := range rows {
			row, exact := clientRow(&m.Spec().Schema, rows[i])
			if exact || one == again || f.Name == "lightgbm" {
				s.compare(t, what, p, row, i)
			}
		}
	}
}

// clientRow returns a row as predictors take it, and whether single precision holds its numbers.
func clientRow(schema *data.Schema, values []clientNumber) (row []float64, exact bool) {
	row, exact = make([]float64, len(values)), true
	for c, x := range values {
		row[c] = float64(x)
		numeric := schema.Fields[c].Kind == data.Numeric && !math.IsNaN(row[c])
		exact = exact && !(numeric && float64(float32(x)) != row[c])
	}
	return row, exact
}

// bound is a model that predicts responses and labels.
type bound struct {
	*model.Spec
	response, label model.Predictor
}

func bindBoth(t *testing.T, m model.Model, schema *data.Schema) *bound {
	t.Helper()
	b := &bound{Spec: m.Spec()}
	var err error
	if b.response, err = m.Bind(schema, model.Options{Output: model.Response}); err == nil {
		b.label, err = m.Bind(schema, model.Options{Output: model.Label})
	}
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// compare compares scores and labels of row i.
func (s *scoredByClient) compare(t *testing.T, what string, p *bound, row []float64, i int) {
	t.Helper()
	got, label := make([]float64, p.response.Width()), make([]float64, p.label.Width())
	if err := p.response.PredictRow(got, row); err != nil {
		t.Fatal(err)
	}
	if err := p.label.PredictRow(label, row); err != nil {
		t.Fatal(err)
	}
	want := s.Scores[i]
	for k, w := range want {
		own := got[len(got)-len(want)+k] // of two classes the second may be alone
		if d := math.Abs(own-float64(w)) / max(1, math.Abs(own)); !(d <= s.Slack) {
			t.Fatalf("%s row %d: %s predicts %v, %s %v", s.Format, i, what, got, s.Client, want)
		}
	}
	if s.Labels == nil || !p.Task.Classes() {
		return
	}
	name := p.Classes[int(label[0])]
	sorted := slices.Sorted(slices.Values(got))
	tie := sorted[len(sorted)-1] - sorted[len(sorted)-2]
	if name != s.Labels[i] && (tie == 0 || tie > s.Slack) {
		t.Fatalf("%s row %d: %s labels %q, %s %q; scores %v", s.Format, i, what, name, s.Client, s.Labels[i], got)
	}
}
