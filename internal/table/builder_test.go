package table

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/data"
)

// builder returns a builder that has begun the file t.
func builder(t *testing.T, o data.ReadOptions) *Builder {
	t.Helper()
	b, err := NewBuilder(&o, Tokens(&o, nil))
	if err != nil {
		t.Fatal(err)
	}
	b.Begin("t", nil)
	return b
}

func column(t *testing.T, b *Builder, name string, typed Type) *Column {
	t.Helper()
	c, err := b.Column(name, typed)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func finish(t *testing.T, b *Builder) *data.Frame {
	t.Helper()
	made, err := b.Table()
	if err != nil {
		t.Fatal(err)
	}
	return made.Frame
}

// texts returns the values of a column as texts, - for missing ones.
func texts(f *data.Frame, column int) []string {
	var texts []string
	for row := range f.Rows() {
		c := f.Columns[column]
		switch {
		case f.IsMissing(row, column):
			texts = append(texts, "-")
		case c.Codes() != nil:
			texts = append(texts, f.Schema.Fields[column].Levels[c.Code(row)])
		default:
			texts = append(texts, fmt.Sprint(c.Number(row)))
		}
	}
	return texts
}

// An appended value becomes a number, or the text with all its digits.
func TestAppend(t *testing.T) {
	for _, c := range []struct {
		name           string
		add            func(*Column)
		number, level  string
		withoutNumbers bool
	}{
		{name: "number", add: func(c *Column) { c.AppendNumber(0.1) }, number: "0.1", level: "0.1"},
		{name: "NaN", add: func(c *Column) { c.AppendNumber(math.NaN()) }, number: "-", level: "-"},
		{name: "infinity", add: func(c *Column) { c.AppendNumber(math.Inf(-1)) }, number: "-Inf", level: "-Inf"},
		{name: "float32", add: func(c *Column) { c.Bits = 32; c.AppendNumber(float64(float32(0.1))) }, number: "0.10000000149011612", level: "0.1"},
		{name: "integer", add: func(c *Column) { c.AppendInteger(-7) }, number: "-7", level: "-7"},
		{name: "long integer", add: func(c *Column) { c.AppendInteger(math.MinInt64 + 1) }, number: "-9.223372036854776e+18", level: "-9223372036854775807"},
		{name: "unsigned", add: func(c *Column) { c.AppendUnsigned(math.MaxUint64) }, number: "1.8446744073709552e+19", level: "18446744073709551615"},
		{name: "numeral", add: func(c *Column) { c.AppendNumeral(7, []byte("+007")) }, number: "7", level: "7"},
		{name: "minus zero", add: func(c *Column) { c.AppendNumeral(math.Copysign(0, -1), []byte("-0")) }, number: "-0", level: "0"},
		{name: "fraction", add: func(c *Column) { c.AppendNumeral(1.5, []byte("1.50")) }, number: "1.5", level: "1.5"},
		{name: "text", add: func(c *Column) { c.AppendText([]byte(" 1.50 ")) }, number: "1.5", level: " 1.50 "},
		{name: "blanks", add: func(c *Column) { c.AppendText([]byte(" \t")) }, number: "-", level: "-"},
		{name: "token", add: func(c *Column) { c.AppendText([]byte("NA")) }, number: "-", level: "-"},
		{name: "number that is a token", add: func(c *Column) { c.AppendNumber(-9) }, number: "-", level: "-"},
		{name: "truth", add: func(c *Column) { c.AppendBool(true) }, level: "true", withoutNumbers: true},
		{name: "days", add: func(c *Column) { c.AppendNumber(Microseconds(-1, 24*time.Hour)) }, number: "-8.64e+10", level: "-86400000000"},
		{name: "nanoseconds", add: func(c *Column) { c.AppendNumber(Microseconds(-1, time.Nanosecond)) }, number: "-1", level: "-1"},
		{name: "date", add: func(c *Column) { c.AppendDate(-1, 24*time.Hour) }, number: "-8.64e+10", level: "1969-12-31"},
		{name: "timestamp", add: func(c *Column) { c.AppendDate(-1, time.Nanosecond) }, number: "-1", level: "1969-12-31T23:59:59.999999Z"},
		{name: "decimal", add: func(c *Column) { c.AppendNumber(Decimal(-1999, 2)) }, number: "-19.99", level: "-19.99"},
		{name: "decimal of tens", add: func(c *Column) { c.AppendNumber(Decimal(3, -2)) }, number: "300", level: "300"},
		{name: "big decimal", add: func(c *Column) { c.AppendNumber(BigDecimal([]byte{8: 0, 0: 0x40}, 30)) }, number: "1.1805916207174114e-09", level: "1.1805916207174114e-09"},
		{name: "float16", add: func(c *Column) { c.AppendNumber(Float16(0x8001)) }, number: "-5.960464477539063e-08", level: "-5.960464477539063e-08"},
	} {
		o := data.ReadOptions{Numeric: []string{"n"}, Categorical: []string{"c"},
			Missing: []string{"NA", "-9"}}
		b := builder(t, o)
		number, level := column(t, b, "n", Untyped), column(t, b, "c", Untyped)
		if c.add(level); !c.withoutNumbers {
			c.add(number)
		} else {
			number.AppendMissing()
		}
		if err := b.EndRow(1); err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		f := finish(t, b)
		if got := texts(f, 0)[0]; !c.withoutNumbers && got != c.number {
			t.Errorf("%s: number %s, want %s", c.name, got, c.number)
		}
		if got := texts(f, 1)[0]; got != c.level {
			t.Errorf("%s: category %q, want %q", c.name, got, c.level)
		}
	}
}

// endRows ends rows whose values the columns have.
func endRows(b *Builder, n int) error {
	for row := range n {
		if err := b.EndRow(row + 1); err != nil {
			return err
		}
	}
	return nil
}

// A column that turns categorical has the categories that it would have had from the start.
func TestTurn(t *testing.T) {
	numerals := rapid.SliceOf(rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,3})?`))
	rapid.Check(t, func(rt *rapid.T) {
		values := numerals.Draw(rt, "values")
		b := builder(t, data.ReadOptions{Categorical: []string{"c"}})
		inferred, forced := column(t, b, "i", Untyped), column(t, b, "c", Untyped)
		for _, c := range []*Column{inferred, forced} {
			for _, text := range values {
				v, _ := ParseNumber([]byte(text))
				c.AppendNumeral(v, []byte(text))
			}
			c.AppendMissing()
			c.AppendText([]byte("x"))
		}
		if err := endRows(b, len(values)+2); err != nil {
			rt.Fatal(err)
		}
		f := finish(t, b)
		if got, want := texts(f, 0), texts(f, 1); !slices.Equal(got, want) {
			rt.Fatalf("turned: %q, forced: %q", got, want)
		}
		if !slices.Equal(f.Schema.Fields[0].Levels, f.Schema.Fields[1].Levels) {
			rt.Fatal("the dictionaries differ")
		}
	})
}

func TestBuilderFaults(t *testing.T) {
	for _, c := range []struct {
		name string
		err  func(b *Builder) error
		want string
		why  error
	}{
		{"text in numbers", func(b *Builder) error {
			c, _ := b.Column("n", TypedTexts)
			c.AppendText([]byte("1"))
			_ = b.EndRow(1)
			c.AppendText([]byte("x"))
			return b.EndRow(2)
		}, `t:2: column "n": "x" is not a number`, data.ErrNumber},
		{"a row on a line", func(b *Builder) error {
			c, _ := b.Column("n", Untyped)
			c.AppendBool(true)
			return b.EndRow(17)
		}, `t:17: column "n": "true" is not a number`, data.ErrNumber},
		{"another type", func(b *Builder) error {
			c, _ := b.Column("x", TypedNumbers)
			c.AppendNumber(1)
			_ = b.EndRow(1)
			b.Begin("u", nil)
			_, err := b.Column("x", TypedTexts)
			return err
		}, `u: column "x": holds texts, in t it holds numbers`, data.ErrHeader},
		{"no name", func(b *Builder) error { _, err := b.Column("", Untyped); return err }, "t: column 1 has no name", data.ErrHeader},
		{"two names", func(b *Builder) error { return b.Names([]string{"n", "m", "n"}) }, `t: two columns are called "n"`, data.ErrHeader},
		{"a column too much", func(b *Builder) error {
			_, _ = b.Column("n", Untyped)
			b.Begin("u", nil)
			return b.Names([]string{"n", "m"})
		}, `u: there is a column "m", which t does not have`, data.ErrHeader},
		{"a column too few", func(b *Builder) error {
			_, _ = b.Column("n", Untyped)
			b.Begin("u", nil)
			return b.Names(nil)
		}, `u: there is no column "n", which t has`, data.ErrHeader},
		{"too many rows", func(b *Builder) error { return b.Limit(MaxRows + 1) }, "t: more than 2147483646 rows", data.ErrLimit},
		{"too many values", func(b *Builder) error {
			_, _ = b.Column("n", Untyped)
			_, _ = b.Column("m", Untyped)
			return b.Limit(51)
		}, "t: 51 rows of 2 columns are more than 100 values (leave columns out)", data.ErrLimit},
		{"no column", func(b *Builder) error { _ = b.EndRow(1); _, err := b.Table(); return err }, "t: there are no columns", data.ErrEmpty},
		{"no row", func(b *Builder) error { _, err := b.Table(); return err }, "t: there are no rows", data.ErrEmpty},
	} {
		b := builder(t, data.ReadOptions{Numeric: []string{"n"}, MaxValues: 100})
		if err := c.err(b); err == nil || err.Error() != c.want || !errors.Is(err, c.why) {
			t.Errorf("%s: got %v, want %s", c.name, err, c.want)
		}
	}
}

// Columns that come and go are missing where they were not.
func TestBuilderPads(t *testing.T) {
	b := builder(t, data.ReadOptions{})
	for row, names := range []string{"a", "b", "ab", "", "c"} {
		for _, name := range names {
			column(t, b, string(name), Untyped).AppendInteger(int64(row))
		}
		if err := b.EndRow(row + 1); err != nil {
			t.Fatal(err)
		}
	}
	f := finish(t, b)
	for j, want := range []string{"0 - 2 - -", "- 1 2 - -", "- - - - 4"} {
		if got := strings.Join(texts(f, j), " "); got != want {
			t.Errorf("column %d: %s, want %s", j, got, want)
		}
	}
}

func TestDamaged(t *testing.T) {
	for reported, want := range map[string]string{
		"bad\npage": "f: damaged data: bad page", "runtime error: index out of range": "f: damaged data", strings.Repeat("é", 150): "f: damaged data: " + strings.Repeat("é", 100) + "...",
	} {
		if err := Damaged("f", "data", errors.New(reported)); err.Error() != want ||
			!errors.Is(err, data.ErrFormat) {
			t.Errorf("%q: got %s", reported, err)
		}
	}
}

// Texts count with the values of a block, as long as they are in memory: long ones make blocks of
// few rows, and those of all blocks may be more than the limit.
func TestTextsMakeBlocksSmall(t *testing.T) {
	const rows, length, limit = 2000, 2000, 1_000_000
	o := data.ReadOptions{Schema: &data.Schema{Fields: []data.Field{{Name: "x"}}}, Verbatim: []string{"text"},
		BlockBytes: 50_000, Memory: limit}
	var blocks []int
	err := PassOn(&o, Tokens(&o, nil), nil, func(part *data.RowBlock) bool {
		blocks = append(blocks, part.Frame.Rows())
		return true
	}, func(b *Builder) error {
		b.Begin("t", nil)
		x, err := b.Column("x", TypedNumbers)
		if err != nil {
			return err
		}
		text, err := b.Column("text", Untyped)
		if err != nil {
			return err
		}
		for i := range rows {
			x.AppendNumber(float64(i))
			text.AppendText([]byte(fmt.Sprint(i, strings.Repeat("a", length))))
			if err := b.EndRow(i + 1); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || rows*length < 3*limit {
		t.Fatal(err)
	}
	if most := slices.Max(blocks); most < 20 || most > 25 || len(blocks) > rows/20+1 {
		t.Errorf("blocks of %d rows", blocks)
	}
}
