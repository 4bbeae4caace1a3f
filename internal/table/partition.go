package table

import (
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/data"
)

// Partition is a value that all rows of a file have, since it stands in the name of a folder.
type Partition struct {
	Key     string
	Value   string
	Missing bool
}

// hiveNull is the value of a folder whose rows have none.
const hiveNull = "__HIVE_DEFAULT_PARTITION__"

// Partitions returns what the folders named key=value right above a file are, the outermost first.
// Keys and values are percent-decoded. A value that is no percent-encoded text stands for itself.
//
//	sales/year=2026/shop=M%C3%BCnster/part-0.parquet    year: 2026, shop: Münster
func Partitions(path string) []Partition {
	folders := strings.Split(filepath.ToSlash(path), "/")
	var found []Partition
	for i := len(folders) - 2; i >= 0; i-- {
		key, value, pair := strings.Cut(folders[i], "=")
		if !pair || key == "" {
			break
		}
		p := Partition{Key: unescape(key), Value: unescape(value), Missing: value == hiveNull}
		if !slices.ContainsFunc(found, func(o Partition) bool { return o.Key == p.Key }) {
			found = append(found, p)
		}
	}
	slices.Reverse(found)
	return found
}

func unescape(text string) string {
	if plain, err := url.PathUnescape(text); err == nil {
		return plain
	}
	return text
}

// asks reports whether the options or the model's schema name a column.
func (p *Plan) asks(name string) bool {
	o := p.options
	_, dated := o.Dates[name]
	_, needed := p.position[name]
	return dated || needed || p.numeric[name] || p.categorical[name] || p.ignore[name] ||
		p.also[name] || p.verbatim[name]
}

// PartitionKeys returns the keys of the columns that the partitions of files make, beside columns
// of these names. A column of the files goes before one of their folders. A key of which all files
// have one value makes a column only where the options or a schema name it; without a schema
// ReadOptions.Log receives a note of it.
func (p *Plan) PartitionKeys(files [][]Partition, names []string) []string {
	var keys []string
	if len(files) == 0 {
		return nil
	}
	for i, part := range files[0] {
		varies := slices.ContainsFunc(files, func(of []Partition) bool {
			return valueOf(of, part.Key) != files[0][i]
		})
		switch {
		case slices.Contains(names, part.Key):
		case varies || p.asks(part.Key):
			keys = append(keys, part.Key)
		case p.options.Log != nil && p.options.Schema == nil:
			p.options.Log("the folders %s=%s make no column %q, because all files have that value",
				part.Key, part.Value, part.Key)
		}
	}
	return keys
}

func valueOf(parts []Partition, key string) Partition {
	at := slices.IndexFunc(parts, func(p Partition) bool { return p.Key == key })
	if at < 0 {
		return Partition{Key: key, Missing: true}
	}
	return parts[at]
}

// PartitionColumns returns the columns of keys for the rows of a table. The values of all files
// decide on the kind of a column, as the texts of a CSV file do. files are those of the origin, in
// its order.
func (p *Plan) PartitionColumns(
	keys []string, files [][]Partition, rows int, origin *data.Origin,
) ([]*Column, error) {
	columns := make([]*Column, len(keys))
	for i, key := range keys {
		c := p.Column(key, Untyped)
		c.appended = true
		if err := p.account.Check(rows, c.Width(), 0); err != nil {
			err.File = origin.Files[0]
			return nil, err
		}
		values := make(folderValues, len(files))
		for f := range files {
			values[f] = valueOf(files[f], key)
		}
		if err := values.appendTo(&c, rows, origin); err != nil {
			return nil, err
		}
		columns[i] = &c
	}
	return columns, nil
}

// PartitionKinds returns PartitionColumns without their rows, for Assemble of no rows.
func (p *Plan) PartitionKinds(
	keys []string, files [][]Partition, rows int, origin *data.Origin,
) ([]*Column, error) {
	// one row for each file that has some
	var short data.Origin
	var parts [][]Partition
	var count, first []int
	for f := range files {
		end := rows
		if f+1 < len(origin.First) {
			end = int(origin.First[f+1])
		}
		if n := end - int(origin.First[f]); n > 0 {
			short.Files = append(short.Files, origin.Files[f])
			short.First = append(short.First, int32(len(count)))
			parts, count = append(parts, files[f]), append(count, n)
			first = append(first, int(origin.First[f]))
		}
	}
	columns, err := p.PartitionColumns(keys, parts, len(count), &short)
	if err != nil {
		return nil, err
	}
	for _, c := range columns {
		if c.Turned != nil {
			c.Turned.Row = first[c.Turned.Row]
		}
		if c.Storage == Codes && c.Field.Kind != data.Date {
			n := new(Counts)
			for f, code := range c.Code {
				n.add(code, count[f], first[f])
			}
			c.SetCounts(n)
		}
		c.Empty()
	}
	return columns, nil
}

// folderValues are those of one key, for each file.
type folderValues []Partition

// appendTo gives each row of a column the value of its file.
func (values folderValues) appendTo(c *Column, rows int, origin *data.Origin) error {
	if !c.Used() {
		return nil
	}
	values.turn(c, origin)
	c.Grow(rows)
	for f, v := range values {
		end := rows
		if f+1 < len(values) {
			end = int(origin.First[f+1])
		}
		n := end - int(origin.First[f])
		if n == 0 {
			continue
		}
		v.appendTo(c)
		if fault := c.plan.fault; fault != nil {
			e := *fault
			e.File, e.Msg = origin.Files[f], e.Msg+", in the name of the folder"
			return &e
		}
		c.Num, c.Code = repeated(c.Num, n-1), repeated(c.Code, n-1)
		c.Kept.Codes = repeated(c.Kept.Codes, n-1)
		c.rows += n - 1
	}
	if c.Type == Untyped {
		c.StoreFormat()
	}
	return nil
}

// appendTo appends the value to a column, in the way in which CSV reads a text.
func (v Partition) appendTo(c *Column) {
	text := []byte(v.Value)
	switch {
	case v.Missing:
		c.AppendMissing()
	case c.Storage == Numbers:
		c.Num = append(c.Num, c.number(trim(text)))
		if c.Kept.Dict != nil {
			c.fail(c.Kept.add(text))
		}
		c.rows++
	default:
		c.AppendText(text)
	}
}

// turn makes a column of inferred kind categorical, until all texts are known, if one of the values
// is no plain number.
func (values folderValues) turn(c *Column, origin *data.Origin) {
	if c.Storage != Numbers || !c.Texts.inferred && !c.Texts.insisted {
		return
	}
	for f, v := range values {
		text := trim([]byte(v.Value))
		if v.Missing || c.Texts.IsMissing(text) {
			continue
		}
		if _, plain := c.Texts.Parse(text); !plain && c.Texts.Turn(text) {
			c.Turn(&Turn{Text: Quote(text), Row: int(origin.First[f])})
			return
		}
	}
}

// repeated appends the last value n times, where there are any.
func repeated[T any](values []T, n int) []T {
	if len(values) == 0 {
		return values
	}
	return append(values, slices.Repeat(values[len(values)-1:], n)...)
}
