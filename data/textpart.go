package data

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/coppice-ml/coppice/internal/parallel"
)

// TextPart describes how a numeric field is made of a text column.
type TextPart struct {
	Source string     `json:"source"` // name of the text column
	Format TextFormat `json:"format"`
	Bucket int        `json:"bucket"` // whose n-grams are counted; WordCount: words are
}

// WordCount is the TextPart.Bucket of the field that counts the words of a text.
const WordCount = -1

// Equal reports whether two fields are made alike, or both of no text.
func (t *TextPart) Equal(u *TextPart) bool {
	if t == nil || u == nil {
		return t == u
	}
	return *t == *u
}

// validate checks what files may have got wrong.
func (t *TextPart) validate() error {
	if t.Source == "" {
		return fmt.Errorf("a part of a text column without name")
	}
	if err := t.Format.validate(); err != nil {
		return err
	}
	if t.Bucket < WordCount || t.Bucket >= t.Format.Buckets {
		return fmt.Errorf("there is no bucket %d of %d", t.Bucket, t.Format.Buckets)
	}
	return nil
}

// levelGrams is the n-grams of some levels of a text column. Those of a level are at the places
// start[level] ... start[level+1]-1.
type levelGrams struct {
	start  []int
	bucket []int32
	count  []int32
	words  []int32 // by level
}

// levelsPart is the number of levels that one goroutine counts at a time.
const levelsPart = 512

// gramsOf counts the n-grams of the levels that are used.
func gramsOf(t TextFormat, levels []string, used []bool) *levelGrams {
	parts := make([]levelGrams, (len(levels)+levelsPart-1)/levelsPart)
	workers := parallel.Workers(0)
	counters := make([]*gramCounter, workers)
	parallel.Each(workers, len(parts), func(worker, i int) {
		if counters[worker] == nil {
			counters[worker] = newGramCounter(t)
		}
		g, p := counters[worker], &parts[i]
		for code := i * levelsPart; code < min(len(levels), (i+1)*levelsPart); code++ {
			words := 0
			if used[code] {
				g.tally(levels[code])
				words = len(g.words)
				p.bucket = append(p.bucket, g.found...)
				for _, b := range g.found {
					p.count = append(p.count, g.count[b])
				}
			}
			p.start, p.words = append(p.start, len(p.bucket)), append(p.words, int32(words))
		}
	})
	all := &levelGrams{start: []int{0}}
	for i := range parts {
		for _, end := range parts[i].start {
			all.start = append(all.start, len(all.bucket)+end)
		}
		all.bucket = append(all.bucket, parts[i].bucket...)
		all.count = append(all.count, parts[i].count...)
		all.words = append(all.words, parts[i].words...)
		parts[i] = levelGrams{}
	}
	return all
}

// usedLevels reports which of n levels some rows hold.
func usedLevels(codes []uint32, n int) []bool {
	used := make([]bool, n)
	for _, c := range codes {
		if int64(c) < int64(n) {
			used[c] = true
		}
	}
	return used
}

// textParts chooses the fields that a text column becomes: the number of words, and the buckets
// whose n-grams occur in enough rows.
func (f *Field) textParts(codes []uint32, t TextFormat, grams *levelGrams) []Field {
	rows := make([]int, t.Buckets)
	for _, c := range codes {
		if c < UnseenCode {
			for _, b := range grams.bucket[grams.start[c]:grams.start[c+1]] {
				rows[b]++
			}
		}
	}
	part := func(name string, bucket int) Field {
		return Field{Name: name, Missing: f.Missing,
			Text: &TextPart{Source: f.Name, Format: t, Bucket: bucket}}
	}
	fields := []Field{part(f.Name+".words", WordCount)}
	names := f.gramNames(codes, t)
	for b, n := range rows {
		if n >= t.Rows {
			field := part("", b)
			field.Name = field.Text.name(names[b])
			fields = append(fields, field)
		}
	}
	return fields
}

// name returns the name of the column of a bucket; gram is its most frequent n-gram, "" if none is
// short enough.
func (t *TextPart) name(gram string) string {
	return t.Source + "~" + cmp.Or(gram, "#"+strconv.Itoa(t.Bucket))
}

// Bounds of the names of buckets.
const (
	maxNamed = 1 << 20 // n-grams that are looked at for the names
	maxName  = 48      // bytes of a name
)

