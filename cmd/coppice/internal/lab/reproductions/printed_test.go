package reproductions

import (
	"fmt"
	"strings"
)

// Printed returns docs/printed.md: a row for each number that a source prints, with its verdict, in
// the order of the table. The pages are those of Pages.
func Printed(pages map[string]string) string {
	kinds := []string{"found", better, early, misprint, differs, beside}
	counts, total := map[string]int{}, 0
	var rows strings.Builder
	for _, row := range Table() {
		for _, cells := range printedClaims(pages[row.Name]) {
			kind, _, _ := strings.Cut(cells[4], ":")
			switch kind {
			case same, near:
				kind = kinds[0]
			case worse:
				kind = differs
			}
			counts[kind]++
			total++
			printed, memory := strings.CutSuffix(cells[1], memoryMark)
			digits := map[bool]string{false: "source", true: "memory"}[memory]
			if printed == string(unknown) {
				digits = none
			}
			fmt.Fprintf(&rows, "| [%s](lab/%s) | %s | %s | %s | %s | %s | %s |\n", row.Name,
				row.PageFile(), cells[0], printed, digits, cells[2], cells[3], cells[4])
		}
	}
	var b strings.Builder
	b.WriteString(`# Every printed number

The numbers that textbooks and lectures print of trees and ensembles, each beside ours. ` + "`coppice lab\nNAME`" +
		` computes a row again, and its page names the source. Numbers of golf are printed by textbooks
alone; the [courses](courses.md) have the others. What is not found again has its proof or its
reason on [a page of its own](errata.md).

The column *digits* shows where the printed digits are from: a copy or a list of the *source*, or
*memory*, where no copy was at hand. The latter may themselves be wrong.

- *found*: the same by the digits that are printed, or within two standard errors;
- *better*: ours is a smaller error or a larger margin, which is not the printed number;
- *rounded early*: the source computes with numbers that it rounded before, as shown;
- *misprint*: the source's own formula contradicts it;
- *differs*: neither;
- *cannot be compared*: a setting, which is no result, or a number whose digits are not known here,
  printed as ?. Ours stands beside it.

`)
	b.WriteString("| verdict | numbers |\n|---|--:|\n")
	for _, kind := range kinds {
		if counts[kind] > 0 {
			fmt.Fprintf(&b, "| %s | %d |\n", kind, counts[kind])
		}
	}
	fmt.Fprintf(&b, "| all | %d |\n\n", total)
	b.WriteString("| lab | number | printed | digits | by formula | ours | verdict |\n" +
		"|---|---|---|---|---|---|---|\n")
	b.WriteString(rows.String())
	return b.String()
}

// printedClaims returns the rows of a page's claims whose number is published: what, published, by
// formula, ours, verdict.
func printedClaims(page string) (all [][]string) {
	claims := false
	for line := range strings.SplitSeq(page, "\n") {
		cells := strings.Split(strings.Trim(line, "| "), " | ")
		switch {
		case strings.HasPrefix(line, "|  | published | by formula |"):
			claims = true
		case !strings.HasPrefix(line, "|"):
			claims = false
		case claims && len(cells) == 5 && cells[1] != none:
			all = append(all, cells)
		}
	}
	return all
}
