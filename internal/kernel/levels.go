package kernel

import (
	"encoding/binary"
	"unsafe"
)

// NoColumn is the Column of a level that a tree does not have, for ScanLaneLevels: with an Above of
// more than 0 it is no part of the leaf's number.
const NoColumn = 255

// ScanLevels is Scan for oblivious trees, where all nodes of a level have one column and one split
// point. nodes has one element for each level, at most eight, of which First and Last are not used.
// The results of the levels are the bits of a leaf's number, the root's the highest.
func ScanLevels(leaf []uint8, nodes []ScanNode, at []int32, codes []int8, rows int, small bool) {
	trees := len(at) - 1
	leaf = leaf[:trees*ScanRows]
	if rows <= 0 || trees <= 0 {
		return
	}
	if scanLevelsInVectors(leaf, nodes, at, codes, rows) {
		return
	}
	scan := scanLevelsPlain
	if small {
		scan = scanLevelsInWords
	}
	for t := range trees {
		scan(leaf[t*ScanRows:][:ScanRows], nodes[at[t]:at[t+1]], codes, rows)
	}
}

// scanLevelsPlain is the twin of the assembly, for one tree.
func scanLevelsPlain(leaf []uint8, levels []ScanNode, codes []int8, rows int) {
	leaf = leaf[:rows]
	clear(leaf)
	for i := range levels {
		n := &levels[i]
		for r, x := range codes[n.At:][:rows] {
			leaf[r] = 2*leaf[r] + uint8(one(x >= n.Above))
		}
	}
}

// scanLevelsInWords is scanLevelsPlain of positive codes for eight rows in a word, as scanWords.
func scanLevelsInWords(leaf []uint8, levels []ScanNode, codes []int8, rows int) {
	bytes := unsafe.Slice((*uint8)(unsafe.Pointer(unsafe.SliceData(codes))), len(codes))
	const ones, highs = 0x0101010101010101, 0x8080808080808080
	for lo := 0; lo < rows; lo += 8 {
		number := uint64(0)
		for i := range levels {
			n := &levels[i]
			x := binary.LittleEndian.Uint64(bytes[int(n.At)+lo:])
			number = 2*number + (x+uint64(128-int(n.Above))*ones)&highs>>7
		}
		binary.LittleEndian.PutUint64(leaf[lo:], number)
	}
}

// ScanLaneLevels is ScanLanes for oblivious trees, whose nodes are levels as for ScanLevels. A tree
// with fewer levels than others has levels of NoColumn before its own.
func ScanLaneLevels(
	leaf *[LaneTrees]uint8, levels []LaneNodes, codes *[MaxLaneCodes]int8, columns int,
) {
	if len(levels) == 0 {
		*leaf = [LaneTrees]uint8{}
		return
	}
	scanLaneLevels(leaf, levels, codes, columns)
}

// scanLaneLevelsPlain is the twin of the assembly.
func scanLaneLevelsPlain(
	leaf *[LaneTrees]uint8, levels []LaneNodes, codes *[MaxLaneCodes]int8,
) {
	*leaf = [LaneTrees]uint8{}
	for i := range levels {
		n := &levels[i]
		for t := range leaf {
			code := int8(0)
			if k := n.Column[t]; k != NoColumn {
				code = codes[k]
			}
			leaf[t] = 2*leaf[t] + uint8(one(code >= n.Above[t]))
		}
	}
}
