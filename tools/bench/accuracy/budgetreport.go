//go:build linux

package main

import (
	"fmt"
	"math"
	"slices"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// budgetMetric is a metric of cells; lower is better.
type budgetMetric struct {
	name string
	of   func(c *cell) *float64
}

func budgetMetrics() []budgetMetric {
	return []budgetMetric{
		{"error", func(c *cell) *float64 { return &c.Main }},
		{"log loss", func(c *cell) *float64 { return c.Log }},
		{"1 - AUC", func(c *cell) *float64 {
			if c.AUC == nil {
				return nil
			}
			v := 1 - *c.AUC
			return &v
		}},
	}
}

// reportBudgets prints, for each metric, the mean rank of each side, its error relative to the
// default's with its interval over the sets, and its time; and the means of each set. Rounds count
// in which all sides are there.
func (b *bench) reportBudgets(problems []*problem) error {
	var sides []string
	for _, s := range budgetSides() {
		if len(b.sides) > 0 && !slices.Contains(b.sides, s.name) {
			continue
		}
		sides = append(sides, s.name)
	}
	for _, m := range budgetMetrics() {
		b.reportBudget(problems, sides, m)
	}
	return nil
}

// median returns the middle of some values.
func median(values []float64) float64 {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	n := len(sorted)
	if n == 0 {
		return math.NaN()
	}
	return (sorted[(n-1)/2] + sorted[n/2]) / 2
}

// means returns the mean of a metric and of the time of each side over the complete rounds of a
// set; no rounds: nil.
func (b *bench) means(p *problem, sides []string, m budgetMetric) (values, cpu []float64, rounds int) {
	values, cpu = make([]float64, len(sides)), make([]float64, len(sides))
	for i := range p.rounds {
		cells := make([]*cell, len(sides))
		whole := true
		for j, s := range sides {
			cells[j] = b.read(p, i, s)
			whole = whole && cells[j] != nil && m.of(cells[j]) != nil
		}
		if !whole {
			continue
		}
		rounds++
		for j, c := range cells {
			values[j] += *m.of(c)
			cpu[j] += c.CPU
		}
	}
	for j := range values {
		values[j] /= float64(rounds)
		cpu[j] /= float64(rounds)
	}
	return values, cpu, rounds
}

func (b *bench) reportBudget(problems []*problem, sides []string, m budgetMetric) {
	ranks, relative := make([][]float64, len(sides)), make([][]float64, len(sides))
	times := make([]float64, len(sides))
	var table [][]float64
	var names []string
	for _, p := range problems {
		values, cpu, rounds := b.means(p, sides, m)
		if rounds == 0 {
			continue
		}
		table, names = append(table, values), append(names, fmt.Sprintf("%s (%d)", p.name, rounds))
		for j, v := range values {
			rank := 1.0
			for k, other := range values {
				switch {
				case k != j && other < v:
					rank++
				case k != j && other == v:
					rank += 0.5
				}
			}
			ranks[j] = append(ranks[j], rank)
			if values[0] > 0 {
				relative[j] = append(relative[j], 100*(v/values[0]-1))
			}
			times[j] += math.Log(cpu[j] / cpu[0])
		}
	}
	if len(table) == 0 {
		return
	}
	fmt.Printf("\n## By %s, %d sets\n\n| side | mean rank | against the default, %% | median, %% | "+
		"time / default's |\n|---|--:|--:|--:|--:|\n", m.name, len(table))
	for j, s := range sides {
		i, rank := pairs.IntervalOf(relative[j]), pairs.IntervalOf(ranks[j])
		fmt.Printf("| %s | %.2f ± %.2f | %+.2f ± %.2f | %+.2f | %.2f |\n", s, rank.Mean, rank.Half,
			i.Mean, i.Half, median(relative[j]), math.Exp(times[j]/float64(len(table))))
	}
	fmt.Printf("\n| set (rounds) |")
	for _, s := range sides {
		fmt.Printf(" %s |", s)
	}
	fmt.Printf("\n|---|")
	for range sides {
		fmt.Print("--:|")
	}
	fmt.Println()
	for i, values := range table {
		fmt.Printf("| %s |", names[i])
		for _, v := range values {
			fmt.Printf(" %.4f |", v)
		}
		fmt.Println()
	}
}
