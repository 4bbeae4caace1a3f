package profile

import (
	"encoding/json"
	"sort"
	"unicode/utf8"

	"github.com/coppice-ml/coppice/model"
)

// fit leaves out what a profile has beyond its limit of bytes: of every column the last levels, as
// few as have to go; then all quantiles; then the columns.
func fit(p *model.Profile) {
	all := p.Columns
	if fits(p) {
		return
	}
	limited := func(most int) []model.ColumnProfile {
		columns := make([]model.ColumnProfile, len(all))
		copy(columns, all)
		for i := range columns {
			keep(&columns[i], most)
		}
		return columns
	}
	out := sort.Search(model.ProfileLevels, func(out int) bool {
		p.Columns = limited(model.ProfileLevels - out)
		return fits(p)
	})
	if p.Columns = limited(model.ProfileLevels - out); fits(p) {
		return
	}
	for i := range p.Columns {
		if n := p.Columns[i].Numbers; n != nil {
			n.Quantiles, n.AtMost = nil, nil
		}
	}
	if !fits(p) {
		p.Columns = nil
	}
	for i := 0; i < len(p.Label) && !fits(p); i++ {
		keep(&p.Label[i], 0)
	}
}

// fits reports whether a profile is within the limit, however its texts are written.
func fits(p *model.Profile) bool {
	size := 0
	for _, list := range [][]model.ColumnProfile{p.Columns, p.Label, p.Predictions} {
		for i := range list {
			size += textSize(list[i].Name)
			for _, l := range list[i].Levels {
				size += textSize(l.Level)
			}
		}
	}
	if size > model.ProfileBytes {
		return false
	}
	b, err := json.Marshal(p)
	return err == nil && size+len(b) <= model.ProfileBytes
}

// textSize is what a text that is not UTF-8 takes beyond its JSON.
func textSize(text string) int {
	if utf8.ValidString(text) {
		return 0
	}
	return 2*len(text) + 16
}
