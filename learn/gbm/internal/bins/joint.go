package bins

import (
	"cmp"
	"slices"
)

// Joint is groups of few codes in one byte of a row of Block.Packed: their codes are the digits of
// one number, of which the first group's counts once, the second's Radix[0] times, the third's
// Radix[0]*Radix[1] times, and so on.
//
//	groups of 3, 2 and 4 codes: 1, 0 and 3 are 1 + 3*0 + 3*2*3 = 19 of 24
type Joint struct {
	Groups []int32 // of the matrix
	Radix  []int32 // of each: codes that rows can have, from 0 on
	Codes  int     // the product of these
	At     int     // the byte
}

// join finds groups for joints of no more than JointCodes codes: the narrow groups of no more than
// half as many, those of most codes first, each into the first joint where it fits (first-fit
// decreasing).
func (m *Matrix) join() {
	var few []int32
	most := m.JointCodes
	radix := make([]int, len(m.Groups))
	for i := range m.Groups {
		g := &m.Groups[i]
		if radix[i] = m.radix(g); !g.Wide() && !g.Out && 2*radix[i] <= most {
			few = append(few, int32(i))
		}
	}
	slices.SortStableFunc(few, func(a, b int32) int { return cmp.Compare(radix[b], radix[a]) })
	for _, i := range few {
		at := slices.IndexFunc(m.Joints, func(j Joint) bool { return j.Codes*radix[i] <= most })
		if at < 0 {
			at = len(m.Joints)
			m.Joints = append(m.Joints, Joint{Codes: 1})
		}
		j := &m.Joints[at]
		j.Groups, j.Radix = append(j.Groups, i), append(j.Radix, int32(radix[i]))
		j.Codes *= radix[i]
	}
	m.Joints = slices.DeleteFunc(m.Joints, func(j Joint) bool { return len(j.Groups) == 1 })
	for i := range m.Joints {
		for _, k := range m.Joints[i].Groups {
			m.Groups[k].Joined = true
		}
	}
}

// radix returns how many codes the rows of a group can have: that of missing values, the last of a
// column, is left out where none are.
func (m *Matrix) radix(g *Group) int {
	if c := &m.Columns[g.Columns[0]]; len(g.Columns) == 1 && !c.Missing {
		return max(1, c.Values)
	}
	return g.Codes
}

// Unbundled returns the matrix with groups that each have a code of their own in Packed; all else
// is shared.
func (m *Matrix) Unbundled() *Matrix {
	if len(m.Joints) == 0 {
		return m
	}
	a := *m
	a.Groups, a.Joints, a.JointCodes = slices.Clone(m.Groups), nil, 0
	for i := range a.Groups {
		a.Groups[i].Joined = false
	}
	a.arrange()
	if m.Store != nil {
		m.forget()
		a.Store = m.Store.anew()
		return &a
	}
	if !m.Packed() {
		return &a
	}
	a.makePacked(nil)
	p := newPacker(&a)
	for k := range a.Blocks {
		b := &a.Blocks[k]
		for i := range b.pieces() {
			p.pack(b, i)
		}
	}
	return &a
}
