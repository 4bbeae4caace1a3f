package table

import (
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/coppice-ml/coppice/data"
	"github.com/coppice-ml/coppice/internal/humanize"
	"github.com/coppice-ml/coppice/internal/option"
	"github.com/coppice-ml/coppice/internal/spelling"
)

// reading is what texts are in one format of numbers.
type reading struct {
	format spelling.NumberFormat
	num    []float64 // by code: the number; NaN where the text does not fit or is missing
	rows   int       // that hold a text which fits
}

// readings are what the texts of a column are in all formats.
type readings struct {
	plain, best reading  // best is the first one of most rows
	other       *reading // of as many rows, in which some text is another number; nil: none
	codes       []int    // of texts that are plain numbers for machines but names for people
	numbers     int      // rows of plain numbers, codes among them
}

func (t *distinct) readings() *readings {
	r := &readings{}
	r.plain, r.codes = t.plain()
	r.numbers = r.plain.rows + t.count(r.codes)
	all := []reading{r.plain}
	if !t.column.Literal {
		for _, f := range formatsOf(t.options, slices.Values(t.levels)) {
			if x, ok := t.read(f); ok {
				all = append(all, x)
			}
		}
	}
	r.best = slices.MaxFunc(all, func(a, b reading) int { return a.rows - b.rows })
	r.other = t.otherwise(&r.best, all[1:])
	return r
}

// numberTexts recognises columns of numbers that people write: all texts must fit one format.
func numberTexts(t *distinct) *verdict {
	if plain, _ := t.plain(); plain.rows == t.total {
		return t.allPlain(&plain)
	}
	r := t.readings()
	best, other := &r.best, r.other
	rest, odd := t.misfits(r.plain.num), t.misfits(best.num)
	switch {
	case best.rows == t.total && other != nil:
		return t.ambiguous(best, other)
	case best.rows == t.total:
		return t.taken(best)
	case t.column.Texts.insisted:
		odd := t.firstMissing(best)
		return &verdict{kind: data.Categorical, odd: odd, note: Quote([]byte(t.levels[odd])) +
			" is not a number"}
	case r.numbers == t.total:
		return &verdict{kind: data.Categorical, note: t.codeNote(r.codes)}
	// without misfits the rest are numbers that are names
	case r.numbers >= best.rows && len(rest) > 0 && t.nearlyAll(r.numbers, rest):
		return &verdict{kind: data.Categorical, note: t.nearlyNote(&r.plain, nil, r.codes)}
	case len(odd) > 0 && t.nearlyAll(best.rows, odd):
		return &verdict{kind: data.Categorical, note: t.nearlyNote(best, other, nil)}
	}
	return nil
}

// declaredTexts recognises what no code is in texts that a file or a database declares: numbers
// that all have the same unit or sign, and dates. Anything else stays a name, digits alone too.
func declaredTexts(t *distinct) *verdict {
	if v := unitTexts(t); v != nil {
		return v
	}
	return dateTexts(t)
}

// namesOnly reports whether of the first levels most can be neither a number nor a date.
// No verdict is left then but a name, which spares the work for columns of many texts.
func namesOnly(levels []string) bool {
	odd, rest := 0, 0
	for _, text := range levels[:min(64, len(levels))] {
		text = strings.TrimSpace(text)
		digits := strings.LastIndexAny(text, "0123456789") + 1
		_, day := data.ParseDate(text, data.DayFirst)
		_, month := data.ParseDate(text, data.MonthFirst)
		if !day && !month && isWord(text) &&
			(digits == 0 || strings.ContainsFunc(text[:digits], unicode.IsLetter)) {
			odd++
		} else {
			rest++
		}
	}
	return odd > rest
}

// unitTexts recognises numbers that all have the same unit or sign.
func unitTexts(t *distinct) *verdict {
	r := t.readings()
	f := r.best.format
	if r.best.rows != t.total || t.total == 0 || f.Unit == "" && !f.Percent && f.Currency == 0 {
		return nil
	}
	if r.other != nil {
		return t.ambiguous(&r.best, r.other)
	}
	return t.taken(&r.best)
}

// plain reads the texts as the numbers that need no recogniser. It returns the codes of those that
// are numbers for machines but names for people (see nameReason), whose rows the reading does not
// count.
func (t *distinct) plain() (r reading, codes []int) {
	r = reading{format: t.column.Texts.format, num: make([]float64, len(t.levels))}
	for code, level := range t.levels {
		r.num[code] = math.NaN()
		if level == "" {
			continue
		}
		if !t.column.Texts.insisted && nameReason([]byte(level)) != "" {
			if v, ok := ParseNumber([]byte(level)); ok {
				r.num[code] = v
				codes = append(codes, code)
			}
		} else if v, ok := t.column.Texts.Parse([]byte(level)); ok {
			r.num[code] = v
			r.rows += t.rows[code]
		}
	}
	return r, codes
}

