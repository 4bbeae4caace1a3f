package bins

import "slices"

// PackedCodes states where the codes of a group are in a row of Block.Packed.
type PackedCodes struct {
	at            int // byte
	wide          bool
	before, radix int // of a joint: what the group's code counts there, and how many codes it has
}

// InPacked returns where the codes of a group are that Block.Packed has.
func (m *Matrix) InPacked(group int32) PackedCodes {
	g := &m.Groups[group]
	p := PackedCodes{at: g.At, wide: g.Wide(), before: 1, radix: narrowCodes}
	if !g.Joined {
		return p
	}
	for i := range m.Joints {
		j := &m.Joints[i]
		if k := slices.Index(j.Groups, group); k >= 0 {
			for _, radix := range j.Radix[:k] {
				p.before *= int(radix)
			}
			p.at, p.radix = j.At, int(j.Radix[k])
		}
	}
	return p
}

// Of returns the code in a row.
func (p *PackedCodes) Of(row []uint8) int {
	if p.wide {
		return int(row[p.at]) | int(row[p.at+1])<<8
	}
	return int(row[p.at]) / p.before % p.radix
}
