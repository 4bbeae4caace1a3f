//go:build linux

package main

import (
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

// seconds is the median of a time.
func seconds(name string, of func(pairs.Result) float64) pairs.Column {
	return pairs.Column{Title: name + " s",
		Text: func(own, _ []pairs.Result) string {
			return fmt.Sprintf("%.3f",
				pairs.Median(own, of))
		}}
}

// beyondTable is the median of the memory beyond that of the table, which programs hold as numbers
// of different sizes.
func beyondTable() pairs.Column {
	return pairs.Column{Title: "peak beyond the table MB",
		Text: func(own, _ []pairs.Result) string {
			return fmt.Sprintf("%.0f", pairs.Median(own,
				func(r pairs.Result) float64 { return r.Facts["peak"] - r.Facts["loaded"] }))
		}}
}

// times is the median of the ratios of a figure, round by round, with their range.
func times(name string, of func(pairs.Result) float64) pairs.Column {
	return pairs.Column{Title: name + ", times ours", Text: func(own, first []pairs.Result) string {
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
