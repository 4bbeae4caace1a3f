package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/data/parquetdata"
)

// A log names the model by its id, whatever --threshold is. As JSON lines and as Parquet it has the
// same rows, with the inputs of the same random ones.
func TestLogNamesTheModel(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	table := at("t.csv")
	if err := os.WriteFile(table, []byte(people), 0o644); err != nil {
		t.Fatal(err)
	}
	works(t, "train", table, "--label", "member", "--ignore", "id", "--learner", "cart", "-o", at("m.coppice"))
	m, err := coppice.Open(at("m.coppice"))
	if err != nil {
		t.Fatal(err)
	}
	id, err := coppice.ID(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, log := range []string{"l.jsonl", "l.parquet"} {
		works(t, "predict", at("m.coppice"), table, "--threshold", "0.2", "--log", at(log), "--log-share", "0.5", "--keep", "id", "-o", at("p.csv"))
	}
	f, err := parquetdata.Open(data.ReadOptions{}, at("l.parquet")).Frame(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	lines, err := os.ReadFile(at("l.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	text := func(name string, row int) string {
		c := f.Schema.Index(name)
		if f.IsMissing(row, c) {
			return ""
		}
		return f.Schema.Fields[c].Levels[f.Columns[c].Code(row)]
	}
	row, sampled := 0, 0
	for s := bufio.NewScanner(strings.NewReader(string(lines))); s.Scan(); row++ {
		var line struct {
			ID, Model, Prediction string
			Inputs                *struct{ Age float64 }
		}
		if err := json.Unmarshal(s.Bytes(), &line); err != nil {
			t.Fatal(err)
		}
		age := f.Schema.Index("input.age")
		if line.Model != id || text("model", row) != id || text("prediction", row) != line.Prediction ||
			(line.Inputs == nil) != f.IsMissing(row, age) {
			t.Errorf("row %d: %s, want id %s; in Parquet %s, %s", row, s.Text(), id, text("model", row), text("prediction", row))
		}
		if line.Inputs != nil {
			sampled++
			if line.Inputs.Age != f.Columns[age].Number(row) {
				t.Errorf("row %d: age %v, in Parquet %v", row, line.Inputs.Age, f.Columns[age].Number(row))
			}
		}
	}
	if row != f.Rows() || row != 6 || sampled == 0 || sampled == 6 {
		t.Errorf("%d rows, %d in Parquet, %d with inputs", row, f.Rows(), sampled)
	}
}
