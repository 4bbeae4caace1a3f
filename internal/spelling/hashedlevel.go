package spelling

import "encoding/hex"

// hashPrefix starts a level that is a hash; 8 hexadecimal digits follow.
const hashPrefix = '#'

// HashedLevel returns the level of a text whose hash stands in a dictionary, such as "#2f90404f" of
// the empty text: the lower half of its CityHash64 (version 1.0).
func HashedLevel(text string) string { return HashLevel(uint32(Hash(text))) }

// HashLevel returns the level of a hash.
func HashLevel(hash uint32) string {
	var level [9]byte
	level[0] = hashPrefix
	hex.Encode(level[1:], []byte{byte(hash >> 24), byte(hash >> 16), byte(hash >> 8), byte(hash)})
	return string(level[:])
}

// ParseHash returns the hash that a level is; false if it is none.
func ParseHash(level string) (hash uint32, ok bool) {
	if len(level) != 9 || level[0] != hashPrefix {
		return 0, false
	}
	b, err := hex.DecodeString(level[1:])
	if err != nil {
		return 0, false
	}
	return uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3]), true
}
