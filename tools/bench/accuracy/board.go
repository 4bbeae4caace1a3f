//go:build linux

package accuracy

import (
	"bufio"
	"cmp"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// boardHead are the columns of a board: a line for each table, split and side. rows_hash tells
// whether two boards are of the same rows; a value that a table does not have is empty.
var boardHead = []string{"table", "rows", "columns", "rows_hash", "split", "side", "error",
	"error_se", "logloss", "logloss_se", "auc", "average_precision", "brier", "ece", "cpu_seconds",
	"chosen"}

// writeBoard writes all cells to a file of values between tabs, ordered by table, split and side. A
// side that is missing has a line of its own, with the reason.
func (b *bench) writeBoard(path string, problems []*problem) error {
	lines := []string{strings.Join(boardHead, "\t")}
	for _, p := range problems {
		for i := range p.rounds {
			for k := range b.sides {
				if c := b.read(p, i, &b.sides[k]); c != nil {
					lines = append(lines, strings.Join(boardLine(p, i, b.sides[k].text, c), "\t"))
				}
			}
		}
	}
	for _, m := range b.missing {
		line := make([]string, len(boardHead))
		line[0], line[5], line[len(line)-1] = "*", m.text, "missing: "+m.why
		lines = append(lines, strings.Join(line, "\t"))
	}
	return os.WriteFile(path, []byte(strings.Join(lines, "\n")+"\n"), 0o644)
}

func boardLine(p *problem, round int, side string, c *cell) []string {
	number := func(v float64) string { return strconv.FormatFloat(v, 'g', 6, 64) }
	known := func(v *float64) string {
		if v == nil {
			return ""
		}
		return number(*v)
	}
	logSE := ""
	if c.Log != nil {
		logSE = number(c.LogSE)
	}
	return []string{p.name, fmt.Sprint(p.Rows()), fmt.Sprint(len(p.Columns)), p.digest[:8],
		fmt.Sprint(round), side, number(c.Error), number(c.ErrorSE), known(c.Log), logSE, known(c.AUC),
		known(c.Precision), known(c.Brier), known(c.ECE), strconv.FormatFloat(c.CPU, 'f', 2, 64),
		strings.Join(strings.Fields(c.Detail), " ")}
}

// boardKey is a line of a board without its figures.
type boardKey struct{ table, hash, split, side string }

// readBoard reads a board that writeBoard wrote.
func readBoard(path string) (map[boardKey][]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Scan()
	if lines.Text() != strings.Join(boardHead, "\t") {
		return nil, fmt.Errorf("%s: the first line is not that of a board: want %s", path,
			strings.Join(boardHead, ", "))
	}
	board := map[boardKey][]string{}
	for n := 2; lines.Scan(); n++ {
		v := strings.Split(lines.Text(), "\t")
		if len(v) != len(boardHead) {
			return nil, fmt.Errorf("%s: line %d: %d values, want %d", path, n, len(v), len(boardHead))
		}
		board[boardKey{v[0], v[3], v[4], v[5]}] = v
	}
	return board, lines.Err()
}

// change is what a table's figure was on an earlier board and is now, means over the splits that
// both have. se is that of the difference if both boards were independent. They share the test
// rows, so the true one is smaller.
type change struct {
	table, metric    string
	before, now, se  float64
	splits           int
	secondsBefore, s float64
}

// changes compares a side with the same side of an earlier board, by error and by log loss.
func changes(earlier map[boardKey][]string, now [][]string, side string) []change {
	var all []change
	for _, line := range now {
		was := earlier[boardKey{line[0], line[3], line[4], line[5]}]
		if was == nil || line[5] != side {
			continue
		}
		for _, at := range []int{6, 8} {
			if line[at] == "" || was[at] == "" {
				continue
			}
			i := slices.IndexFunc(all, func(c change) bool {
				return c.table == line[0] && c.metric == boardHead[at]
			})
			if i < 0 {
				i = len(all)
				all = append(all, change{table: line[0], metric: boardHead[at]})
			}
			value := func(of []string, column int) float64 {
				v, _ := strconv.ParseFloat(of[column], 64)
				return v
			}
			c := &all[i]
			c.splits++
			c.before += value(was, at)
			c.now += value(line, at)
			c.se = math.Hypot(c.se, math.Hypot(value(was, at+1), value(line, at+1)))
			c.secondsBefore += value(was, 14)
			c.s += value(line, 14)
		}
	}
	for i := range all {
		c := &all[i]
		n := float64(c.splits)
		c.before, c.now, c.se = c.before/n, c.now/n, c.se/n
	}
	return all
}

// reportChanges prints what changed for the first side since an earlier board, the worst first.
func (b *bench) reportChanges(path string, problems []*problem) error {
	earlier, err := readBoard(path)
	if err != nil {
		return err
	}
	var now [][]string
	for _, p := range problems {
		for i := range p.rounds {
			if c := b.read(p, i, &b.sides[0]); c != nil {
				now = append(now, boardLine(p, i, b.sides[0].text, c))
			}
		}
	}
	all := changes(earlier, now, b.sides[0].text)
	if len(all) == 0 {
		return fmt.Errorf("%s: no line of %q is of the same rows", path, b.sides[0].text)
	}
	slices.SortStableFunc(all, func(x, y change) int {
		return cmp.Compare((y.now-y.before)/max(y.se, 1e-300), (x.now-x.before)/max(x.se, 1e-300))
	})
	var rows [][]string
	worse, better := 0, 0
	for _, c := range all {
		verdict := "within"
		switch d := c.now - c.before; {
		case d > 2*c.se:
			verdict, worse = "WORSE", worse+1
		case d < -2*c.se:
			verdict, better = "better", better+1
		}
		rows = append(rows, []string{c.table, c.metric, fmt.Sprint(c.splits),
			fmt.Sprintf("%.4f", c.before), fmt.Sprintf("%.4f", c.now), fmt.Sprintf("%.4f", 2*c.se), verdict,
			fmt.Sprintf("%.2f", c.s/max(c.secondsBefore, 1e-9))})
	}
	fmt.Printf("\n## Since %s: of %d figures %d are worse and %d better by two standard errors\n\n", path,
		len(all), worse, better)
	pairs.Markdown([]string{"table", "by", "splits", "before", "now", "two standard errors", "verdict",
		"time / before"}, rows)
	return nil
}
