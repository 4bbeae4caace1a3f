package tune

import "github.com/coppice-ml/coppice/internal/rng"

// Dimensions returns how many parameters of a candidate are searched.
func Dimensions(c *Candidate) (int, error) {
	s, err := newSpace(c)
	return len(s.all), err
}

// Draw returns random settings of a candidate.
func Draw(from *rng.Stream, c *Candidate) []string {
	s, err := newSpace(c)
	if err != nil {
		panic(err)
	}
	_, settings := random{}.propose(from, []space{s}, nil, 0)
	return settings
}

// Line returns a line of a study, with its checksum.
func Line(v any) string {
	line, err := summed(v)
	if err != nil {
		panic(err)
	}
	return string(line)
}
