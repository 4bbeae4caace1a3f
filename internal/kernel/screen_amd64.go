//go:build amd64 && !purego

package kernel

func screens() bool { return hasAVX2 && hasFMA }

func (s *Screen) may(words []int64, usual int, start int64) bool {
	return screenBins(s, &words[0], (len(words)+searchLanes-1)/searchLanes, usual, start)
}

// screenBins is May for so many times four bins.
//
//go:noescape
func screenBins(s *Screen, words *int64, fours, usual int, start int64) bool
