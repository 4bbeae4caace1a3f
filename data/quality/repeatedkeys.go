package quality

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/option"
)

// The limits of the check of repeated keys.
const (
	leastKeys  = 20     // different ones
	rowsOfKey  = 1.5    // rows of a key, on average and at least
	mostOfKey  = 100    // at most: of so many rows, new ones will be of known keys
	keyedRows  = 20_000 // about so many are looked at, which are all rows of some keys
	namedAlike = 0.3    // how alike the labels of a key must be if the column is named after keys
	codedAlike = 0.5    // and if its texts are codes only
	alikeZ     = 4.5    // standard errors
)

// keyWords are words of names of columns that tell things apart, of which a table has several rows.
var keyWords = []string{"id", "ids", "key", "uuid", "guid", "patient", "subject", "person", "customer",
	"client", "user", "member", "participant", "respondent", "household", "family", "student",
	"session", "account", "device", "donor", "animal", "case"}

// repeatedKeys finds keys of several rows each, whose labels are alike: a split by rows puts rows
// of one key into training and test set, where a model recognises the key by all that its rows have
// in common.
func repeatedKeys(t *inspected) []Warning {
	keys := t.repeatedKeys()
	var found []Warning
	for i, k := range keys {
		if k.alike == 0 {
			continue
		}
		found = append(found, Warning{Columns: []string{t.name(i)}, Value: k.alike,
			Message: fmt.Sprintf("the rows of one %q have nearly the same label, and there are %.1f of "+
				"each on average", t.name(i), k.rows),
			Advice: option.Expand("if new rows are of others, keep its rows together with {group} ") +
				t.name(i)})
	}
	return found
}

// findRepeatedKey is a column that is a key of several rows: how alike its labels are (intraclass
// correlation; 0 = the column is none), and the mean number of rows.
type repeatedKey struct{ alike, rows float64 }

// repeatedKeys looks at all columns once. Rows that are split by groups or by time are of one key
// on purpose.
func (t *inspected) repeatedKeys() []repeatedKey {
	t.keysOnce.Do(func() {
		t.keys = make([]repeatedKey, len(t.columns))
		if label := t.label(); label != nil && t.Target.Group == nil && t.Target.Time == nil {
			t.each(func(i int) { t.keys[i] = findRepeatedKey(t, i, label) })
		}
	})
	return t.keys
}

func findRepeatedKey(t *inspected, column int, label *data.Column) repeatedKey {
	p, f := &t.columns[column], &t.Schema.Fields[column]
	if p.constant || p.identifier != "" || p.misfits.texts != nil || f.Derived() {
		return repeatedKey{}
	}
	least := codedAlike
	if namedAfterKeys(f.Name) {
		least = namedAlike
	} else if f.Kind != data.Categorical || f.Format != "" || !areCodes(f.Levels) {
		return repeatedKey{}
	}
	c := &t.Columns[column]
	if c.Codes() == nil && slices.ContainsFunc(numbers(c, t.sample),
		func(v float64) bool { return v != math.Trunc(v) }) { // NaN too
		return repeatedKey{}
	}
	keys := rowsByKey(t, c)
	n, pairs := 0.0, 0.0
	for _, rows := range keys {
		n += float64(len(rows))
		pairs += float64(float64(len(rows)) * float64(len(rows)-1) / 2)
	}
	mean := n / float64(len(keys))
	if len(keys) < leastKeys || mean < rowsOfKey || mean > mostOfKey {
		return repeatedKey{}
	}
	alike := likeness(keys, label)
	if alike < least || alike*math.Sqrt(pairs) < alikeZ {
		return repeatedKey{}
	}
	return repeatedKey{alike, mean}
}

