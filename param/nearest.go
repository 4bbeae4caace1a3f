package param

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Nearest returns the candidate that a misspelt name most likely meant, "" if none is near. Near is
// an edit distance (insertions, deletions, substitutions and swaps of adjacent letters, without
// regard to case). It may be at most a third of the name's length, at least 1, and 0 for one
// letter. Failing that, it is a candidate that contains the name or is contained in it, such as
// depth for max_depth. The first of equally near candidates wins.
func Nearest(name string, candidates []string) string {
	folded := strings.ToLower(name)
	limit := max(1, utf8.RuneCountInString(folded)/3)
	if utf8.RuneCountInString(folded) < 2 {
		limit = 0 // any other letter is one change away
	}
	best, least := "", limit+1
	for _, c := range candidates {
		if d := distance(folded, strings.ToLower(c), least); d < least {
			best, least = c, d
		}
	}
	if best != "" || len(folded) < 3 {
		return best
	}
	for _, c := range candidates {
		l := strings.ToLower(c)
		if len(l) >= 3 && (strings.Contains(l, folded) || strings.Contains(folded, l)) &&
			len(l) > len(best) {
			best = c
		}
	}
	return best
}

// distance returns the optimal string alignment distance of a and b, or limit if that is not
// smaller. Texts that differ by limit or more in length are not compared, so that long input costs
// nothing.
func distance(a, b string, limit int) int {
	x, y := []rune(a), []rune(b)
	if d := len(x) - len(y); d >= limit || -d >= limit {
		return limit
	}
	// row[k][j] is the distance of x[:i-k] and y[:j]: three rows reach back far enough for a swap.
	var row [3][]int
	for k := range row {
		row[k] = make([]int, len(y)+1)
	}
	for j := range row[0] {
		row[0][j] = j
	}
	for i := 1; i <= len(x); i++ {
		row[0], row[1], row[2] = row[2], row[0], row[1]
		row[0][0] = i
		for j := 1; j <= len(y); j++ {
			change := 1
			if x[i-1] == y[j-1] {
				change = 0
			}
			d := min(row[1][j]+1, row[0][j-1]+1, row[1][j-1]+change)
			if i > 1 && j > 1 && x[i-1] == y[j-2] && x[i-2] == y[j-1] {
				d = min(d, row[2][j-2]+1)
			}
			row[0][j] = d
		}
	}
	return min(row[0][len(y)], limit)
}

// Unknown is the error of a name that is none of some: it suggests the nearest, or lists them all.
// what names their kind.
func Unknown(what, name string, names []string) error {
	if near := Nearest(name, names); near != "" {
		return fmt.Errorf("there is no %s %q: did you mean %q?", what, name, near)
	}
	return fmt.Errorf("there is no %s %q: want %s", what, name, strings.Join(names, "|"))
}
