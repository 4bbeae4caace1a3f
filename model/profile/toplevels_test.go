package profile

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/model"
)

// The levels that are kept are the first ones of all in order, however many there are.
func TestTopLevels(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 99, 100, 101, 799, 800, 801, 5000} {
		counts, levels := make([]int32, n), make([]string, n)
		var all []data.LevelCount
		rows := 0
		for i := range counts {
			counts[i], levels[i] = int32(r.IntN(4)), fmt.Sprint("k", r.Uint32(), i)
			if counts[i] > 0 {
				all = append(all, data.LevelCount{Level: levels[i], Rows: int(counts[i])})
			}
		}
		slices.SortFunc(all, func(a, b data.LevelCount) int {
			return cmp.Or(b.Rows-a.Rows, cmp.Compare(a.Level, b.Level))
		})
		want := model.ColumnProfile{Distinct: len(all), Levels: all}
		if most := model.ProfileLevels; len(all) > most {
			for _, l := range all[most:] {
				rows += l.Rows
			}
			want.Levels, want.OtherLevels, want.OtherRows = all[:most], len(all)-most, rows
		}
		var got model.ColumnProfile
		if setLevels(&got, counts, levels); !reflect.DeepEqual(got, want) {
			t.Errorf("%d levels: got\n%v\nwant\n%v", n, got, want)
		}
	}
}