// rowsByKey returns the training rows of each key, or of as many keys as have about keyedRows rows.
// The keys are in the order of their first rows.
func rowsByKey(t *inspected, c *data.Column) [][]int32 {
	part := uint64(max(1, len(t.rows)/keyedRows))
	place := map[uint64]int{}
	var keys [][]int32
	for _, row := range t.rows {
		k := key(c, row)
		if mix(k^0x6b657973)%part != 0 || c.Codes() != nil && uint32(k) >= data.UnseenCode {
			continue
		}
		at, known := place[k]
		if !known {
			at = len(keys)
			place[k] = at
			keys = append(keys, nil)
		}
		keys[at] = append(keys[at], row)
	}
	return keys
}

// likeness returns the intraclass correlation of the labels of rows by key: 1 if the rows of a key
// have one label, 0 if they are as different as those of two keys. For classes it is how often the
// classes of two rows agree, beyond chance (Fleiss 1971).
func likeness(keys [][]int32, label *data.Column) float64 {
	if codes := label.Codes(); codes != nil {
		return classLikeness(keys, codes)
	}
	n, mean, spread := 0.0, 0.0, 0.0
	for _, rows := range keys {
		for _, row := range rows {
			n++
			mean += label.Number(int(row))
		}
	}
	mean /= n
	same, pairs := 0.0, 0.0
	for _, rows := range keys {
		sum, squares := 0.0, 0.0
		for _, row := range rows {
			d := label.Number(int(row)) - mean
			sum += d
			squares += float64(d * d)
		}
		spread += squares
		same += float64(sum*sum) - squares
		pairs += float64(float64(len(rows)) * float64(len(rows)-1))
	}
	if !(spread > 0) || pairs == 0 {
		return 0
	}
	return same / pairs / (spread / n)
}

func classLikeness(keys [][]int32, class []uint32) float64 {
	total := map[uint32]float64{}
	n, same, pairs := 0.0, 0.0, 0.0
	for _, rows := range keys {
		counts := map[uint32]int{}
		for _, row := range rows {
			counts[class[row]]++
			total[class[row]]++
		}
		for _, k := range counts { // whole numbers: their sum has no order
			same += float64(float64(k) * float64(k-1))
		}
		n += float64(len(rows))
		pairs += float64(float64(len(rows)) * float64(len(rows)-1))
	}
	chance := 0.0
	for _, k := range total {
		chance += float64(k * (k - 1))
	}
	if chance /= n * (n - 1); pairs == 0 || !(chance < 1) {
		return 0
	}
	return (same/pairs - chance) / (1 - chance)
}

// namedAfterKeys reports whether a word of a name is one of keys: "patient", "userId", "USER_ID".
func namedAfterKeys(name string) bool {
	var words []string
	word := []rune{}
	end := func() {
		words = append(words, strings.ToLower(string(word)))
		word = word[:0]
	}
	lower := false
	for _, r := range name {
		if !unicode.IsLetter(r) || lower && unicode.IsUpper(r) {
			end()
		}
		if lower = unicode.IsLower(r); unicode.IsLetter(r) {
			word = append(word, r)
		}
	}
	end()
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(keyWords, w) })
}

// areCodes reports whether texts are made as codes are: of digits, letters and marks, in the same
// way as the first one. Examples are P0001 and P0002, or K-12 and K-103.
func areCodes(levels []string) bool {
	if len(levels) < leastKeys {
		return false
	}
	shape := shapeOf(levels[0])
	if !strings.Contains(shape, "0") || shape == "0" { // names, and numbers such as postal codes
		return false
	}
	same := 0
	for _, text := range levels {
		if shapeOf(text) == shape {
			same++
		}
	}
	return float64(same) >= 0.95*float64(len(levels))
}

// shapeOf returns a text with 0 for each run of digits.
func shapeOf(text string) string {
	var b strings.Builder
	digit := false
	for _, r := range text {
		if !unicode.IsDigit(r) {
			b.WriteRune(r)
		} else if !digit {
			b.WriteByte('0')
		}
		digit = unicode.IsDigit(r)
	}
	return b.String()
}
