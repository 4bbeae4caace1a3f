//go:build linux

package accuracy

import (
	"fmt"
	"math"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// report prints, for each metric, what the sets come to for each side; and set by set its mean and
// its paired differences from the first side. Rounds count in which all sides are there.
func (b *bench) report(problems []*problem) error {
	fmt.Printf("%s, %s, threads: %d. Errors are error rates or, for numbers, roots of mean squared "+
		"errors over the label's standard deviation.\n", pairs.Version(), pairs.Machine(), b.Threads[0])
	for _, m := range b.missing {
		fmt.Printf("\n%s: missing (%s)\n", m.text, m.why)
	}
	for _, m := range measures() {
		b.reportBy(problems, m)
	}
	b.reportRatios(problems)
	if b.against != "" {
		if err := b.reportChanges(b.against, problems); err != nil {
			return err
		}
	}
	if b.board == "" {
		return nil
	}
	return b.writeBoard(b.board, problems)
}

// values returns the values of a metric of each side in the complete rounds of a set, and the means
// of their times.
func (b *bench) values(p *problem, m measure) (values [][]float64, cpu []float64) {
	values, cpu = make([][]float64, len(b.sides)), make([]float64, len(b.sides))
	for i := range p.rounds {
		cells := make([]*cell, len(b.sides))
		whole := true
		for j := range b.sides {
			cells[j] = b.read(p, i, &b.sides[j])
			whole = whole && cells[j] != nil && m.of(cells[j]) != nil
		}
		for j, c := range cells {
			if whole {
				values[j] = append(values[j], *m.of(c))
				cpu[j] += c.CPU
			}
		}
	}
	return values, cpu
}

// total is what the sets come to for a side.
type total struct {
	ranks, relative []float64
	better, worse   int     // sets with a difference of more than two standard errors
	time            float64 // sum of logarithms of ratios to the first side's
}

func (b *bench) reportBy(problems []*problem, m measure) {
	totals := make([]total, len(b.sides))
	var lines [][]string
	for _, p := range problems {
		values, cpu := b.values(p, m)
		if len(values[0]) == 0 {
			continue
		}
		means := make([]float64, len(values))
		for j, v := range values {
			means[j], _ = pairs.Moments(v)
		}
		line := []string{p.name, fmt.Sprintf("%d x %d", p.Rows(), len(p.Columns)),
			fmt.Sprint(len(values[0])), fmt.Sprintf("%.4f", means[0])}
		for j, v := range values {
			d := make([]float64, len(v))
			for k := range d {
				d[k] = v[k] - values[0][k]
			}
			by := pairs.IntervalOf(d)
			if j > 0 {
				line = append(line, fmt.Sprintf("%.4f", means[j]), by.String())
			}
			totals[j].add(by, means, j, cpu[j]/cpu[0])
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return
	}
	fmt.Printf("\n## By %s, %d sets\n\n", m.name, len(lines))
	head := []string{"set", "rows x columns", "rounds", b.sides[0].text}
	var rows [][]string
	for j, t := range totals {
		rank, relative := pairs.IntervalOf(t.ranks), pairs.IntervalOf(t.relative)
		rows = append(rows, []string{b.sides[j].text, rank.Text("%.2f", "%.2f"),
			relative.Text("%+.2f", "%.2f"),
			fmt.Sprintf("%+.2f", pairs.Middle(t.relative)), fmt.Sprint(t.better), fmt.Sprint(t.worse),
			fmt.Sprintf("%.2f", math.Exp(t.time/float64(len(lines))))})
		if j > 0 {
			head = append(head, b.sides[j].text, "- the first, 95 %")
		}
	}
	pairs.Markdown([]string{"side", "mean rank", "against the first, %", "median, %",
		"better by two standard errors", "worse", "time / the first's"}, rows)
	fmt.Println()
	pairs.Markdown(head, lines)
}

// add adds a set: the difference from the first side, the means of all sides, and a ratio of times.
func (t *total) add(by pairs.Interval, means []float64, own int, time float64) {
	rank := 1.0
	for k, other := range means {
		switch {
		case k != own && other < means[own]:
			rank++
		case k != own && other == means[own]:
			rank += 0.5
		}
	}
	t.ranks = append(t.ranks, rank)
	if means[0] > 0 {
		t.relative = append(t.relative, 100*(means[own]/means[0]-1))
	}
	if by.Mean < -2*by.SE {
		t.better++
	}
	if by.Mean > 2*by.SE {
		t.worse++
	}
	t.time += math.Log(time)
}
