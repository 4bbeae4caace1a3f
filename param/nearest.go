package param

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
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
// They are values of one parameter, of which help has the same list.
// what names their kind.
func Unknown(what, name string, names []string) error {
	if near := Nearest(name, names); near != "" {
		return fmt.Errorf("there is no %s %q: did you mean %q?", what, name, near)
	}
	return fmt.Errorf("there is no %s %q: want %s", what, name, strings.Join(names, "|"))
}

// Meant is what an error about an unknown name ends with, behind a separator: which name is near,
// or that a table without names has columns f0, f1 and so on; "" if neither is so.
func Meant(separator, name string, names []string) string {
	numbered := len(names) > 0
	for i, n := range names {
		numbered = numbered && n == "f"+strconv.Itoa(i)
	}
	if numbered {
		return fmt.Sprintf(": the file has no names of columns, which are called f0 to f%d", len(names)-1)
	}
	if near := Nearest(name, names); near != "" {
		return fmt.Sprintf("%sdid you mean %q?", separator, near)
	}
	return ""
}

// fewNames is up to how many names an error lists; of more it suggests the three that are nearest.
const fewNames = 8

// Suggest is what an error about an unknown name ends with: which name is near, else all names if
// they are few, else the three that have most in common with it.
func Suggest(name string, names []string) string {
	if near := Nearest(name, names); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return fewOrNearest(name, names)
}

// fewOrNearest lists names if they are few, else the three that a name has most in common with.
func fewOrNearest(name string, names []string) string {
	if len(names) <= fewNames {
		return "use " + strings.Join(names, ", ")
	}
	return "the nearest are " + strings.Join(nearestThree(name, names), ", ")
}

// longName is the most letters of a name that are compared.
const longName = 64

// nearestThree returns the names that have the largest common part with a name: words that both
// have count most, then letters.
func nearestThree(name string, names []string) []string {
	name = strings.ToLower(name[:min(len(name), longName)])
	words := strings.FieldsFunc(name, between)
	far := func(c string) int {
		c = strings.ToLower(c)
		common := 0
		for _, w := range strings.FieldsFunc(c, between) {
			if slices.Contains(words, w) {
				common += len(w)
			}
		}
		return distance(name, c, 2*longName) - 2*longName*common
	}
	near := slices.Clone(names)
	slices.SortStableFunc(near, func(a, b string) int { return cmp.Compare(far(a), far(b)) })
	return near[:min(3, len(near))]
}

// between reports whether a letter separates words of a name.
func between(r rune) bool { return r == '_' || r == '-' || r == '.' }
