//go:build linux

package main

import (
	"fmt"
	"strings"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// column is a column of a report: its title, and its text for one side's results beside those of the first side.
type column struct {
	title string
	text  func(own, first []pairs.Result) string
}

func seconds() column {
	return column{"seconds", func(own, _ []pairs.Result) string {
		return fmt.Sprintf("%.3f", pairs.Median(own, func(r pairs.Result) float64 { return r.Seconds }))
	}}
}

// times is the median of the ratios of seconds, round by round, with their range.
func times() column {
	return column{"times ours (range)", func(own, first []pairs.Result) string {
		median, low, high := pairs.Ratio(own, first)
		if low == 1 && high == 1 {
			return "1"
		}
		return fmt.Sprintf("%.2f (%.2f-%.2f)", median, low, high)
	}}
}

// fact is the median of a fact.
func fact(title, name, format string) column {
	return column{title, func(own, _ []pairs.Result) string {
		return fmt.Sprintf(format, pairs.Median(own, func(r pairs.Result) float64 { return r.Facts[name] }))
	}}
}

// printTable prints the medians of all sides as a table in Markdown, and their versions.
func printTable(sides []pairs.Side, results [][]pairs.Result, columns ...column) {
	titles := []string{"side"}
	for _, c := range columns {
		titles = append(titles, c.title)
	}
	fmt.Printf("| %s |\n|---|%s\n", strings.Join(titles, " | "), strings.Repeat("--:|", len(columns)))
	var versions []string
	for i, s := range sides {
		cells := []string{s.Name}
		for _, c := range columns {
			cells = append(cells, c.text(results[i], results[0]))
		}
		fmt.Printf("| %s |\n", strings.Join(cells, " | "))
		versions = append(versions, results[i][0].Version)
	}
	fmt.Printf("\nMedians of %d rounds. %s.\n", len(results[0]), strings.Join(unique(versions), "; "))
}

// unique drops texts that came before.
func unique(texts []string) []string {
	var kept []string
	seen := map[string]bool{}
	for _, t := range texts {
		if !seen[t] {
			kept = append(kept, t)
		}
		seen[t] = true
	}
	return kept
}
