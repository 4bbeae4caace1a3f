package lightgbm_test

import (
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/lightgbm"
)

// words repeats a word n times.
func words(word string, n int) string { return strings.TrimSpace(strings.Repeat(word+" ", n)) }

// chain returns the lines of a tree of n leaves, each inner node with a leaf and the next one.
func chain(n int, decision, threshold string) string {
	var left, right []string
	for i := range n - 1 {
		left, right = append(left, fmt.Sprint(^i)), append(right, fmt.Sprint(i+1))
	}
	right[n-2] = fmt.Sprint(^(n - 1))
	return fmt.Sprintf("num_leaves=%d\nsplit_feature=%s\nthreshold=%s\ndecision_type=%s\n"+
		"left_child=%s\nright_child=%s\nleaf_value=%s\n", n, words("0", n-1), words(threshold, n-1),
		words(decision, n-1), strings.Join(left, " "), strings.Join(right, " "), words("1", n))
}

// Files that are small for the memory that they need are refused before they get it, whatever the
// limit.
func TestMemoryIsLimited(t *testing.T) {
	const n = 20_000
	head := func(columns int, names, infos string) string {
		return fmt.Sprintf("tree\nversion=v4\nnum_class=1\nmax_feature_idx=%d\nfeature_names=%s\n"+
			"feature_infos=%s\n\n", columns-1, names, infos)
	}
	var names strings.Builder
	for i := range n {
		fmt.Fprintf(&names, "%x ", i)
	}
	list := func(item string) string { return "[" + strings.Repeat(item+",", n) + item + "]" }
	dump := func(more string) string {
		return `{"version":"v4","max_feature_idx":0,"num_tree_per_iteration":1,` + more + `}`
	}
	leaf := `{"num_leaves":1,"tree_structure":{"leaf_value":1}}`
	files := map[string]string{
		"columns": head(n, strings.TrimSpace(names.String()), words("1", n)),
		"trees":   head(1, "a", "none") + strings.Repeat("Tree=0\nnum_leaves=1\nnum_cat=0\nleaf_value=1\n\n", n),
		"nodes":   head(1, "a", "none") + "Tree=0\nnum_cat=0\n" + chain(n, "2", "1"),
		"sets": head(1, "a", "none") + "Tree=0\n" + chain(n, "1", "0") +
			"num_cat=1\ncat_boundaries=0 64\ncat_threshold=" + words("1", 64) + "\n",
		"codes": head(1, "a", "0:60000") + "Tree=0\nnum_leaves=1\nnum_cat=0\nleaf_value=1\n",
		"equations": head(1, "a", "none") + "Tree=0\nnum_cat=0\n" + chain(n, "2", "1") +
			"is_linear=1\nleaf_const=" + words("1", n) + "\nnum_features=" + words("1", n) +
			"\nleaf_features=" + words("0", n) + "\nleaf_coeff=" + words("1", n) + "\n",
		"frame":          head(1, "a", "0:1") + "pandas_categorical:" + list("[]"),
		"frame levels":   head(1, "a", "0:1") + "pandas_categorical:[" + list("1") + "]",
		"dump columns":   dump(`"feature_names":` + list(`""`)),
		"dump trees":     dump(`"tree_info":` + list(leaf)),
		"dump keys":      dump(strings.Repeat(`"":0,`, n) + `"":0`),
		"dump nesting":   dump(`"a":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000)),
		"dump infos":     dump(`"feature_infos":{"a":{"values":` + list("1") + `}}`),
		"dump equations": dump(`"tree_info":[{"num_leaves":1,"tree_structure":{"leaf_value":1,"leaf_const":1,"leaf_features":` + list("0") + `,"leaf_coeff":` + list("0") + `}}]`),
	}
	for name, text := range files {
		f := lightgbm.Format()
		if strings.HasPrefix(name, "dump") {
			f = lightgbm.FormatJSON()
		}
		size := int64(len(text))
		for _, limit := range []int64{size / 2, 2 * size, 8 * size, 32 * size, 128 * size, 1024 * size} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			_, err := f.Decode(strings.NewReader(text), size, codec.Limits{Memory: limit})
			runtime.ReadMemStats(&after)
			used := int64(after.TotalAlloc - before.TotalAlloc)
			if slack := int64(1 << 16); used > limit+slack {
				t.Errorf("%s: a file of %d bytes used %d, the limit was %d (%v)", name, size, used, limit, err)
			}
			tooMuch := (*codec.LimitError)(nil)
			if limit < size && !errors.As(err, &tooMuch) {
				t.Errorf("%s: with half its size: %v", name, err)
			}
		}
	}
}

// A set of a large code makes a level of that code alone, whatever the set's length.
func TestWideSets(t *testing.T) {
	const most = 1 << 20
	text := "tree\nversion=v4\nnum_class=1\nmax_feature_idx=0\nfeature_names=a\nfeature_infos=none\n\n" +
		"Tree=0\nnum_leaves=2\nsplit_feature=0\nthreshold=0\ndecision_type=1\nleft_child=-1\n" +
		"right_child=-2\nleaf_value=1 2\nnum_cat=1\n" +
		fmt.Sprintf("cat_boundaries=0 %d\ncat_threshold=%s 1\n\n", most/32+1, words("0", most/32))
	m, err := lightgbm.Format().Decode(strings.NewReader(text), int64(len(text)), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	if levels := m.Spec().Schema.Fields[0].Levels; !slices.Equal(levels, []string{fmt.Sprint(most)}) {
		t.Errorf("levels %q, want %d", levels, most)
	}
}