// read reads the texts in a format. It gives up, and returns false, where so many do not fit that
// nothing follows from it: several words in too many rows.
func (t *distinct) read(f spelling.NumberFormat) (reading, bool) {
	r := reading{format: f, num: make([]float64, len(t.levels))}
	spare := float64(t.total)
	if !t.column.Texts.insisted {
		spare *= 1 - nearly
	}
	misfits := 0
	for code, level := range t.levels {
		r.num[code] = math.NaN()
		if level == "" {
			continue
		}
		v, ok := f.Number([]byte(level))
		if ok && (t.column.Texts.insisted || nameReason([]byte(level)) == "") {
			r.num[code] = v
			r.rows += t.rows[code]
			continue
		}
		if isWord(level) {
			misfits++
		}
		if spare -= float64(t.rows[code]); spare < 0 && misfits > 1 {
			return r, false
		}
	}
	return r, true
}

// separators are the marks between groups of three digits.
const separators = ",. '"

// marks adds what separators and signs a text holds to those of others.
func marks(signs spelling.NumberFormat, seen []rune, text string) (spelling.NumberFormat, []rune) {
	digits := false
	for _, r := range text {
		switch r {
		case '\u00a0', '\u2009', '\u202f':
			r = ' '
		case '\u2019':
			r = '\''
		}
		switch {
		case '0' <= r && r <= '9':
			digits = true
		case r == '%':
			signs.Percent = true
		case strings.ContainsRune(separators, r):
			if !slices.Contains(seen, r) {
				seen = append(seen, r)
			}
		case signs.Currency == 0 && unicode.Is(unicode.Sc, r):
			signs.Currency, signs.Behind = r, digits
		}
	}
	return signs, seen
}

// formatsOf returns the formats that texts may be in: of those that the options admit, whose
// separators, signs and units occur. The first ones have no unit and the fewest separators, so that
// of formats in which all texts are the same numbers the simplest is taken.
func formatsOf(o *data.ReadOptions, texts iter.Seq[string]) []spelling.NumberFormat {
	var signs spelling.NumberFormat
	var seen []rune
	unit := ""
	for text := range texts {
		signs, seen = marks(signs, seen, text)
		if unit == "" {
			unit = spelling.UnitOf(text)
		}
	}
	formats := separated(o, signs, seen)
	if unit == spelling.Factors {
		signs.Unit, signs.Percent = unit, false
		return append(formats, separated(o, signs, seen)...)
	}
	if unit != "" {
		formats = append(formats, separated(o, spelling.NumberFormat{Unit: unit}, seen)...)
	}
	return formats
}

// separated returns the formats with signs and some of the separators seen that the options admit.
func separated(o *data.ReadOptions, signs spelling.NumberFormat, seen []rune) []spelling.NumberFormat {
	var formats []spelling.NumberFormat
	for _, thousands := range append([]rune{0}, []rune(separators)...) {
		if thousands != 0 && thousands != o.Thousands &&
			(o.Thousands != 0 || !slices.Contains(seen, thousands)) {
			continue
		}
		if thousands == 0 && o.Thousands != 0 {
			continue
		}
		for _, comma := range []bool{false, true} {
			f := signs
			f.Thousands, f.Comma = thousands, comma
			if f.Valid() && (o.Decimal == 0 || comma == (o.Decimal == ',')) {
				formats = append(formats, f)
			}
		}
	}
	return formats
}

// otherwise returns a reading of as many rows in which some text is another number, nil if there is
// none.
func (t *distinct) otherwise(best *reading, readings []reading) *reading {
	for i := range readings {
		if r := &readings[i]; r.rows == best.rows && t.differ(best, r) >= 0 {
			return r
		}
	}
	return nil
}

// differ returns the code of the first text that is a number in both readings, and not the same; -1
// if there is none.
func (t *distinct) differ(a, b *reading) int {
	return t.firstWhere(func(code int) bool {
		return a.num[code] < b.num[code] ||
			a.num[code] > b.num[code]
	})
}

// firstMissing returns the code of the first text that does not fit.
func (t *distinct) firstMissing(r *reading) int {
	return t.firstWhere(func(code int) bool {
		return t.levels[code] != "" &&
			math.IsNaN(r.num[code])
	})
}

// firstWhere returns the code, of those for which a condition holds, whose text stands in the
// earliest row; -1 if it holds for none.
func (t *distinct) firstWhere(holds func(code int) bool) int {
	found := -1
	for code := range t.levels {
		if holds(code) {
			found = t.earlier(found, code)
		}
	}
	return found
}

func (t *distinct) count(codes []int) int {
	rows := 0
	for _, code := range codes {
		rows += t.rows[code]
	}
	return rows
}

// allPlain decides on a column of nothing but plain numbers, which turned because a file quotes
// them as texts.
func (t *distinct) allPlain(r *reading) *verdict {
	// a text of data.MissingNumbers turned the column, or another text that is a missing value
	if t.column.Texts.insisted || slices.Contains(t.weak, t.turnedBy()) ||
		len(t.weak) > 0 && !t.column.appended {
		return &verdict{kind: data.Numeric, format: r.format.Code(), num: r.num}
	}
	name := t.column.Field.Name
	return &verdict{kind: data.Categorical, note: fmt.Sprintf("is categorical though all its "+
		option.Expand("values are numbers: %s is a text in the file ({numeric} %s takes it for a number)"),
		t.shown(t.turnedBy()), name)}
}

