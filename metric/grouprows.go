package metric

import (
	"cmp"
	"encoding/binary"
)

// groupRow is a row of a ranking.
type groupRow struct {
	group               int64
	grade, pred, weight float64
	row                 int32
}

// groupLayout sorts rows by group, those of a group in their order. Weights are stored if there are
// any:
//
//	group, grade, prediction, row    28 bytes, and 8 of the weight
func groupLayout(weighted bool) layout[groupRow] {
	l := layout[groupRow]{size: 28,
		compare: func(a, b *groupRow) int { return cmp.Compare(a.group, b.group) }}
	l.put = func(b []byte, r *groupRow) []byte {
		b = binary.LittleEndian.AppendUint64(b, uint64(r.group))
		b = appendNumber(appendNumber(b, r.grade), r.pred)
		b = binary.LittleEndian.AppendUint32(b, uint32(r.row))
		if weighted {
			b = appendNumber(b, r.weight)
		}
		return b
	}
	l.get = func(b []byte, _ uint8, r *groupRow) {
		*r = groupRow{int64(binary.LittleEndian.Uint64(b)), numberAt(b, 8), numberAt(b, 16), 1,
			int32(binary.LittleEndian.Uint32(b[24:]))}
		if weighted {
			r.weight = numberAt(b, 28)
		}
	}
	if weighted {
		l.size += 8
	}
	return l
}

// groupValue is the value of a metric for a group, and what the group weighs.
type groupValue struct {
	first         int32 // its first row
	value, weight float64
}

// groupValueLayout sorts groups by their first rows.
var groupValueLayout = layout[groupValue]{
	size: 20,
	put: func(b []byte, v *groupValue) []byte {
		return binary.LittleEndian.AppendUint32(appendNumber(appendNumber(b, v.value), v.weight),
			uint32(v.first))
	},
	get: func(b []byte, _ uint8, v *groupValue) {
		*v = groupValue{int32(binary.LittleEndian.Uint32(b[16:])), numberAt(b, 0), numberAt(b, 8)}
	},
	compare: func(a, b *groupValue) int { return cmp.Compare(a.first, b.first) },
}

// Bytes of records in memory.
const (
	groupRowBytes   = 40
	groupValueBytes = 24
)

// groupRows are the rows of rankings that weigh anything, by group. A group is in memory as a
// whole when it is evaluated.
type groupRows struct {
	rows    *sorter[groupRow]
	none    bool // there are no groups
	strange bool // a grade is not from 0 to 1000, whatever its row weighs
	compat  bool
	added   int32
}

// groupRowsOf returns the rows that are kept of rankings, those of the block among them.
func (c *common) groupRowsOf(s *Sample) *groupRows {
	if c.groups == nil {
		c.groups = &groupRows{none: s.Group == nil, compat: s.Compat,
			rows: newSorter(c.store, groupLayout(s.Weight != nil), c.rows, groupRowBytes)}
	}
	if !c.grouped {
		c.grouped = true
		c.groups.add(s)
	}
	return c.groups
}

func (g *groupRows) add(s *Sample) {
	g.strange = g.strange || strangeGrade(s)
	for i, group := range s.Group {
		if w := s.weight(i); w > 0 {
			g.rows.add(groupRow{group, s.Y[i], s.Pred[i], w, g.added})
		}
		g.added++
	}
}

// each calls a function for the rows of each group, with the first one's number.
func (g *groupRows) each(f func(first int32, s *Sample)) {
	now := Sample{Compat: g.compat}
	var group int64
	var first int32
	g.rows.each(func(r *groupRow) {
		if len(now.Y) > 0 && r.group != group {
			f(first, &now)
			now.Y, now.Pred, now.Weight = now.Y[:0], now.Pred[:0], now.Weight[:0]
		}
		if len(now.Y) == 0 {
			group, first = r.group, r.row
		}
		now.Y, now.Pred = append(now.Y, r.grade), append(now.Pred, r.pred)
		now.Weight = append(now.Weight, r.weight)
	})
	if len(now.Y) > 0 {
		f(first, &now)
	}
}

// groupSum is a metric of groups, of rows that come in blocks.
type groupSum struct {
	metric groupMetric
	common *common
	sample *Sample // all rows, where they stay as they are
	rows   *groupRows

	queries Queries // once the value was computed
}

func (m groupMetric) begin(c *common) sum { return &groupSum{metric: m, common: c} }

func (m *groupSum) add(s *Sample) {
	if m.common.whole {
		m.sample = s
		return
	}
	m.rows = m.common.groupRowsOf(s)
}

func (m *groupSum) value() (float64, error) {
	if m.sample != nil {
		v, queries, err := m.metric.mean(m.sample)
		m.queries = queries
		return v, err
	}
	if err := m.metric.defined(m.rows.none, m.rows.strange); err != nil {
		return 0, err
	}
	values := newSorter(m.common.store, groupValueLayout, m.common.rows, groupValueBytes)
	all := groupMean{metric: &m.metric}
	var l list
	var rows []int32
	m.rows.each(func(first int32, s *Sample) {
		for len(rows) < len(s.Y) {
			rows = append(rows, int32(len(rows)))
		}
		own := rows[:len(s.Y)]
		if v, counts := l.evaluate(s, own, &m.metric); counts {
			values.add(groupValue{first, v, groupWeight(s, own)})
		} else {
			all.add(0, 0, false)
		}
	})
	values.each(func(v *groupValue) { all.add(v.value, v.weight, true) })
	v, queries, err := all.value()
	m.queries = queries
	return v, err
}
