package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The rows of a wide table come in order, although their contributions fill two blocks of memory,
// and with their bias the contributions of each add up to its raw score.
func TestExplainWideTable(t *testing.T) {
	const rows, columns = 220, 10_000
	var table strings.Builder
	for i := range rows {
		fmt.Fprint(&table, i*5%11)
		for j := range 10 {
			fmt.Fprintf(&table, " %d:%d", j*1000+i%7, 1+i*(j+3)%11)
		}
		if i == 0 {
			fmt.Fprintf(&table, " %d:1", columns-1)
		}
		table.WriteByte('\n')
	}
	dir := t.TempDir()
	path, model := filepath.Join(dir, "t.libsvm"), filepath.Join(dir, "m.coppice")
	if err := os.WriteFile(path, []byte(table.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	works(t, "train", path, "--label", "label", "--task", "regression", "--set", "trees=3", "--set", "min_leaf=2", "-o", model)
	raw := strings.Fields(works(t, "predict", model, path, "--output", "raw"))[1:]
	lines := strings.Split(strings.TrimSpace(works(t, "explain", model, path)), "\n")[1:]
	if len(raw) != rows || len(lines) != rows {
		t.Fatalf("%d rows, %d of them explained", len(raw), len(lines))
	}
	for row, line := range lines {
		sum := 0.0
		for text := range strings.SplitSeq(line, ",") {
			if text != "0" {
				sum += number(t, text)
			}
		}
		if math.Abs(sum-number(t, raw[row])) > 1e-9 {
			t.Errorf("row %d: the contributions add up to %v, its score is %s", row, sum, raw[row])
		}
	}
}

func number(t *testing.T, text string) float64 {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return x
}
