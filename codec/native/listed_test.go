package native

import (
	"fmt"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// wide returns a model of two trees of a column with so many categories. The first has nodes with
// sets of two codes far from each other, the second a set of half of the first 640 codes.
func wide(levels, nodes int) *model.Ensemble {
	field := data.Field{Name: "key", Kind: data.Categorical}
	for i := range levels {
		field.Levels = append(field.Levels, fmt.Sprintf("%05d", i))
	}
	e := &model.Ensemble{Meta: model.Spec{Schema: data.Schema{Fields: []data.Field{field}}, Label: "y",
		Task: data.Regression, Learner: "gbm"}}
	many := make([]uint64, 10)
	for i := range many {
		many[i] = 0x5555555555555555
	}
	for i, nodes := range []int{nodes, 1} {
		b, last := tree.NewBuilder(tree.Scalar, 1, false), int32(0)
		for k := range nodes {
			set := many
			if i == 0 {
				set = make([]uint64, (levels+63)/64)
				set[k/64] |= 1 << (k % 64)
				set[len(set)-1] |= 1 << ((levels - 1) % 64)
			}
			last = b.Split(last, tree.Split{Kind: tree.SetFirst, Set: set}) + 1
			b.SetValue(last-1, []float64{float64(k)})
		}
		t, err := b.Build()
		if err != nil {
			panic(err)
		}
		e.Trees = append(e.Trees, t)
	}
	return e
}

// listed makes a draft one with lists of codes, changed by edit.
func listed(edit func(f *forest)) func(*draft) {
	return func(d *draft) {
		d.edit = func(s []section) []section {
			m := wide(640, 3)
			f, whole := newForest(m), newForest(m)
			f.listCodes(1)
			whole.listCodes(1)
			edit(f)
			at := slices.IndexFunc(s, func(s section) bool { return s.name == "trees" })
			s[at] = arraySection("trees", append(f.perTree(), whole.perNode()...))
			return s
		}
	}
}

// Large sets of few codes are stored by the codes, and come back as they were. The id of a model
// does not depend on how it is stored, and members have words.
func TestListedCodes(t *testing.T) {
	m := wide(70_000, 150)
	b := encode(t, m)
	if v := Version(le.Uint32(b[8:])); v != version1_2 {
		t.Errorf("version %s", v)
	}
	words := len(m.Trees[0].Sets) * 8
	if texts := 70_000 * 9; len(b) > texts+words/50 {
		t.Errorf("%d bytes, of which texts have %d; the words would have %d", len(b), texts, words)
	}
	got, err := decodeBytes(b)
	if err != nil {
		t.Fatal(err)
	}
	if d := codectest.Diff(m, got); d != "" {
		t.Error(d)
	}
	if idOf(t, m) != idOf(t, got) || idOf(t, m) != "f286db3b18eab914fae34ffeef4565cf" {
		t.Errorf("ids %s and %s", idOf(t, m), idOf(t, got))
	}
	c := &committee.Committee{Meta: m.Meta, Members: []model.Model{m, m}}
	if b := encode(t, c); len(b) < 2*words || Version(le.Uint32(b[8:])) != version1 {
		t.Errorf("a member takes %d bytes, its sets %d", len(b), words)
	}
	if v := Version(le.Uint32(encode(t, wide(70_000, 100))[8:])); v != version1 {
		t.Errorf("version %s where little is spared", v)
	}
}

// No more words are listed than the least limit of memory has room for, whatever the file's size.
func TestListsAreReadWithinTheLimit(t *testing.T) {
	f := &forest{}
	words := make([]uint64, mostListed/4)
	words[len(words)-1] = 1
	for range 6 {
		f.trees = append(f.trees, &tree.Tree{Sets: words})
	}
	f.listCodes(leastSpared)
	if want := []uint32{1, 1, 1, 1, 0, 0}; !slices.Equal(f.codes, want) || len(f.code) != 4 {
		t.Errorf("trees have %v codes, want %v", f.codes, want)
	}
}

func TestHostileLists(t *testing.T) {
	refuse(t, func() *model.Ensemble { return wide(640, 3) }, []damage{
		{"codes of too few trees", listed(func(f *forest) { f.codes = f.codes[:1] }), "sizes of 1 trees"},
		{"more codes than there are", listed(func(f *forest) { f.codes[0]++ }), "tree 0 has 7 codes in sets, 6 are left"},
		{"codes of nobody", listed(func(f *forest) { f.codes[0]-- }), "1 codes in sets belong to no tree"},
		{"no codes", listed(func(f *forest) { f.code = nil }), "tree 0 has 6 codes in sets, 0 are left"},
		{"sizes left out", listed(func(f *forest) { f.codes = nil }), `array "sets"`},
		{"same code twice", listed(func(f *forest) { f.code[1] = f.code[0] }), "tree 0: code 0 of its sets, after 0"},
		{"code beyond the sets", listed(func(f *forest) { f.code[5] = 3 * 640 }), "tree 0: code 1920 of its sets"},
		{"words that are not there", listed(func(f *forest) { f.words[0]-- }), "tree 0: code 1919 of its sets"},
		{"words of no set", listed(func(f *forest) { f.words[0]++ }), "sets"},
	})
}
