package spelling

import (
	"strings"
	"testing"
)

// Those with words are examples of ClickHouse's cityHash64 and of Perl's String::CityHash, which
// are the same version; digits pin longer texts.
func TestCityHash(t *testing.T) {
	digits := strings.Repeat("0123456789", 20)
	for text, want := range map[string]uint64{
		"":                         0x9ae16a3b2f90404f,
		"1":                        11413460447292444913,
		"test":                     17703940110308125106,
		"Moscow":                   12507901496292878638,
		"Some string to be hashed": 3122603809047816403,
		"some unicode ϵ Σ ∱":       15571479198080573106,
		"How can you write a big system without C++?  -Paul Glick": 6237945311650045625,
		digits[:65]:  4542353326030384943,
		digits[:128]: 7219484646688739894,
		digits:       5774316752020984239,
	} {
		if got := Hash(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
}
