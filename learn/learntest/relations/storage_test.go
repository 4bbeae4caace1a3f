package relations

import (
	"bytes"
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice"
	"github.com/coppice-ml/coppice/codec"
	"github.com/coppice-ml/coppice/codec/formats"
	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/learn"
	"github.com/coppice-ml/coppice/learn/catalog"
	"github.com/coppice-ml/coppice/memory"
	"github.com/coppice-ml/coppice/model"
	"github.com/coppice-ml/coppice/model/modeltest"
)

func onStorage() []relation {
	return []relation{
		{name: "blocks", says: "A table that is read in blocks makes the model of the table in memory; " +
			"other learners refuse it by the limit of memory.", lacks: needsBlocks, sides: blocks, except: []exception{
			{of: "gbm/chosen", why: "in blocks rounds are chosen by rows that are held out, not by folds"},
		}},
		{name: "structs", says: "Structs make the model of their table, and are predicted alike.",
			lacks: func(c *trial) string {
				if c.Needs.Categorical {
					return "the learner refuses numbers"
				}
				return ""
			}, sides: structs},
		{name: "save and open", says: "A model that is opened predicts as the one that was saved, and " +
			"is saved as the same bytes.", sides: opened},
		{name: "other formats", says: "What the formats of other tools hold predicts alike, up to " +
			"single precision.", within: 1e-5, lacks: needsFormat, sides: converted},
		{name: "generated source", says: "Generated Go source predicts as the model.",
			lacks: needsSource, later: generate},
	}
}

// inBlocks is a table whose values are read in blocks of ten rows.
type inBlocks struct{ *data.Frame }

func (b inBlocks) Outline() *data.Frame { return data.Outline(b.Schema, b.Rows(), b.Origin) }

func (b inBlocks) InMemory() (*data.Frame, error) { return b.Outline().InMemory() }

func (b inBlocks) Blocks(context.Context) iter.Seq2[data.RowBlock, error] {
	return func(yield func(data.RowBlock, error) bool) {
		for rows := range slices.Chunk(data.AllRows(b.Rows()), 10) {
			if !yield(data.RowBlock{Frame: b.Subset(rows), First: int(rows[0])}, nil) {
				return
			}
		}
	}
}

// prepareBlocks prepares the weighted table in blocks.
func (c *trial) prepareBlocks() (learn.Fitter, error) {
	env := catalog.Env(1)
	env.Scratch = c.TempDir()
	t := c.weighed
	return c.learner.Prepare(context.Background(), inBlocks{t.Frame}, t.job(c.seed).Rows,
		t.Target.Weight, env)
}

func needsBlocks(c *trial) string {
	switch {
	case strings.Contains(c.settings, "linear_tree"), strings.Contains(c.settings, "boosting="):
		return "linear trees, dart and ordered boosting need the table in memory"
	case c.Blocks:
		return ""
	}
	if f, err := c.prepareBlocks(); f != nil || !errors.Is(err, memory.ErrLimit) {
		c.Errorf("a table in blocks: %v, want the limit of memory", err)
	}
	return "the learner holds its table in memory"
}

func blocks(c *trial) (got, want []float64) {
	f, err := c.prepareBlocks()
	if err != nil {
		c.Fatal(err)
	}
	m, err := f.Fit(context.Background(), &c.weighed.Target, c.weighed.job(c.seed))
	if err != nil {
		c.Fatal(err)
	}
	return c.everywhere(m, c.weighed, unchanged), c.everywhere(c.of(c.weighed), c.weighed, unchanged)
}

// row is a row of a table as users of the library write it.
type row struct {
	Age    *float64 `coppice:"age"`
	Width  float64  `coppice:"width"`
	Kind   string   `coppice:"kind"`
	Soil   string   `coppice:"soil"`
	Number float64  `coppice:"number"`
	Class  string   `coppice:"class"`
	Group  int64    `coppice:"group"`
	Event  float64  `coppice:"event"`
}

// rowsOf returns a table, without what its target has, as structs.
func rowsOf(f *data.Frame) []row {
	all := make([]row, f.Rows())
	text := func(i, column int) string {
		switch code := f.Columns[column].Code(i); code {
		case data.MissingCode:
			return ""
		case data.UnseenCode:
			return "(a text of no table)"
		default:
			return f.Schema.Fields[column].Levels[code]
		}
	}
	for i := range all {
		all[i] = row{Width: f.Columns[width].Number(i), Kind: text(i, kind), Soil: text(i, soil)}
		if x := f.Columns[age].Number(i); !math.IsNaN(x) {
			all[i].Age = &x
		}
	}
	return all
}

