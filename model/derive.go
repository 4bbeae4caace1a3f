package model

import (
	"slices"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/input"
	"github.com/coppice-ml/coppice/model/internal/engine"
)

// Features returns the schema of what the trees test: the fields of the model's schema, and after
// them a numeric field for each derived column, under the name that input.Set.Name gives it.
func (e *Ensemble) Features() *data.Schema {
	if e.Inputs.Len() == 0 {
		return &e.Meta.Schema
	}
	s := e.Meta.Schema.Like(slices.Clone(e.Meta.Schema.Fields))
	for i := range e.Inputs.Len() {
		s.Fields = append(s.Fields,
			data.Field{Name: e.Inputs.Name(i, e.Meta.Schema.Fields, e.Meta.Classes)})
	}
	return &s
}

// Sources returns the fields of the schema that a feature of the trees is made of: itself, or the
// sources of a derived column.
func (e *Ensemble) Sources(feature int32) []int32 {
	if i := int(feature) - len(e.Meta.Schema.Fields); i >= 0 {
		return e.Inputs.Sources(i)
	}
	return []int32{feature}
}

// Credited returns the fields of the schema that share what a feature of the trees contributes to
// a score, where it is one player of a game: see input.Set.Credited.
func (e *Ensemble) Credited(feature int32) []int32 {
	if i := int(feature) - len(e.Meta.Schema.Fields); i >= 0 {
		return e.Inputs.Credited(i)
	}
	return []int32{feature}
}

// Uses returns the fields of the schema that some tree uses, directly, by a surrogate split or by a
// derived column: ascending. Predictions depend on no other.
func (e *Ensemble) Uses() []int32 {
	used := []int32{} // not nil, which may stand for all
	for _, t := range e.Trees {
		for n := range int32(t.Len()) {
			for _, f := range t.Looks(n) {
				used = append(used, e.Sources(f)...)
			}
		}
		if t.Surrogates != nil {
			for _, f := range t.Surrogates.Feature {
				used = append(used, e.Sources(f)...)
			}
		}
		if t.Leaf.Linear != nil {
			for _, f := range t.Leaf.Linear.Feature {
				used = append(used, e.Sources(f)...)
			}
		}
		slices.Sort(used)
		used = slices.Compact(used)
	}
	return used
}

// derivation is how a predictor derives columns.
type derivation struct {
	*input.Program
	first int // place of the first derived column among the kernel's columns; the others follow
}

// derive plans the derived columns among those of the kernel, nil if there are none.
func (k *RowEvaluator) derive(own *data.Schema) *derivation {
	fields := int32(len(own.Fields))
	first := len(k.Columns)
	for first > 0 && k.Columns[first-1] >= fields {
		first--
	}
	if first == len(k.Columns) {
		return nil
	}
	var columns []int32
	for _, c := range k.Columns[first:] {
		columns = append(columns, c-fields)
	}
	return &derivation{k.Inputs.Compile(own.Fields, columns), first}
}

// source returns the place of a field among the sources, -1 if it is none.
func (d *derivation) source(field int) int {
	if d == nil {
		return -1
	}
	return slices.Index(d.Sources(), int32(field))
}

// row is the values of one row that is predicted.
type row struct {
	values  []float64   // those of the kernel's columns
	sources []float64   // those that derived columns are made of
	derived *derivation // nil: none
}

func (p *predictor) newRow() row {
	r := row{values: make([]float64, len(p.Columns)), derived: p.derived}
	if p.derived != nil {
		r.sources = make([]float64, len(p.derived.Sources()))
	}
	return r
}

// complete returns the values, once those of all features are stored.
func (r row) complete() []float64 {
	if d := r.derived; d != nil {
		d.Row(r.sources, func(c int, x float64) { r.values[d.first+c] = x })
	}
	return r.values
}

// deriveBlock fills in the derived columns of a block, those of rows lo to hi of the request.
func (p *predictor) deriveBlock(b *engine.Block, columns []column, rows []int32, lo, hi int) {
	from := make([][]float64, len(p.derived.Sources()))
	for i := range from {
		from[i] = make([]float64, engine.TileRows)
	}
	var scratch input.Scratch
	for tile := 0; tile*engine.TileRows < hi-lo; tile++ {
		at := lo + tile*engine.TileRows
		n := min(engine.TileRows, hi-at)
		for k := range columns {
			in := &columns[k]
			if in.source < 0 {
				continue
			}
			from[in.source] = from[in.source][:n]
			if rows != nil {
				in.gather(from[in.source], rows[at:at+n])
			} else {
				in.copy(from[in.source], at)
			}
		}
		p.derived.Rows(from, func(c int) []float64 {
			return b.Column(p.derived.first+c, tile)
		}, &scratch)
	}
}
