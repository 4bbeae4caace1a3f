package libsvm

import (
	"cmp"
	"fmt"
	"strconv"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/internal/source"
	"github.com/coppice-ml/coppice/internal/spelling"
	"github.com/coppice-ml/coppice/internal/table"
)

// counting is what the features of the files count from, and those of a model.
type counting struct {
	files data.FirstIndex // Options.FirstIndex; "": unknown
	model data.FirstIndex // "": there is no model, or its features have no numbers
	last  int64           // the model's feature of the largest number
	// what the names of features begin with, before their numbers: see table.FeaturePrefix
	prefix string
	shift  int64 // from an index of the files to the number of the feature

	zero bool  // a row names index 0
	far  int64 // the first index beyond the model's last that a row names; 0: none does
	file string
	line int // where it is
}

// newCounting returns the numbers of features under some options.
func newCounting(o *data.ReadOptions) *counting {
	c := &counting{files: o.FirstIndex, prefix: "f"}
	if o.Schema == nil {
		return c
	}
	c.prefix = table.FeaturePrefix(o.Schema)
	c.model = o.Schema.ImpliedFirstIndex()
	for i := range o.Schema.Fields {
		if at, ok := c.number(o.Schema.Fields[i].Source()); ok {
			c.last = max(c.last, at)
			if c.model == "" { // other tools name features by their places
				c.model = data.FirstZero
			}
		}
	}
	if c.model == "" {
		return c
	}
	c.model = cmp.Or(o.Schema.FirstIndex, c.model)
	switch {
	case c.files == data.FirstZero && c.model == data.FirstOne:
		c.shift = 1
	case c.files == data.FirstOne && c.model == data.FirstZero:
		c.shift = -1
	}
	return c
}

// number returns the number of the feature of a name.
func (c *counting) number(column string) (int64, bool) {
	index, ok := spelling.NumberBehind(c.prefix, column)
	return index, ok && index <= maxIndex
}

// name returns the name of the feature of a number.
func (c *counting) name(index int64) string { return c.prefix + strconv.FormatInt(index, 10) }

// check notes an index of a row, and returns an error for one that contradicts what features count
// from.
func (c *counting) check(lines *source.Lines, b *table.Builder, index int64) error {
	if index == 0 {
		c.zero = true
		switch {
		case c.files == data.FirstOne:
			return lines.Fault(data.ErrFormat, "%s", option.Expand("the row names feature 0, and features "+
				"count from 1 ({first-index} 0 counts from 0)"))
		case c.files == "" && c.model == data.FirstOne:
			return lines.Fault(data.ErrFormat, "%s", option.Expand("the row names feature 0, and the features "+
				"of the model count from 1: {first-index} 0 states that those of the file count from 0"))
		}
	}
	if c.far == 0 && c.model == data.FirstZero && c.files == "" && index > c.last {
		c.far, c.file, c.line = index, b.File(), lines.Number()
	}
	return nil
}

// end returns an error if the features of the files seem to count from 1, and those of the model
// count from 0: no row names feature 0, and one names a feature behind the model's last.
func (c *counting) end() error {
	if c.far == 0 || c.zero {
		return nil
	}
	return &data.ReadError{File: c.file, Line: c.line, Err: data.ErrFormat, Msg: fmt.Sprintf(
		"the row names feature %d, no row names feature 0, and the features of the model are 0 to %d: "+
			option.Expand("{first-index} 1 states that those of the file count from 1 (0: from 0)"), c.far, c.last)}
}

// first returns what the features count from once the files are read.
func (c *counting) first() data.FirstIndex {
	switch {
	case c.model != "":
		return c.model
	case c.files != "":
		return c.files
	case c.zero:
		return data.FirstZero
	}
	return data.FirstOne
}