// labelledRows returns the training rows as structs with their labels, and the roles of these.
func labelledRows(t *table) ([]row, data.Roles) {
	all := rowsOf(t.Frame)
	roles := data.Roles{Ignore: []string{"number", "class", "group", "event"}}
	take := func(name string) string {
		roles.Ignore = slices.DeleteFunc(roles.Ignore, func(other string) bool { return other == name })
		return name
	}
	y := &t.Target
	for i := range all {
		if y.Y != nil {
			all[i].Number = y.Y[0][i]
		}
		if y.Class != nil {
			all[i].Class = y.Classes[y.Class[i]]
		}
		if y.Group != nil {
			all[i].Group = y.Group[i]
		}
		if y.Event != nil {
			all[i].Event = float64(y.Event[i])
		}
	}
	if y.Y != nil {
		roles.Label, roles.Task = take("number"), y.Task
	}
	if y.Class != nil {
		roles.Label = take("class")
	}
	if y.Group != nil {
		roles.Group = take("group")
	}
	if y.Event != nil {
		roles.Event = take("event")
	}
	return all, roles
}

// structs trains on structs, and on their table; it predicts structs, and the table.
func structs(c *trial) (got, want []float64) {
	t := c.plain.joined()
	t = t.with(recoded(t.Frame, sortedTexts(t.Frame)))
	all, roles := labelledRows(t)
	m, err := coppice.TrainStructs(c.Context(), c.learner, all, roles, coppice.Seed(c.seed),
		coppice.Workers(1))
	if err != nil {
		c.Fatal(err)
	}
	p, err := coppice.NewPredictor[row](m)
	if err != nil {
		c.Fatal(err)
	}
	for _, r := range append(all, rowsOf(t.fresh)...) {
		y, err := p.Predict(r)
		if err != nil {
			c.Fatal(err)
		}
		got = append(got, y.Values...)
	}
	return got, c.everywhere(c.fit(t), t, unchanged)
}

// sortedTexts returns an order of dictionaries: the texts that rows have, sorted.
func sortedTexts(f *data.Frame) func(levels []string) []string {
	return func(levels []string) []string {
		var order []string
		for j := range f.Columns {
			if !slices.Equal(f.Schema.Fields[j].Levels, levels) {
				continue
			}
			for _, code := range f.Columns[j].Codes() {
				if code != data.MissingCode && !slices.Contains(order, levels[code]) {
					order = append(order, levels[code])
				}
			}
		}
		slices.Sort(order)
		return order
	}
}

func opened(c *trial) (got, want []float64) {
	m := c.of(c.weighed)
	file := c.written(m)
	again, err := coppice.Read(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		c.Fatal(err)
	}
	c.sameBytes(m, again)
	return c.everywhere(again, c.weighed, unchanged), c.everywhere(m, c.weighed, unchanged)
}

// conversions returns the models that the formats of other tools make of the weighted table's.
func conversions(c *trial) map[string]model.Model {
	made := map[string]model.Model{}
	for _, f := range formats.Table() {
		if !f.Foreign || f.Encode == nil || f.Decode == nil {
			continue
		}
		var file bytes.Buffer
		var unsupported *codec.UnsupportedError
		err := f.Encode(&file, c.of(c.weighed))
		if errors.As(err, &unsupported) {
			continue
		}
		if err != nil {
			c.Fatalf("%s: %v", f.Name, err)
		}
		m, err := f.Decode(bytes.NewReader(file.Bytes()), int64(file.Len()), codec.Limits{})
		if err != nil {
			c.Fatalf("%s: %v", f.Name, err)
		}
		made[f.Name] = m
	}
	return made
}

func needsFormat(c *trial) string {
	if len(conversions(c)) == 0 {
		return "no other format holds the model"
	}
	return ""
}

func converted(c *trial) (got, want []float64) {
	own := c.predict(c.of(c.weighed), c.weighed.seen())
	for name, m := range conversions(c) {
		theirs := modeltest.Predict(c, m, c.weighed.seen(), model.Options{}, nil)
		if len(theirs) != len(own) {
			c.Fatalf("%s: %d numbers, want %d", name, len(theirs), len(own))
		}
		if d := distance(theirs, own); d > 1e-5 {
			c.Logf("%s: %g apart", name, d)
		}
		got, want = append(got, theirs...), append(want, own...)
	}
	return got, want
}