// turnedBy returns the code of the text that turned the column. Where rows are not kept it is found
// by the text, and a text with blanks around it by its place.
func (t *distinct) turnedBy() int {
	by := t.column.Turned
	if by.Row < len(t.column.Code) {
		return int(t.column.Code[by.Row])
	}
	earliest := -1
	for code, level := range t.column.Dict.levels {
		if Quote([]byte(level)) == by.Text {
			return code
		}
		if t.rows[code] > 0 && t.first[code] <= by.Row {
			earliest = t.earlier(code, earliest)
		}
	}
	return max(earliest, 0)
}

// taken makes a column numeric.
func (t *distinct) taken(r *reading) *verdict {
	v := &verdict{kind: data.Numeric, format: r.format.Code(), num: r.num}
	// what a plain number would not be; there is one, for it turned the column
	code := t.firstWhere(func(code int) bool {
		plain, ok := ParseNumber([]byte(t.levels[code]))
		return t.levels[code] != "" && (!ok || plain != r.num[code])
	})
	v.note = fmt.Sprintf("is numeric, written as %s: %s is %s", r.format, t.shown(code),
		data.NumberText(r.num[code], 64))
	if !t.column.Texts.insisted {
		v.note += fmt.Sprintf(option.Expand(" ({categorical} %s keeps the texts)"), t.column.Field.Name)
	}
	return v
}

// ambiguous leaves a column as it is, whose texts are other numbers in another format.
func (t *distinct) ambiguous(a, b *reading) *verdict {
	mark := choice(a, b)
	if b.format.Thousands == mark {
		a, b = b, a
	}
	flags := flagsOf(mark)
	code := t.differ(a, b)
	x, y := data.NumberText(a.num[code], 64), data.NumberText(b.num[code], 64)
	if t.column.Texts.insisted {
		return &verdict{kind: data.Categorical, odd: code,
			note: fmt.Sprintf("%s may be %s or %s (%s decides)", Quote([]byte(t.levels[code])),
				x, y, flags)}
	}
	return &verdict{kind: data.Categorical,
		note: fmt.Sprintf("is categorical: %s may be %s or %s (%s decides)", t.shown(code),
			x, y, flags)}
}

// choice returns the mark that separates thousands in one of two readings and stands before the
// decimals in the other.
func choice(a, b *reading) rune {
	if a.format.Thousands == '.' || b.format.Thousands == '.' && a.format.Thousands != ',' {
		return '.'
	}
	return ','
}

// flagsOf names the flags that fix which use a mark has.
func flagsOf(mark rune) string {
	return fmt.Sprintf(option.Expand("{thousands} %c or {decimal} %c"), mark, mark)
}

// codeNote names the value that makes a column of numbers one of names.
func (t *distinct) codeNote(codes []int) string {
	first := slices.MinFunc(codes, func(a, b int) int { return t.first[a] - t.first[b] })
	return fmt.Sprintf(option.Expand("is categorical: %s %s ({numeric} %s takes the values for numbers)"),
		t.shown(first), nameReason([]byte(t.levels[first])), t.column.Field.Name)
}

// listed is the largest number of texts that a note lists.
const listed = 5

// nearlyNote names the texts that keep a column from being numeric, and what would make it so.
func (t *distinct) nearlyNote(r, other *reading, codes []int) string {
	odd := t.misfits(r.num)
	what := "numbers"
	if !r.format.Plain() {
		what = "numbers written as " + r.format.String()
	}
	note := fmt.Sprintf("is categorical though %d of %d values are %s: %s",
		r.rows+t.count(codes), t.total, what, t.none(odd))
	advice := t.missingFlag(odd)
	if len(codes) > 0 {
		advice += option.Expand(" with {numeric} ") + t.column.Field.Name
	}
	if other != nil {
		advice += " with " + flagsOf(choice(r, other))
	}
	return note + " (" + advice + " makes the column numeric)"
}

// tokenList writes tokens, and behind them those that the files use, as the value of the flag
// --missing, which replaces them all.
func (t *distinct) tokenList(tokens []string) string {
	return TokenList(append(tokens, t.column.plan.met()...))
}

// TokenList writes tokens as the value of the flag --missing, quoted for a shell where it must be.
func TokenList(tokens []string) string {
	words := make([]string, 0, len(tokens))
	for _, token := range tokens {
		if strings.ContainsAny(token, "\",=\n\r") {
			token = `"` + strings.ReplaceAll(token, `"`, `""`) + `"`
		}
		words = append(words, token)
	}
	return flagWord(strings.Join(words, ","))
}

// flagWord writes the value of a flag as a shell reads it.
func flagWord(list string) string {
	if strings.IndexFunc(list, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-.,:/+@%=", r)
	}) >= 0 {
		return humanize.ShellQuote(list)
	}
	return list
}
