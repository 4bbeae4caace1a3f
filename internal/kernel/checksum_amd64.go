//go:build amd64 && !purego

package kernel

import (
	"encoding/binary"
	"hash/crc32"
)

// folds reports whether Checksum multiplies vectors without carry.
var folds = forFolds.missing() == ""

// foldedChecksum is Checksum for two blocks or more.
func foldedChecksum(crc uint32, b []byte) uint32 {
	state := [checksumBlock]byte(b)
	// The inverse of the CRC is what the first bytes are added to.
	first := binary.LittleEndian.Uint32(state[:])
	binary.LittleEndian.PutUint32(state[:], first^^crc)
	b = b[checksumBlock:]
	foldBlocks(&state, &b[0], len(b)/checksumBlock, &foldFactors)
	// Nothing is added to the last block: the inverse of no remainder.
	return crc32.Update(^uint32(0), castagnoli, state[:])
}

// foldBlocks folds the state into so many blocks, one after the other.
//
//go:noescape
func foldBlocks(state *[checksumBlock]byte, b *byte, blocks int, factors *[2]uint64)
