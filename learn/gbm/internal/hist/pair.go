package hist

// pair is a sum of gradients and a sum of hessians, in units of sums.
type pair struct{ g, h float64 }

func (a pair) plus(b pair) pair  { return pair{a.g + b.g, a.h + b.h} }
func (a pair) minus(b pair) pair { return pair{a.g - b.g, a.h - b.h} }

// word returns a sum of words as one.
func (a pair) word() int64 { return int64(a.g)<<32 + int64(a.h) }

// pairOf is the other way round.
func pairOf(word int64) pair { return pair{float64(word >> 32), float64(uint32(word))} }
