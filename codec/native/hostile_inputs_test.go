package native

import (
	"math"
	"testing"

	"github.com/coppice-ml/coppice/codec/codectest"
	"github.com/coppice-ml/coppice/internal/input"
)

// hostileInputs are damages of derived columns; codectest.Derived makes them.
var hostileInputs = []damage{
	{"sources of too few tables", func(d *draft) { d.inputs.sources = d.inputs.sources[:1] }, "sizes of 1, 2 and 2 tables"},
	{"keys of too few tables", func(d *draft) { d.inputs.keys = d.inputs.keys[:1] }, "sizes of 2, 1 and 2 tables"},
	{"outputs left out", func(d *draft) { d.inputs.outputs = nil }, "sizes of 2, 2 and 0 tables"},
	{"sources beyond the array", func(d *draft) { d.inputs.sources[1] = math.MaxUint32 }, "table 1 of derived columns is longer"},
	{"keys beyond the array", func(d *draft) { d.inputs.keys[0] = math.MaxUint32 }, "table 0 of derived columns is longer"},
	{"sums beyond the array", func(d *draft) { d.inputs.outputs[1] = math.MaxUint32 }, "table 1 of derived columns is longer"},
	{"counts left out", func(d *draft) { d.inputs.count = nil }, "table 0 of derived columns is longer"},
	{"a sum of nobody", func(d *draft) { d.inputs.outputs[1] = 1 }, "belong to no table"},
	{"a source of nobody", func(d *draft) { d.inputs.sources[0] = 1; d.inputs.source = append(d.inputs.source, 0) }, "belong to no table"},
	{"no table", func(d *draft) { *d.inputs = derived{} }, "feature 3 of 3"},
	{"columns without tables", func(d *draft) { *d.inputs = derived{kind: d.inputs.kind} }, "arrays of 0 derived columns for 3"},
	{"tables of too few columns", func(d *draft) { d.inputs.table = d.inputs.table[:2] }, "arrays of 2 derived columns for 3"},
	{"priors of too many columns", func(d *draft) { d.inputs.prior = append(d.inputs.prior, 1) }, "arrays of 4 derived columns for 3"},
	{"a column less", func(d *draft) {
		i := d.inputs
		i.kind, i.table, i.output, i.prior, i.weight = i.kind[:2], i.table[:2], i.output[:2], i.prior[:2], i.weight[:2]
	}, "feature 5 of 5"},
	{"unknown kind", func(d *draft) { d.inputs.kind[0] = 9 }, "unknown kind 9"},
	{"table that is not there", func(d *draft) { d.inputs.table[0] = 2 }, "table 2 of 2"},
	{"output that is not there", func(d *draft) { d.inputs.output[1] = 2 }, "output 2 of 2"},
	{"source without categories", func(d *draft) { d.inputs.source[1] = 1 }, `the source "x" is numeric`},
	{"keys in disorder", func(d *draft) { d.inputs.key[1] = 0 }, "key 0 of 9, or not ascending"},
	{"key beyond the dictionaries", func(d *draft) { d.inputs.key[2] = 9 }, "key 9 of 9"},
	{"count is NaN", func(d *draft) { d.inputs.count[0] = math.NaN() }, "has the count NaN"},
	{"sum is infinite", func(d *draft) { d.inputs.sum[0] = math.Inf(1) }, "a sum is not finite"},
	{"shifts of too few columns", func(d *draft) { d.inputs.shift = []float64{1} }, "1 shifts of 3 derived columns"},
	{"prior is infinite", func(d *draft) { d.inputs.prior[0] = math.Inf(1) }, "prior +Inf"},
	{"many columns of one table", func(d *draft) {
		i := d.inputs
		for range 1 << 16 {
			i.kind, i.table, i.output = append(i.kind, input.Count), append(i.table, 0), append(i.output, 0)
			i.prior, i.weight = append(i.prior, 0), append(i.weight, 0)
		}
	}, "33 columns of one table"},
}

// hostileNumbers are damages of columns that are derived of numbers; codectest.Nonzero makes them.
var hostileNumbers = []damage{
	{"no column", func(d *draft) { *d.inputs = derived{} }, "feature 2 of 2"},
	{"sources left out", func(d *draft) { d.inputs.numberSource = nil }, "0 sources of 1 derived numbers"},
	{"kinds left out", func(d *draft) { d.inputs.numberKind = nil }, "1 sources of 0 derived numbers"},
	{"unknown kind", func(d *draft) { d.inputs.numberKind[0] = 1 }, "unknown kind 1 of a number"},
	{"source that is not there", func(d *draft) { d.inputs.numberSource[0] = 2 }, "source 2 of 2 fields"},
	{"source below 0", func(d *draft) { d.inputs.numberSource[0] = -1 }, "source -1 of 2 fields"},
	{"a source of tables", func(d *draft) { d.inputs.source = []int32{0} }, "belong to no table"},
}

// hostileCombinations are damages of combinations; codectest.Combined shows them.
var hostileCombinations = []damage{
	{"keys of too few", func(d *draft) { d.inputs.combined.keys = nil }, "sizes of 2, 0 and 2 combinations"},
	{"outputs of too few", func(d *draft) { d.inputs.combined.outputs = nil }, "sizes of 2, 2 and 0 combinations"},
	{"sources left out", func(d *draft) { d.inputs.combined.source = nil }, "arrays of 0 elements of combinations for 5"},
	{"unknown rule", func(d *draft) { d.inputs.combined.missing[3] = 2 }, "element 3 has the rule 2"},
	{"elements beyond the array", func(d *draft) { d.inputs.combined.elements[1] = 4 }, "combination 1 is longer"},
	{"keys beyond the array", func(d *draft) { d.inputs.combined.keys[0] = math.MaxUint32 }, "combination 0 is longer"},
	{"outputs beyond the array", func(d *draft) { d.inputs.combined.outputs[1] = math.MaxUint32 }, "combination 1 is longer"},
	{"elements of nobody", func(d *draft) { d.inputs.combined.elements[1] = 2 }, "belong to none"},
	{"unknown kind", func(d *draft) { d.inputs.combined.kind[0] = 3 }, "unknown kind 3"},
	{"hashes in disorder", func(d *draft) { d.inputs.combined.hash[1] = 5 }, "key 1 is not above"},
	{"a number that is NaN", func(d *draft) { d.inputs.combined.value[0] = math.NaN() }, "a number is not finite"},
	{"nothing", func(d *draft) { *d.inputs = derived{} }, "feature 3 of 3"},
}

func TestHostileInputs(t *testing.T) {
	refuse(t, codectest.Derived, hostileInputs)
	refuse(t, codectest.Nonzero, hostileNumbers)
	refuse(t, codectest.Combined, hostileCombinations)
}
