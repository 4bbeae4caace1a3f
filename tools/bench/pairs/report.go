//go:build linux

package pairs

import (
	"fmt"
	"slices"
	"strings"
)

// Column is a column of a report: its title, and its text for one side's results beside those of
// the first side.
type Column struct {
	Title string
	Text  func(own, first []Result) string
}

// Fact is the median of a fact.
func Fact(title, name, format string) Column {
	return Column{title, func(own, _ []Result) string {
		return fmt.Sprintf(format, Median(own, func(r Result) float64 { return r.Facts[name] }))
	}}
}

// PrintTable prints the medians of all sides as a table in Markdown, and their versions.
func PrintTable(sides []Side, results [][]Result, columns ...Column) {
	titles := []string{"side"}
	for _, c := range columns {
		titles = append(titles, c.Title)
	}
	fmt.Printf("| %s |\n|---|%s\n", strings.Join(titles, " | "),
		strings.Repeat("--:|", len(columns)))
	var versions []string
	for i, s := range sides {
		cells := []string{s.Name}
		for _, c := range columns {
			cells = append(cells, c.Text(results[i], results[0]))
		}
		fmt.Printf("| %s |\n", strings.Join(cells, " | "))
		if v := results[i][0].Version; !slices.Contains(versions, v) {
			versions = append(versions, v)
		}
	}
	fmt.Printf("\nMedians of %d rounds. %s.\n", len(results[0]), strings.Join(versions, "; "))
}
