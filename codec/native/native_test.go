package native

import (
	"bytes"
	"cmp"
	"errors"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/models/committee"
	"github.com/coppice-ml/coppice/internal/models/dense"
	"github.com/coppice-ml/coppice/internal/models/rules"
	"github.com/coppice-ml/coppice/loss/link"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/tree"
)

func TestConformance(t *testing.T) {
	codectest.Run(t, Format(), codectest.Models())
}

// Full has no field that is zero, and it comes back equal (TestConformance): so a field that
// somebody adds to one of these types fails here, or there, until the format stores it.
func TestEveryFieldIsStored(t *testing.T) {
	e, list, pool := codectest.Full(), codectest.FullRules(), codectest.Pool()
	near := codectest.FullNeighbours()
	near.Y = codectest.MeanNeighbours().Y // no model has labels of both kinds
	tr := e.Trees[0]
	field := codectest.Dated().Meta.Schema.Fields[1]
	field.Text = codectest.Texted().Meta.Schema.Fields[1].Text // or of a text
	field.Levels = e.Meta.Schema.Fields[1].Levels              // no field is part of a date and has a dictionary
	e.Targets = pool.Targets                                   // only pools have them
	e.Inputs = codectest.Derived().Inputs
	e.Inputs.Numbers = codectest.Nonzero().Inputs.Numbers
	e.Inputs.Combinations = codectest.Combined().Inputs.Combinations
	element := e.Inputs.Combinations[1].Elements[1]
	element.Code = e.Inputs.Combinations[1].Elements[2].Code // no element has all
	other := codectest.Imported()
	e.Rounds, e.Best, e.Origin = other.Rounds, other.Best, other.Origin
	e.Meta.Quantiles = codectest.Quartiles().Meta.Quantiles // models of classes have none
	e.Meta.Permutation = codectest.Quartiles().Meta.Permutation
	e.Meta.TrainedOn = planned().Meta.TrainedOn // which no file of version 1.0 has
	e.Meta.Schema.AbsentValues = codectest.Quartiles().Meta.Schema.AbsentValues
	e.Meta.Schema.FirstIndex = codectest.Quartiles().Meta.Schema.FirstIndex
	e.Meta.Schema.TokensOf = codectest.Quartiles().Meta.Schema.TokensOf // which no file of version 1.0 has
	e.Meta.Roles = codectest.Quartiles().Meta.Roles                     // which no file of version 1.0 has
	e.Meta.Profile = codectest.Profiled().Meta.Profile
	e.Meta.Evaluations, e.Meta.Notes = codectest.Profiled().Meta.Evaluations, codectest.Profiled().Meta.Notes
	e.Meta.Golden = codectest.Profiled().Meta.Golden
	e.Meta.Stamp = codectest.Profiled().Meta.Stamp
	profile := *e.Meta.Profile
	profile.NoExtremes = codectest.Discreet().Meta.Profile.NoExtremes
	column := profile.Columns[0]
	column.Empty, column.Levels = profile.Columns[3].Empty, profile.Columns[1].Levels // no kind has both
	column.OtherLevels, column.OtherRows = profile.Columns[1].OtherLevels, profile.Columns[1].OtherRows
	e.Meta.Study = codectest.Quartiles().Meta.Study
	e.Inputs.Columns[1].Shift = 1            // which no file of version 1.0 has: random models have it
	e.Refused = codectest.Refusing().Refused // which no file of version 1.0 has
	whole := list.List[0].If[0]
	whole.Set = list.List[0].If[1].Set
	leaf := tr.Leaf
	leaf.InNodes = e.Trees[1].Leaf.InNodes // no tree has both kinds of slots
	leaf.Samples, leaf.Linear = pool.Trees[1].Leaf.Samples, codectest.Inclined().Trees[0].Leaf.Linear
	cover := *codectest.Covered().Trees[0].Cover // no tree has both kinds of weights
	cover.Weights = codectest.Covered().Trees[1].Cover.Weights
	tr.Cover = &cover // or both covers and statistics
	for _, v := range []any{*e, e.Meta.Evaluations[0], e.Meta.Evaluations[0].Metrics[0], *e.Meta.Stamp, *e.Meta.Golden, profile, column, *column.Numbers, *e.Origin, *e.Origin.Certificate, leaf, e.Meta, e.Meta.Roles, *e.Meta.Permutation, *e.Meta.TrainedOn, *e.Meta.TrainedOn.Plan, *e.Meta.Study, e.Meta.Study.Best[0], e.Meta.Study.Means[0], e.Meta.Permutation.Columns[0], e.Meta.Schema, field, *field.From, *field.Text, field.Text.Format, *tr, cover, *tr.Stats, *tr.Dirs, *tr.Surrogates, *leaf.Samples, *leaf.Linear,
		e.Inputs, e.Inputs.Tables[0], e.Inputs.Columns[1], e.Inputs.Numbers[0],
		e.Inputs.Combinations[0], element,
		*list, list.List[0], whole, codectest.FullNetwork().Layers, *codectest.FullMachine(), *near} {
		r := reflect.ValueOf(v)
		for i := range r.NumField() {
			f := r.Type().Field(i)
			// Scalar and Numeric are 0; other models have other kinds. Features have no role.
			// Memory is where the file lies.
			if f.IsExported() && r.Field(i).IsZero() && f.Name != "Kind" && f.Name != "Role" && f.Name != "Memory" {
				t.Errorf("codectest sets no %s.%s: nobody tests that the format stores it", r.Type(), f.Name)
			}
		}
	}
}

