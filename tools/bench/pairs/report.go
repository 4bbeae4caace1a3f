//go:build linux

package pairs

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Column is a column of a report: its title, and its text for one side's results beside those of
// the first side.
type Column struct {
	Title string
	Text  func(own, first []Result) string
}

// Wall is the seconds that are compared.
func Wall(r Result) float64 { return r.Seconds }

// FactOf selects a fact, NaN where there is none.
func FactOf(name string) func(Result) float64 {
	return func(r Result) float64 {
		if v, ok := r.Facts[name]; ok {
			return v
		}
		return math.NaN()
	}
}

// Figure is the median of a figure; what no side has is empty.
func Figure(title, format string, of func(Result) float64) Column {
	return Column{title, func(own, _ []Result) string {
		if v := Median(own, of); !math.IsNaN(v) {
			return fmt.Sprintf(format, v)
		}
		return ""
	}}
}

// Fact is the median of a fact.
func Fact(title, name, format string) Column { return Figure(title, format, FactOf(name)) }

// Seconds is the median of the seconds that are compared.
func Seconds() Column { return Figure("seconds", "%.3f", Wall) }

// Times is the median of the ratios of a figure to ours, round by round, with their range.
func Times(title string, of func(Result) float64) Column {
	return Column{title, func(own, first []Result) string {
		if &own[0] == &first[0] {
			return "1"
		}
		median, low, high := Ratio(own, first, of)
		return fmt.Sprintf("%.2f (%.2f-%.2f)", median, low, high)
	}}
}

// TimesOurs is Times of the seconds that are compared.
func TimesOurs() Column { return Times("times ours (range)", Wall) }

// Peak is the median of the most memory of the whole process.
func Peak() Column {
	return Figure("peak MB", "%.0f", func(r Result) float64 { return r.Peak })
}

// PrintTable prints the medians of all sides as a table in Markdown, and below it their versions
// and the machine.
func PrintTable(sides []Side, results [][]Result, columns ...Column) {
	head, rows, versions := []string{"side"}, [][]string{}, []string{}
	for _, c := range columns {
		head = append(head, c.Title)
	}
	for i, s := range sides {
		cells := []string{s.Name}
		for _, c := range columns {
			cells = append(cells, c.Text(results[i], results[0]))
		}
		rows = append(rows, cells)
		if v := results[i][0].Version; !slices.Contains(versions, v) {
			versions = append(versions, v)
		}
	}
	Markdown(head, rows)
	PrintNote(len(results[0]), versions)
}

// PrintNote prints what a report was measured with.
func PrintNote(rounds int, versions []string) {
	fmt.Printf("\nMedians of %d rounds. %s. %s.\n", rounds, strings.Join(versions, "; "), Machine())
}

// Markdown prints a table. Columns whose cells of the first row are empty or begin with a digit or
// a sign stand to the right.
func Markdown(head []string, rows [][]string) {
	line := func(cells []string) {
		for _, c := range cells {
			fmt.Printf("| %s ", strings.ReplaceAll(c, "|", `\|`))
		}
		fmt.Println("|")
	}
	line(head)
	fmt.Print("|")
	for i := range head {
		rule := "---|"
		if len(rows) > 0 && (rows[0][i] == "" || strings.ContainsAny(rows[0][i][:1], "0123456789+-")) {
			rule = "--:|"
		}
		fmt.Print(rule)
	}
	fmt.Println()
	for _, cells := range rows {
		line(cells)
	}
}
