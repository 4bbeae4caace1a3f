package data

import (
	"encoding/hex"
)

// HashedLevels is the Field.Format of a categorical column whose dictionary may have hashes in
// place of texts, as HashedLevel writes them. Models that CatBoost wrote have such levels, since
// its files hold the hashes of categories alone. A category of a table is found by its text, or
// else by the hash of that.
const HashedLevels = "cityhash"

// hashPrefix starts a level that is a hash; 8 hexadecimal digits follow.
const hashPrefix = '#'

// HashedLevel returns the level of a text whose hash stands in a dictionary, such as "#2f90404f" of
// the empty text: the lower half of its CityHash64 (version 1.0).
func HashedLevel(text string) string { return HashLevel(uint32(cityHash(text))) }

// HashLevel returns the level of a hash.
func HashLevel(hash uint32) string {
	var level [9]byte
	level[0] = hashPrefix
	hex.Encode(level[1:], []byte{byte(hash >> 24), byte(hash >> 16), byte(hash >> 8), byte(hash)})
	return string(level[:])
}

// Hashed reports whether the field's levels may be hashes, so that a table's categories are found
// by HashedLevel where they are not found by their texts.
func (f *Field) Hashed() bool { return f.Kind == Categorical && f.Format == HashedLevels }

// Hash returns the hash of the category of a level: the level itself if Hashed and it is one, else
// that of its text.
func (f *Field) Hash(level string) uint32 {
	if f.Hashed() && len(level) == 9 && level[0] == hashPrefix {
		if b, err := hex.DecodeString(level[1:]); err == nil {
			return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
		}
	}
	return uint32(cityHash(level))
}