type otherModel struct{ model.Model }

type otherLink struct{}

func (otherLink) Name() string    { return "mine" }
func (otherLink) Apply([]float64) {}
func (l otherLink) Describe() link.Description {
	return link.Description{Kind: l, Factor: 1}
}

func TestEncodeRefuses(t *testing.T) {
	unsupported := func(err error) bool { e := (*codec.UnsupportedError)(nil); return errors.As(err, &e) }
	any := func(err error) bool { return err != nil }
	edited := func(edit func(*model.Ensemble)) model.Model {
		e := codectest.Full()
		edit(e)
		return e
	}
	for _, c := range []struct {
		name  string
		model model.Model
		is    func(error) bool
		want  string
	}{
		{"nothing", nil, unsupported, "<nil>"},
		{"nil", (*model.Ensemble)(nil), unsupported, "*model.Ensemble"},
		{"other type", otherModel{}, unsupported, "otherModel"},
		{"own link", edited(func(e *model.Ensemble) { e.Link = otherLink{} }), unsupported, `"mine"`},
		{"invalid", edited(func(e *model.Ensemble) { e.Bias = e.Bias[:1] }), any, "1 start values for 2 outputs"},
		{"nil tree", edited(func(e *model.Ensemble) { e.Trees[1] = nil }), any, "tree 1 is nil"},
		{"NaN weight", edited(func(e *model.Ensemble) { e.Weights[1] = math.NaN() }), any, "not finite"},
		{"infinite value", edited(func(e *model.Ensemble) { e.Trees[0].Leaf.Value[0] = math.Inf(1) }), any, "tree 0: a value is not finite"},
		{"infinite impurity", edited(func(e *model.Ensemble) { e.Trees[0].Stats.Impurity[0] = math.Inf(1) }), any, "impurity"},
		{"no JSON", edited(func(e *model.Ensemble) { e.Meta.Params = raw("{") }), any, "JSON"},
		{"unknown combine", edited(func(e *model.Ensemble) { e.Combine = 200 }), any, "200"},
	} {
		var b bytes.Buffer
		err := Encode(&b, c.model)
		if !c.is(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
		if b.Len() > 0 {
			t.Errorf("%s: %d bytes were written", c.name, b.Len())
		}
	}
}

// Every way to combine has a name; a new one that has none would only fail at a user's Save.
func TestCombineNames(t *testing.T) {
	for c := model.Sum; int(c) < len(combineNames); c++ {
		e := codectest.Tiny()
		if e.Combine = c; c == model.Pool { // whose trees have samples
			e = codectest.Pool()
		}
		if err := e.Validate(); err != nil || combineNames[c] == "" {
			t.Errorf("way %d: %q, %v", c, combineNames[c], err)
		}
	}
	beyond := &model.Ensemble{Meta: model.Spec{Task: data.Regression}, Combine: model.Combine(len(combineNames))}
	if beyond.Validate() == nil {
		t.Errorf("model.Combine has a way %d, which has no name in files", beyond.Combine)
	}
}

// Parts that no tree of a model has leave no trace in its file, nor do their sizes; has reports no
// more than the tree has.
func TestRarePartsAreOptional(t *testing.T) {
	names := func(m *model.Ensemble) []string {
		_, descriptors := findTrees(encode(t, m))
		return slices.Sorted(maps.Keys(descriptors))
	}
	plain := []string{"nodes", "tree.has", "tree.leaf", "tree.nodes", "tree.slots", "tree.width", "values"}
	if got := names(codectest.Tiny()); !slices.Equal(got, plain) {
		t.Errorf("arrays of a plain tree: %v", got)
	}
	directed := &model.Ensemble{Meta: codectest.Tiny().Meta, Combine: model.Mean}
	b := tree.NewBuilder(tree.Counts, 2, false)
	b.Split(0, tree.Split{Kind: tree.Sphere, Direction: []tree.Term{{Feature: 0, Coef: 1}}})
	built, err := b.Build()
	if err != nil {
		t.Fatal(err)
	}
	directed.Trees = []*tree.Tree{codectest.Tiny().Trees[0], built}
	want := slices.Sorted(slices.Values(append(plain, "dir.coef", "dir.feature", "node.dirat", "tree.terms")))
	if got := names(directed); !slices.Equal(got, want) {
		t.Errorf("arrays of a model with a direction: %v", got)
	}
	if f := newForest(directed); !slices.Equal(f.has, []uint32{0, hasDirections}) || !slices.Equal(f.terms, []uint32{0, 1}) {
		t.Errorf("parts %v, terms %v", f.has, f.terms)
	}
}

// All arrays lie at multiples of 16 bytes of the file, and a payload in aligned memory, as a mapped
// file is, is used where it lies.
func TestArraysAreUsedInPlace(t *testing.T) {
	for i, m := range codectest.Models() {
		b := encode(t, m)
		f := &file{r: bytes.NewReader(b), size: int64(len(b)), budget: &budget{1 << 30, 1 << 30}}
		found := f.sections()
		p := cmp.Or(found["trees"], found["rules"], found["members"], found["linear"], found["bayes"], found["knn"], found["network"], found["svm"], found["calibrated"])
		table := parseTable(p)
		for name := range table.entries {
			offset := le.Uint64(p.data[table.entries[name].at+24:])
			if at := p.at + int64(offset); at%align != 0 {
				t.Errorf("model %d: array %q starts at byte %d", i, name, at)
			}
		}
		if !littleEndian {
			continue
		}
		read, err := f.model(found)
		if err != nil {
			t.Fatal(err)
		}
		if !inPlace(read, p.data) {
			t.Errorf("model %d: an array was copied", i)
		}
	}
}

// inPlace reports whether the arrays of a model lie in a payload.
func inPlace(m model.Model, data []byte) bool {
	switch m := m.(type) {
	case *rules.Rules:
		for _, r := range m.List {
			if !inside(data, r.Value) || len(r.If) > 0 && !inside(data, r.If[0].Set) {
				return false
			}
		}
	case *dense.Machine:
		return inside(data, m.Vectors) && inside(data, m.Coef) && inside(data, m.Bias)
	case *dense.Network:
		l := &m.Layers
		return inside(data, l.In) && inside(data, l.InBias) && inside(data, l.Out) && inside(data, l.OutBias)
	case *dense.Neighbours:
		return inside(data, m.Rows) && inside(data, m.Class) && inside(data, m.Y) && inside(data, m.Weight)
	case *model.Ensemble:
		for _, tr := range m.Trees {
			if !inside(data, tr.Nodes) ||
				!inside(data, tr.Sets) || !inside(data, tr.Fraction) || !inside(data, tr.Leaf.Value) || tr.Stats != nil && !inside(data, tr.Stats.Gain) ||
				tr.Dirs != nil && !inside(data, tr.Dirs.Coef) || tr.Surrogates != nil && !inside(data, tr.Surrogates.Agree) ||
				tr.Leaf.Linear != nil && !inside(data, tr.Leaf.Linear.Coef) {
				return false
			}
		}
	case *dense.Bayes:
		return inside(data, m.Prior) && inside(data, m.Mean)
	case *dense.Linear:
		return inside(data, m.Bias) && inside(data, m.Coef)
	case *committee.Committee:
		for _, member := range m.Members {
			if !inPlace(member, data) {
				return false
			}
		}
	}
	return true
}

// inMemory returns a copy of b where a mapped file may lie.
func inMemory(b []byte) []byte {
	c := aligned(len(b))
	copy(c, b)
	return c
}

// A model that is decoded in place is the same, and its trees are where the file is; bytes that do
// not start where elements may lie are copied.
func TestDecodeInPlace(t *testing.T) {
	for i, m := range codectest.Models() {
		b := inMemory(encode(t, m))
		shifted := aligned(len(b) + 1)[1:]
		copy(shifted, b)
		for _, file := range [][]byte{b, shifted} {
			got, err := DecodeInPlace(file, nil, codec.Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if d := codectest.Diff(m, got); d != "" {
				t.Errorf("model %d: another model:\n%s", i, d)
			}
			e, ok := got.(*model.Ensemble)
			if !ok {
				continue
			}
			for _, table := range e.Inputs.Tables {
				if there := inside(file, table.Key) && inside(file, table.Sum); len(table.Key) > 0 && there != (littleEndian && &file[0] == &b[0]) {
					t.Errorf("model %d: a table inside the file is %v", i, there)
				}
			}
			for _, tr := range e.Trees {
				if there := inside(file, tr.Nodes) && inside(file, tr.Leaf.Value); there != (littleEndian && &file[0] == &b[0]) {
					t.Errorf("model %d: a tree inside the file is %v", i, there)
				}
			}
		}
	}
	b := inMemory(encode(t, codectest.Full()))
	b[len(b)-9]++
	if _, err := DecodeInPlace(b, nil, codec.Limits{}); !errors.As(err, new(*codec.CorruptError)) {
		t.Errorf("error %v of a damaged file", err)
	}
}

// inside reports whether s lies in the memory of b.
func inside[T element](b []byte, s []T) bool {
	if len(s) == 0 {
		return true
	}
	at := uintptr(unsafe.Pointer(&s[0]))
	start := uintptr(unsafe.Pointer(&b[0]))
	return at >= start && at+uintptr(len(s))*unsafe.Sizeof(s[0]) <= start+uintptr(len(b))
}

// A forest is read with a number of allocations that does not grow with its trees.
func TestFewAllocations(t *testing.T) {
	forest := func(trees int) []byte {
		e := codectest.Full()
		for len(e.Trees) < trees {
			e.Trees = append(e.Trees, e.Trees[0])
			e.Output = append(e.Output, 0)
			e.Weights = append(e.Weights, 1)
		}
		return encode(t, e)
	}
	count := func(b []byte) float64 {
		return testing.AllocsPerRun(5, func() {
			if _, err := decodeBytes(b); err != nil {
				t.Fatal(err)
			}
		})
	}
	// Validate allocates one slice per tree.
	if few, many := count(forest(10)), count(forest(510)); many > few+500+10 {
		t.Errorf("%v allocations for 10 trees, %v for 510", few, many)
	}
}

// The portable conversions agree with the fast ones, and unaligned bytes are copied.
func TestViews(t *testing.T) {
	buf := aligned(64)
	for i := range buf {
		buf[i] = byte(37 * i)
	}
	testView[uint8](t, buf)
	testView[tree.Kind](t, buf)
	testView[int32](t, buf)
	testView[uint32](t, buf)
	testView[uint64](t, buf)
	testView[float64](t, buf)
	testView[tree.Node](t, buf)
	if got := view[uint32]([]byte{1, 0, 0, 0, 2, 1, 0, 0}); got[0] != 1 || got[1] != 0x102 {
		t.Errorf("numbers are not little endian: %v", got)
	}
}

func testView[T element](t *testing.T, buf []byte) {
	t.Helper()
	for _, b := range [][]byte{buf, buf[1:49], buf[4:52]} {
		fast, slow := view[T](b), copied[T](b)
		if !reflect.DeepEqual(fast, slow) {
			t.Errorf("%T: %v, %v", fast, fast, slow)
		}
		if !bytes.Equal(rawBytes(fast), b) || !bytes.Equal(memory(slow), b) {
			t.Errorf("%T: other bytes came back", fast)
		}
	}
	if view[T](nil) != nil {
		t.Error("no bytes, but a slice")
	}
}

// A machine of the other byte order turns each number of an element.
func TestTurn(t *testing.T) {
	b := []byte("01234567abcdABCD89")
	turn[tree.Node](b[:16])
	turn[uint8](b[16:])
	if string(b) != "76543210dcbaDCBA89" {
		t.Errorf("a node's bytes are turned to %s", b)
	}
	turn[uint32](b[:8])
	if string(b[:8]) != "45670123" {
		t.Errorf("two integers' bytes are turned to %s", b[:8])
	}
}
