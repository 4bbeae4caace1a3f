//go:build amd64 && !purego

package kernel

func (r *RowCoder) codes(dst []int8, row []float64) (missing bool) {
	if !hasAVX2 {
		return r.codesPlain(dst, row)
	}
	for i := range r.slots {
		_ = row[r.slots[i].column]
	}
	if permutes && len(r.sorted) > 0 {
		return codesByPivots(&dst[0], &row[0], &r.slots[0], len(r.slots), &r.sorted[0]) != 0
	}
	return codesOfRow(&dst[0], &row[0], &r.slots[0], len(r.slots), &r.keys[0]) != 0
}

//go:noescape
func codesOfRow(dst *int8, x *float64, slots *codedSlot, n int, keys *uint64) int

//go:noescape
func codesByPivots(dst *int8, x *float64, slots *codedSlot, n int, sorted *uint64) int
