package ydf

import (
	"errors"
	"fmt"
	"slices"

	"github.com/coppice-ml/coppice/codec/internal/foreign"
	"github.com/coppice-ml/coppice/codec/internal/protobuf"
	"github.com/coppice-ml/coppice/data"
)

// The tasks of AbstractModel.
const (
	classification = 1
	regression     = 2
	ranking        = 3
	survival       = 7
)

// header is header.pb, the message AbstractModel.
type header struct {
	name   string // the kind of model
	task   int32
	target int32   // the column of the label
	inputs []int32 // the columns of the features
	writer string  // the framework that wrote the model; "" is unknown
}

// The kinds of models.
const (
	boostedTrees = "GRADIENT_BOOSTED_TREES"
	randomForest = "RANDOM_FOREST"
)

func readHeader(m *protobuf.Message) header {
	h := header{target: -1}
	for m.Next() {
		switch m.Field() {
		case 1:
			h.name = m.String()
		case 2:
			h.task = m.Int32()
		case 3:
			h.target = m.Int32()
		case 5:
			h.inputs = m.Int32s(h.inputs)
		case 10:
			for metadata := m.Message(); metadata.Next(); {
				if metadata.Field() == 4 {
					h.writer = metadata.String()
				}
			}
		}
	}
	return h
}

// The losses of gradient boosted trees.
const (
	binomial    = 1
	squared     = 2
	multinomial = 3
	lambdaNDCG5 = 4
	crossNDCG   = 5
	focal       = 6
	poisson     = 7
	absolute    = 8
	lambdaNDCG  = 9
	cox         = 10
)

// forest is the header of a kind of models, gradient boosted trees or random forests.
type forest struct {
	shards int32
	count  int64  // of trees
	format string // of the nodes

	loss  int32 // of boosted trees
	start []float32
	width int32 // trees of an iteration

	votes bool // of random forests: each tree has a vote, else it has a distribution
}

func readBoosted(m *protobuf.Message) forest {
	h := forest{width: 1, format: "TFE_RECORDIO"}
	for m.Next() {
		switch m.Field() {
		case 1:
			h.shards = m.Int32()
		case 2:
			h.count = m.Int64()
		case 3:
			h.loss = m.Int32()
		case 4:
			h.start = m.Floats(h.start)
		case 5:
			h.width = m.Int32()
		case 7:
			h.format = m.String()
		}
	}
	return h
}

func readForest(m *protobuf.Message) forest {
	h := forest{votes: true, format: "TFE_RECORDIO"}
	for m.Next() {
		switch m.Field() {
		case 1:
			h.shards = m.Int32()
		case 2:
			h.count = m.Int64()
		case 3:
			h.votes = m.Bool()
		case 7:
			h.format = m.String()
		}
	}
	return h
}

// The types of columns.
const (
	numerical   = 1
	categorical = 4
	boolean     = 7
	discretized = 9
)

var typeNames = []string{"UNKNOWN", "NUMERICAL", "NUMERICAL_SET", "NUMERICAL_LIST", "CATEGORICAL",
	"CATEGORICAL_SET", "CATEGORICAL_LIST", "BOOLEAN", "STRING", "DISCRETIZED_NUMERICAL", "HASH",
	"NUMERICAL_VECTOR_SEQUENCE"}

// column is a column of data_spec.pb.
type column struct {
	kind       int32
	name       string
	codes      bool  // categories are bare integers
	values     int64 // number of categories, "<OOD>" included
	items      []item
	boundaries []float32 // of discretised numbers
}

// item is a category of a dictionary.
type item struct {
	text  string
	index int64
}

// Bounds of what columns and items take, also while a schema is checked.
const (
	bytesPerColumn = 512
	bytesPerLevel  = 192
)

func readColumns(m *protobuf.Message) []column {
	var columns []column
	for m.Next() {
		if m.Field() != 1 {
			continue
		}
		if c := m.Message(); m.Take(bytesPerColumn) {
			columns = append(columns, readColumn(c))
		}
	}
	return columns
}

func readColumn(m *protobuf.Message) column {
	var c column
	for m.Next() {
		switch m.Field() {
		case 1:
			c.kind = m.Int32()
		case 2:
			c.name = text(m)
		case 6:
			c.readDictionary(m.Message())
		case 8:
			for d := m.Message(); d.Next(); {
				if d.Field() == 1 {
					c.boundaries = d.Floats(c.boundaries)
				}
			}
		}
	}
	return c
}

// readDictionary reads a CategoricalSpec.
func (c *column) readDictionary(m *protobuf.Message) {
	for m.Next() {
		switch m.Field() {
		case 2:
			c.values = m.Int64()
		case 5:
			c.codes = m.Bool()
		case 7:
			var i item
			for entry := m.Message(); entry.Next(); {
				switch entry.Field() {
				case 1:
					i.text = text(entry)
				case 2:
					for value := entry.Message(); value.Next(); {
						if value.Field() == 1 {
							i.index = value.Int64()
						}
					}
				}
			}
			if m.Take(bytesPerLevel) {
				c.items = append(c.items, i)
			}
		}
	}
}

// text returns the current field as text. Files of YDF may hold texts of any encoding.
func text(m *protobuf.Message) string {
	b := m.Bytes()
	if !m.Take(int64(len(b))) {
		return ""
	}
	return string(b)
}

// check refuses columns that no feature can have.
func (c *column) check() {
	switch c.kind {
	case numerical, boolean:
	case categorical:
		if c.values < 1 || c.values > data.MaxLevels {
			fail("column %.50q has %d categories", c.name, c.values)
		}
	case discretized:
		if !slices.IsSorted(c.boundaries) || slices.ContainsFunc(c.boundaries, isNaN32) {
			fail("the boundaries of column %.50q do not ascend", c.name)
		}
	default:
		kind := fmt.Sprint(c.kind)
		if c.kind >= 0 && int(c.kind) < len(typeNames) {
			kind = typeNames[c.kind]
		}
		refuse("column %.50q of type %s", c.name, kind)
	}
}

func isNaN32(x float32) bool { return x != x }

var errItem = errors.New("a dictionary without one text for each index")

// levels returns the texts of a categorical column, by YDF's index.
func (c *column) levels(b *foreign.Budget) []string {
	if c.codes {
		return foreign.Must(new(foreign.Bare).Codes(int(c.values), b.Take))
	}
	b.Need(c.values * bytesPerLevel)
	levels := make([]string, c.values)
	found := make([]bool, c.values)
	for _, i := range c.items {
		if i.index < 0 || i.index >= c.values || found[i.index] {
			fail("column %.50q: %w", c.name, errItem)
		}
		levels[i.index], found[i.index] = i.text, true
	}
	if !found[0] {
		levels[0], found[0] = data.OutOfDictionary, true
	}
	if slices.Contains(found, false) {
		fail("column %.50q: %w", c.name, errItem)
	}
	return levels
}
