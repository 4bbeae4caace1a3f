package data

import "github.com/coppice-ml/coppice/internal/spelling"

// HashedLevels is the Field.Format of a categorical column whose dictionary may have hashes in
// place of texts, as "#2f90404f" of the empty text. Models that CatBoost wrote have such levels,
// since its files hold the hashes of categories alone. A category of a table is found by its text,
// or else by the hash of that.
const HashedLevels = "cityhash"

// Hashed reports whether the field's levels may be hashes, so that a table's categories are found
// by the hash where they are not found by their texts.
func (f *Field) Hashed() bool { return f.Kind == Categorical && f.Format == HashedLevels }

// Hash returns the hash of the category of a level: the level itself if Hashed and it is one, else
// that of its text.
func (f *Field) Hash(level string) uint32 {
	if f.Hashed() {
		if hash, ok := spelling.ParseHash(level); ok {
			return hash
		}
	}
	return uint32(spelling.Hash(level))
}
