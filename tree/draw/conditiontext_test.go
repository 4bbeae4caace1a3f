package draw

import (
	"math"
	"testing"
	"time"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/tree"
)

func TestCondition(t *testing.T) {
	digits := []string{"0", "1", "2", "3", "4", "5", "6", "7", "8", "9"}
	field := func(levels ...string) data.Field {
		return data.Field{Name: "job", Kind: data.Categorical, Levels: levels}
	}
	strict := func(f data.Field) data.Field {
		f.Missing, f.Unseen = data.Refuse, data.Refuse
		return f
	}
	num := data.Field{Name: "age"}
	first := data.DateOf(time.Date(2024, 1, 1, 0, 0, 0, 0, time.UTC))
	days := data.Field{Name: "the day.days", From: &data.DatePart{Source: "the day", Part: data.Days, Origin: first}}
	withTime := data.Field{Name: "day.days", From: &data.DatePart{Source: "day", Part: data.Days, Origin: first + 3600e6}}
	month := data.Field{Name: "day.month", From: &data.DatePart{Source: "day", Part: data.Month}}
	twenty := append(append([]string{}, digits...), "a", "b", "c", "d", "e", "f", "g", "h", "i", "j")
	for _, c := range []struct {
		name        string
		field       data.Field
		split       tree.Split
		heavy       int // the child with more weight
		first, last string
	}{
		{"split point", num, tree.Split{Kind: tree.Numeric, SplitPoint: 2.45}, 0, "age <= 2.45", "age > 2.45"},
		{"six digits", num, tree.Split{Kind: tree.Numeric, SplitPoint: 2.4500000476837}, 0, "age <= 2.45", "age > 2.45"},
		{"missing to the lighter", num, tree.Split{Kind: tree.Numeric, SplitPoint: 3}, 1, "age <= 3 or missing", "age > 3"},
		{"missing to the lighter last", num, tree.Split{Kind: tree.Numeric, SplitPoint: 3, Missing: tree.MissingLast}, 0, "age <= 3", "age > 3 or missing"},
		{"missing to the heavier", num, tree.Split{Kind: tree.Numeric, SplitPoint: 3, Missing: tree.MissingLast}, 1, "age <= 3", "age > 3"},
		{"missing refused", strict(num), tree.Split{Kind: tree.Numeric, SplitPoint: 3}, 1, "age <= 3", "age > 3"},
		{"known or missing", num, tree.Split{Kind: tree.Numeric, SplitPoint: math.Inf(1), Missing: tree.MissingLast}, 0, "age known", "age missing"},
		{"below infinity", num, tree.Split{Kind: tree.Numeric, SplitPoint: math.Inf(1)}, 0, "age <= inf", "age > inf"},
		{"days", days, tree.Split{Kind: tree.Numeric, SplitPoint: 59.5}, 0, "the day <= 2024-02-29", "the day > 2024-02-29"},
		{"days with a time", withTime, tree.Split{Kind: tree.Numeric, SplitPoint: 59.5}, 0, "day <= 2024-02-29T13:00:00Z", "day > 2024-02-29T13:00:00Z"},
		{"days known", days, tree.Split{Kind: tree.Numeric, SplitPoint: math.Inf(1), Missing: tree.MissingLast}, 0, "the day known", "the day missing"},
		{"months", month, tree.Split{Kind: tree.Numeric, SplitPoint: 6.5}, 0, "day.month <= 6.5", "day.month > 6.5"},
		{"name to quote", data.Field{Name: "a\x1b[31m"}, tree.Split{Kind: tree.Numeric, SplitPoint: 1}, 0, `"a\x1b[31m" <= 1`, `"a\x1b[31m" > 1`},
		{"one level", field("a", "b", "c"), tree.Split{Kind: tree.SetFirst, Set: set(1)}, 0, "job = b", "job != b"},
		{"one level last", field("a", "b", "c"), tree.Split{Kind: tree.SetLast, Set: set(1)}, 0, "job != b", "job = b"},
		{"complement", strict(field("a", "b", "c")), tree.Split{Kind: tree.SetFirst, Set: set(0, 2)}, 0, "job != b", "job = b"},
		{"complement and unseen", field("a", "b", "c"), tree.Split{Kind: tree.SetFirst, Set: set(0, 2)}, 0, "job != b", "job = b or unseen"},
		{"both", field("a", "b", "c"), tree.Split{Kind: tree.SetLast, Set: set(0, 2)}, 1, "job = b or unseen or missing", "job != b"},
		{"half", field("a", "b"), tree.Split{Kind: tree.SetFirst, Set: set(0)}, 0, "job = a", "job != a"},
		{"quoted levels", field("x, y", "", "b", "c", "d"), tree.Split{Kind: tree.SetFirst, Set: set(0, 1)}, 0, `job in {"x, y", ""}`, `job not in {"x, y", ""}`},
		{"nine of twenty", field(twenty...), tree.Split{Kind: tree.SetFirst, Set: set(0, 1, 2, 3, 4, 5, 6, 7, 8)}, 0,
			"job in {0, 1, 2, 3, 4, 5, 6, 7, 8}", "job not in {0, 1, 2, 3, 4, 5, 6, 7, 8}"},
		{"ten of twenty", field(twenty...), tree.Split{Kind: tree.SetFirst, Set: set(0, 1, 2, 3, 4, 5, 6, 7, 8, 9)}, 0,
			"job in {0, 1, 2, 3, 4, 5, 6, 7, +2 more}", "job not in {0, 1, 2, 3, 4, 5, 6, 7, +2 more}"},
		{"no level", field("a", "b"), tree.Split{Kind: tree.SetFirst, Set: nil}, 0, "job in {}", "job not in {}"},
		{"all levels", field("a", "b"), tree.Split{Kind: tree.SetFirst, Set: set(0, 1)}, 0, "job in {a, b}", "job not in {a, b}"},
		{"no dictionary", field(), tree.Split{Kind: tree.SetFirst, Set: set(3, 65)}, 0, "job in {#3, #65}", "job not in {#3, #65}"},
	} {
		b := tree.NewBuilder(tree.Scalar, 1, true)
		child := b.Split(0, c.split)
		b.SetStats(child+int32(c.heavy), 10, 10, 0)
		b.SetStats(child+1-int32(c.heavy), 5, 5, 0)
		built := build(t, b)
		names := Names{Schema: &data.Schema{Fields: []data.Field{c.field}}}
		if first, last := Condition(built, 0, 1, names), Condition(built, 0, 2, names); first != c.first || last != c.last {
			t.Errorf("%s:\n got %q, %q\nwant %q, %q", c.name, first, last, c.first, c.last)
		}
	}
}

// Without statistics the heavier child is unknown, and the first counts as the usual one.
func TestConditionWithoutStatistics(t *testing.T) {
	s := boosted(t)
	for child, want := range map[int32]string{1: "f0 <= -0.5", 2: "f0 > -0.5 or missing"} {
		if got := Condition(s.tree, 0, child, s.names); got != want {
			t.Errorf("child %d: %q, want %q", child, got, want)
		}
	}
}
