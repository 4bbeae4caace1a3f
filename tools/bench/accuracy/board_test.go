//go:build linux

package accuracy

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// A board is read as it was written, and a figure has changed where both differ by the splits that
// they share.
func TestBoard(t *testing.T) {
	columns := numberColumns(4, 1, func(row, _ int) float64 { return float64(row) })
	ds, err := datasetOf(columns, nil, []string{"a", "b", "a", "b"})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{Run: &pairs.Run{Dir: t.TempDir(), Threads: []int{1}},
		sides: []side{{text: "gbm"}, {text: "lightgbm"}}, missing: []missing{{"xgboost", "no module"}}}
	p := &problem{Dataset: ds, name: "four rows", rounds: make([]round, 2), digest: "0123456789"}
	logs := 0.5
	put := func(round int, s *side, wrong float64) {
		c := cell{score: score{Error: wrong, ErrorSE: 0.1, Log: &logs, LogSE: 0.01}, CPU: 2, Detail: "3\ttrees"}
		if err := b.write(p, round, s, c); err != nil {
			t.Fatal(err)
		}
	}
	for i, wrong := range []float64{0.25, 0.75} {
		put(i, &b.sides[0], wrong)
		put(i, &b.sides[1], 0.5)
	}
	path := filepath.Join(t.TempDir(), "board.tsv")
	if err := b.writeBoard(path, []*problem{p}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"\nfour rows\t4\t1\t01234567\t1\tgbm\t0.75\t0.1\t0.5\t0.01\t\t\t\t\t2.00\t3 trees\n",
		"\n*\t\t\t\t\txgboost\t\t\t\t\t\t\t\t\t\tmissing: no module\n"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("the board has no line %q:\n%s", want, text)
		}
	}
	earlier, err := readBoard(path)
	if err != nil {
		t.Fatal(err)
	}
	now := [][]string{boardLine(p, 0, "gbm", &cell{score: score{Error: 0.5, ErrorSE: 0.1}, CPU: 4}),
		boardLine(p, 0, "lightgbm", &cell{}), boardLine(p, 5, "gbm", &cell{})}
	got := changes(earlier, now, "gbm")
	want := change{"four rows", "error", 0.25, 0.5, math.Hypot(0.1, 0.1), 1, 2, 4}
	if len(got) != 1 || got[0] != want {
		t.Errorf("changes are %+v, want %+v", got, want)
	}
}

// The first lines of other files and short lines are refused by their place.
func TestReadBoardRefuses(t *testing.T) {
	for text, want := range map[string]string{"a\tb\n": "first line",
		strings.Join(boardHead, "\t") + "\nx\ty\n": "line 2: 2 values"} {
		path := filepath.Join(t.TempDir(), "board.tsv")
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := readBoard(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: error %v, want %q", text, err, want)
		}
	}
}

// Of two bins one is surer than right by 0.4 in two rows, the other less sure by 0.3 in one.
func TestCalibrationError(t *testing.T) {
	got := calibrationError([]float64{0.9, 0.9, 0.7}, []bool{true, false, true})
	if want := (2*0.4 + 0.3) / 3; math.Abs(got-want) > 1e-12 {
		t.Errorf("%v, want %v", got, want)
	}
}

// The scores of four rows by hand: one of them is wrong.
func TestScoreClasses(t *testing.T) {
	columns := numberColumns(4, 1, func(row, _ int) float64 { return float64(row) })
	ds, err := datasetOf(columns, nil, []string{"a", "a", "b", "b"})
	if err != nil {
		t.Fatal(err)
	}
	p := &problem{Dataset: ds}
	s, err := p.score([]int32{0, 1, 2, 3}, []float64{0.8, 0.2, 0.4, 0.6, 0.3, 0.7, 0.1, 0.9})
	if err != nil {
		t.Fatal(err)
	}
	logs := -(math.Log(0.8) + math.Log(0.4) + math.Log(0.7) + math.Log(0.9)) / 4
	brier := 2 * (0.2*0.2 + 0.6*0.6 + 0.3*0.3 + 0.1*0.1) / 4
	for _, c := range []struct {
		name      string
		got, want float64
	}{{"error", s.Error, 0.25}, {"its error", s.ErrorSE, math.Sqrt(0.25 * 0.75 / 4)}, {"log loss", *s.Log, logs},
		{"Brier score", *s.Brier, brier}, {"AUC", *s.AUC, 1}, {"average precision", *s.Precision, 1},
		{"ECE", *s.ECE, (0.2 + 0.6 + 0.3 + 0.1) / 4}} {
		if math.Abs(c.got-c.want) > 1e-12 {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
}
