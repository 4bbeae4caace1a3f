package native

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

// damagedCover damages the covers of a tree, whose arrays fit each other.
func damagedCover(of int, edit func(*tree.Cover)) func(*draft) {
	return func(d *draft) {
		c := *d.covers.f.trees[of].Cover
		edit(&c)
		d.covers.f.trees[of].Cover = &c
		*d.covers = *newCovers(d.covers.f.trees)
	}
}

// hostileCovers are damages of training covers; codectest.Covered makes the trees.
var hostileCovers = []damage{
	{"sizes of too few trees", func(d *draft) { d.covers.counts = d.covers.counts[:2] },
		"sizes of the covers of 2 trees, the file has 3"},
	{"sizes of too many trees", func(d *draft) { d.covers.weights = append(d.covers.weights, 0) },
		"sizes of the covers of 4 trees, the file has 3"},
	{"more bytes than there are", func(d *draft) { d.covers.counts[0] = math.MaxUint32 },
		`array "count": 3 elements do not fit`},
	{"fewer bytes than there are", func(d *draft) { d.covers.counts[0]-- },
		`array "count": 3 elements do not fit`},
	{"more numbers than there are", func(d *draft) { d.covers.weights[1]++ },
		`array "weight": 2 elements do not fit`},
	{"numbers of nobody", func(d *draft) { d.covers.weights = nil },
		`array "weight": 2 elements do not fit`},
	{"bytes left out", damagedCover(0, func(c *tree.Cover) { c.Counts = c.Counts[:1] }),
		"1 covers in bytes and 0 others of 2 nodes"},
	{"a byte more", damagedCover(0, func(c *tree.Cover) { c.Counts = append(c.Counts, 1) }),
		"3 covers in bytes and 0 others of 2 nodes"},
	{"a weight less", damagedCover(1, func(c *tree.Cover) { c.Weights = c.Weights[:1] }),
		"0 covers in bytes and 1 others of 2 nodes"},
	{"both kinds", damagedCover(0, func(c *tree.Cover) { c.Counts, c.Weights = c.Counts[:1], []float64{2} }),
		"1 covers in bytes and 1 others of 2 nodes"},
	{"a number without an end", damagedCover(0, func(c *tree.Cover) { c.Counts = []byte{1, 0x80} }),
		"ends too soon"},
	{"a long number", damagedCover(0, func(c *tree.Cover) {
		c.Counts = append(bytes.Repeat([]byte{0x80}, 8), 1, 1)
	}), "longer than 8 bytes"},
	{"NaN", damagedCover(1, func(c *tree.Cover) { c.Weights = []float64{1, math.NaN()} }), "a cover is NaN"},
	{"below 0", damagedCover(1, func(c *tree.Cover) { c.Weights = []float64{1, -1} }), "a cover is -1"},
	{"infinite", damagedCover(1, func(c *tree.Cover) { c.Weights = []float64{1, math.Inf(1)} }),
		"not finite"},
	{"infinite sum", damagedCover(1, func(c *tree.Cover) {
		c.Weights = []float64{math.MaxFloat64, math.MaxFloat64}
	}), "not finite"},
}

func TestHostileCovers(t *testing.T) {
	refuse(t, codectest.Covered, hostileCovers)
}

// Covers beside statistics would be covers of two sources.
func TestCoversBesideStatistics(t *testing.T) {
	m := codectest.Full()
	m.Trees[0].Cover = &tree.Cover{Counts: make([]byte, m.Trees[0].NumLeaves()+1)}
	if err := m.Validate(); err == nil {
		t.Error("no error")
	}
}

// A file without the section, as of an older program, predicts the same; its trees
// report no covers. A reader may skip the section.
func TestCoversAreOptional(t *testing.T) {
	m := codectest.Covered()
	b := write(t, m, func(d *draft) {
		d.edit = func(s []section) []section {
			last := s[len(s)-1]
			if last.name != "covers" || last.flags != 0 {
				t.Errorf("section %q has the flags %d", last.name, last.flags)
			}
			return s[:len(s)-1]
		}
	})
	read, err := Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	for i, tr := range read.(*model.Ensemble).Trees {
		if tr.Covers() != nil || m.Trees[i].Covers() == nil && i < 2 {
			t.Errorf("tree %d: covers %v, of %v", i, tr.Covers(), m.Trees[i].Covers())
		}
		m.Trees[i].Cover = nil
	}
	if d := codectest.Diff(m, read); d != "" {
		t.Errorf("the models differ in more than covers:\n%s", d)
	}
	again, err := decodeBytes(encode(t, read))
	if err != nil || codectest.Diff(read, again) != "" {
		t.Error("the file does not come back", err)
	}
	var limit *codec.LimitError
	if _, err := Decode(bytes.NewReader(b), int64(len(b)), codec.Limits{Memory: 64}); !errors.As(err, &limit) {
		t.Errorf("error %v", err)
	}
}
