package lightgbm

import (
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// farFile is a file whose first column has categories up to 12800000, and whose second lists 3,
// 90000 and 5 and tests 5 alone. The column d is numeric. Trees share no sets but with share.
func farFile(share bool) string {
	set := func(codes ...int) (words []string) {
		for _, code := range codes {
			for len(words) <= code/32 {
				words = append(words, "0")
			}
			var word uint32
			fmt.Sscan(words[code/32], &word)
			words[code/32] = fmt.Sprint(word | 1<<(code%32))
		}
		return words
	}
	first, second := set(3, 70000, 12800000), set(5)
	at := fmt.Sprintf("0 %d %d", len(first), len(first)+len(second))
	thresholds := "0 1 0.5"
	if share {
		thresholds = "0 0 0.5"
	}
	return "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx=2\n" +
		"objective=regression\nfeature_names=a b d\nfeature_infos=none -1:3:90000:5 [0:1]\n" +
		"\nTree=0\nnum_leaves=4\nnum_cat=2\nsplit_feature=0 1 2\nthreshold=" + thresholds + "\n" +
		"decision_type=9 9 8\nleft_child=1 -1 -3\nright_child=2 -2 -4\nleaf_value=1 2 4 8\nis_linear=0\n" +
		"cat_boundaries=" + at + "\ncat_threshold=" + strings.Join(append(first, second...), " ") + "\n\n" +
		"end of trees\n\nparameters:\n[categorical_feature: 0,1]\n\nend of parameters\n\npandas_categorical:null\n"
}

// wantFar is what the file predicts of codes.
func wantFar(a, b, d float64, share bool) float64 {
	first, second := a == 3 || a == 70000 || a == 12800000, b == 5
	if share {
		second = b == 3
	}
	switch {
	case first && second:
		return 1
	case first:
		return 2
	case d <= 0.5:
		return 4
	}
	return 8
}

// Codes that are far apart have levels for those alone that the file has. Tables of numbers and of
// texts mean the same codes by them, and so does the file that is written of the model.
func TestFarCodes(t *testing.T) {
	for _, share := range []bool{false, true} {
		text := farFile(share)
		e := mustDecode(t, text)
		fields := e.Meta.Schema.Fields
		second := []string{"3", "5", "90000"}
		if share {
			second = []string{"3", "5", "70000", "90000", "12800000"}
		}
		if !slices.Equal(fields[0].Levels, []string{"3", "70000", "12800000"}) || !slices.Equal(fields[1].Levels, second) ||
			fields[0].Format != data.CodeLevels || fields[1].Format != data.CodeLevels || fields[2].Kind != data.Numeric {
			t.Fatalf("fields %+v", fields)
		}
		again := mustDecode(t, rewrite(t, text))
		numbers := data.Schema{Fields: []data.Field{{Name: "a"}, {Name: "b"}, {Name: "d"}}}
		for _, m := range []*model.Ensemble{e, again} {
			p, err := m.Bind(&numbers, model.Options{Output: model.Response})
			if err != nil {
				t.Fatal(err)
			}
			for _, a := range []float64{3, 0, -1, 70000, 70001, 12800000, 12800000.5, 1e12, math.NaN()} {
				for _, b := range []float64{5, 3, 90000, 6, math.NaN()} {
					for _, d := range []float64{0, 1} {
						got := make([]float64, 1)
						if err := p.PredictRow(got, []float64{a, b, d}); err != nil {
							t.Fatal(err)
						}
						if want := wantFar(math.Trunc(a), b, d, share); got[0] != want {
							t.Errorf("%v %v %v: %v, want %v", a, b, d, got[0], want)
						}
					}
				}
			}
		}
		ref, err := referenceOfText(strings.NewReader(text), int64(len(text)), codec.Limits{})
		if err != nil {
			t.Fatal(err)
		}
		raw := make([]float64, 1)
		if ref.Raw(raw, []float64{2, 1, 1}); raw[0] != wantFar(12800000, 5, 1, share) {
			t.Errorf("the file predicts %v", raw[0])
		}
	}
}

// Every code up to 65536 has a level. Where one is above it, in a list or in a split, the codes of
// the column that the file has are its levels.
func TestMostCodes(t *testing.T) {
	text := func(listed string, tested int) string {
		words := slices.Repeat([]string{"0"}, tested/32+1)
		words[tested/32] = fmt.Sprint(1 << (tested % 32))
		file := strings.Replace(headed(""), "[0:1] none", listed+" none", 1) + one(1, "0")
		return strings.Replace(file, "num_cat=0", fmt.Sprintf("num_cat=1\ncat_boundaries=0 %d\ncat_threshold=%s",
			len(words), strings.Join(words, " ")), 1)
	}
	for _, c := range []struct {
		listed string
		tested int
		levels []string // nil: all codes
		most   int
	}{
		{"1:65536", 7, nil, 65536}, {"none", 65536, nil, 65536}, {"3:65537:-1", 7, []string{"3", "7", "65537"}, 0},
		{"none", 65537, []string{"65537"}, 0}, {"5:65536:0", 65537, []string{"0", "5", "65536", "65537"}, 0},
	} {
		f := mustDecode(t, text(c.listed, c.tested)).Meta.Schema.Fields[0]
		want := c.levels
		if want == nil {
			want = foreign.Codes(c.most + 1)
		}
		if !slices.Equal(f.Levels, want) || (f.Format == data.CodeLevels) != (c.levels != nil) {
			t.Errorf("%s, %d: %d levels, the last is %s", c.listed, c.tested, len(f.Levels), f.Levels[len(f.Levels)-1])
		}
	}
}

// Codes that are held take the memory of a list that doubles, of which only different ones need
// more, and none beyond the limit.
func TestMemoryOfCodes(t *testing.T) {
	c, b := &column{}, foreign.NewBudget(textName, 1, codec.Limits{})
	hold := func(code int32) {
		t.Helper()
		if err := c.hold(code, b); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 1000 {
		if hold(int32(i % 10)); cap(c.few) != 64 {
			t.Fatalf("ten codes take a list of %d", cap(c.few))
		}
	}
	for i := range 500 {
		hold(int32(i))
	}
	if c.sortFew(); len(c.few) != 500 || c.few[499] != 499 || cap(c.few) != 512 {
		t.Errorf("%d codes in a list of %d", len(c.few), cap(c.few))
	}
	for n := int64(1) << 50; n > 0; n /= 2 { // until no byte is left
		for b.Take(n) == nil {
		}
	}
	for code := int32(500); code < 512; code++ {
		hold(code)
	}
	if limit := (*codec.LimitError)(nil); !errors.As(c.hold(512, b), &limit) || len(c.few) != 512 {
		t.Errorf("%d codes in memory that there is not", len(c.few))
	}
}

// A file that does not state how many scores there are has one, as text and as a dump.
func TestFilesOfOneScore(t *testing.T) {
	text := "tree\nversion=v4\nmax_feature_idx=0\nfeature_names=a\nfeature_infos=none\n\n" +
		"Tree=0\nnum_leaves=1\nnum_cat=0\nleaf_value=1.5\n\nend of trees\n"
	dump := `{"version":"v4","max_feature_idx":0,"feature_names":["a"],` +
		`"tree_info":[{"num_leaves":1,"tree_structure":{"leaf_value":1.5}}]}`
	for i, read := range []func(r io.ReaderAt, size int64, b *foreign.Budget) (*file, error){readText, readDump} {
		of := []string{text, dump}[i]
		f, err := read(strings.NewReader(of), int64(len(of)), foreign.NewBudget(textName, int64(len(of)), codec.Limits{}))
		if err != nil || f.scores != 1 || f.classes != 1 || len(f.trees) != 1 || f.trees[0].value[0] != 1.5 {
			t.Errorf("%+v, %v", f, err)
		}
	}
}
