//go:build linux

package main

import (
	"fmt"

	"github.com/coppice-ml/coppice/tools/bench/pairs"
)

func seconds() pairs.Column {
	return pairs.Column{Title: "seconds", Text: func(own, _ []pairs.Result) string {
		return fmt.Sprintf("%.3f",
			pairs.Median(own, func(r pairs.Result) float64 { return r.Seconds }))
	}}
}

// times is the median of the ratios of seconds, round by round, with their range.
func times() pairs.Column {
	return pairs.Column{Title: "times ours (range)", Text: func(own, first []pairs.Result) string {
		median, low, high := pairs.Ratio(own, first)
		if low == 1 && high == 1 {
			return "1"
		}
		return fmt.Sprintf("%.2f (%.2f-%.2f)", median, low, high)
	}}
}