// gramNames returns the most frequent n-gram of each bucket among the first rows, of equally
// frequent ones the first bytewise. "" stands for none that is short enough.
func (f *Field) gramNames(codes []uint32, t TextFormat) []string {
	type number struct {
		bucket int32
		rows   int
	}
	seen := map[string]*number{}
	g := newGramCounter(t)
	left := maxNamed
	for _, c := range codes {
		if c >= UnseenCode {
			continue
		}
		g.each(f.Levels[c], func(bucket int32, n gram) {
			left--
			if len(n.text) > maxName {
				return
			}
			name := n.String()
			if seen[name] == nil {
				seen[name] = &number{bucket: bucket}
			}
			seen[name].rows++
		})
		if left < 0 {
			break
		}
	}
	names, most := make([]string, t.Buckets), make([]int, t.Buckets)
	for name, n := range seen {
		if b := n.bucket; n.rows > most[b] || n.rows == most[b] && name < names[b] {
			names[b], most[b] = name, n.rows
		}
	}
	return names
}

// textColumns makes the columns of fields of one text column. Only the given rows, nil = all, have
// values; they ascend.
//
//	level      bucket  count       rows 0 1 2 3 4        field
//	"good ax"  3, 9    1, 1        code 0 1 0 1 -   ->   bucket 3  1 . 1 . .
//	"bad"      5       1                                 words     2 1 2 1 NaN
func textColumns(
	fields []Field, codes []uint32, rows []int32, grams *levelGrams, buckets int,
) []Column {
	place := slices.Repeat([]int{-1}, buckets) // of the field of a bucket
	columns := make([]*sparse, len(fields))
	words := -1
	for i := range fields {
		columns[i] = &sparse{rows: len(codes)}
		if b := fields[i].Text.Bucket; b == WordCount {
			words = i
		} else {
			place[b] = i
		}
	}
	store := func(field int, row int32, v float64) {
		c := columns[field]
		c.row, c.value = append(c.row, row), append(c.value, v)
	}
	n := len(codes)
	if rows != nil {
		n = len(rows)
	}
	for i := range n {
		row := int32(i)
		if rows != nil {
			row = rows[i]
		}
		code := codes[row]
		if code >= UnseenCode {
			if words >= 0 {
				store(words, row, math.NaN())
			}
			continue
		}
		if n := grams.words[code]; words >= 0 && n > 0 {
			store(words, row, float64(n))
		}
		for k := grams.start[code]; k < grams.start[code+1]; k++ {
			if i := place[grams.bucket[k]]; i >= 0 {
				store(i, row, float64(grams.count[k]))
			}
		}
	}
	made := make([]Column, len(columns))
	for i := range columns {
		made[i] = Column{sparse: columns[i]}.pack()
	}
	return made
}

// expandText makes the fields and columns of a text column. like, if not empty, are the fields.
func (f *Field) expandText(c *Column, like []Field) ([]Field, []Column, error) {
	t, err := f.TextFormat()
	if len(like) > 0 {
		t, err = like[0].Text.Format, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("column %q: %w", f.Name, err)
	}
	grams := gramsOf(t, f.Levels, usedLevels(c.code, len(f.Levels)))
	if len(like) == 0 {
		like = f.textParts(c.code, t, grams)
	}
	return like, textColumns(like, c.code, nil, grams, t.Buckets), nil
}

// withTexts returns the table with the kind Text of some columns of texts, to be read by the given
// formats. Errors: a column that is absent or holds no texts; a format with a fault.
func (f *Frame) withTexts(formats map[string]TextFormat) (*Frame, error) {
	if len(formats) == 0 {
		return f, nil
	}
	g := f.Select(nil)
	g.Schema.Fields, g.Columns = slices.Clone(f.Schema.Fields), f.Columns
	for _, name := range slices.Sorted(maps.Keys(formats)) {
		format := formats[name]
		i := f.Schema.Index(name)
		switch err := format.validate(); {
		case err != nil:
			return nil, fmt.Errorf("column %q: %w", name, err)
		case i < 0:
			return nil, unknownColumn("text", name, &f.Schema)
		case !f.Schema.Fields[i].Kind.HasLevels():
			return nil, fmt.Errorf("%scolumn %q is %s, want texts", f.place(), name,
				f.Schema.Fields[i].Kind)
		}
		g.Schema.Fields[i].Kind, g.Schema.Fields[i].Format = Text, format.Code()
	}
	return g, nil
}
