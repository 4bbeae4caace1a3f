//go:build linux

package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// column is a column of a report: its title, and its text for one side's results beside those of the first side.
type column struct {
	title string
	text  func(own, first []pairs.Result) string
}

// seconds is the median of a time.
func seconds(name string, of func(pairs.Result) float64) column {
	return column{name + " s", func(own, _ []pairs.Result) string { return fmt.Sprintf("%.3f", pairs.Median(own, of)) }}
}

// times is the median of the ratios of a figure, round by round, with their range.
func times(name string, of func(pairs.Result) float64) column {
	return column{name + ", times ours", func(own, first []pairs.Result) string {
		if &own[0] == &first[0] {
			return "1"
		}
		median, low, high := ratio(own, first, of)
		return fmt.Sprintf("%.2f (%.2f-%.2f)", median, low, high)
	}}
}

// ratio returns the median and the range of the ratios of a figure, a's to b's, round by round.
func ratio(a, b []pairs.Result, of func(pairs.Result) float64) (median, low, high float64) {
	all := make([]float64, len(a))
	for k := range all {
		all[k] = of(a[k]) / of(b[k])
	}
	slices.Sort(all)
	return all[len(all)/2], all[0], all[len(all)-1]
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
		if v := results[i][0].Version; !slices.Contains(versions, v) {
			versions = append(versions, v)
		}
	}
	fmt.Printf("\nMedians of %d rounds. %s.\n", len(results[0]), strings.Join(versions, "; "))
}
