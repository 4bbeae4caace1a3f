package spelling_test

import (
	"math"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/spelling"
)

func TestNumberFormat(t *testing.T) {
	for _, c := range []struct {
		format string
		fits   map[string]float64
		not    []string
	}{
		{"1,234.5", map[string]float64{
			"1,007": 1007, "950": 950, "1,234,567.89": 1234567.89, "-1,007.5": -1007.5, "+1,007": 1007, "\u22121,007": -1007, "(1,007)": -1007, "1550.62": 1550.62,
			"1234567": 1234567, ".5": 0.5, "0.5": 0.5, "0": 0, "1e3": 1000, "1.5E-2": 0.015, "inf": math.Inf(1), "-Infinity": math.Inf(-1), "3.": 3,
		}, []string{
			"", "-", "1,00", "1,0070", "1234,567", "0,500", "01,007", "00", "1,007,", ",007",
			"1,,007", "1,007e3", "1.234.5", "(1,007", "1,007)", "((1))", "-(1)", "(-1)",
			"--1", "$5", "5%", "1 007", "1,007 ", " 1", "x", "1e", "1e+", ".", "0x1",
			"1_000", "nan",
		}},
		{"1.234,5", map[string]float64{"1.234,5": 1234.5, "1.234": 1234, "0,5": 0.5, ",5": 0.5, "12": 12, "1,2345": 1.2345}, []string{"1.5", "1,234.5", "1.23", "0.5", "1,2,3"}},
		{"1234,5", map[string]float64{"3,14": 3.14, "1,007": 1.007, "1,5e3": 1500, "7": 7, "inf": math.Inf(1)}, []string{"3.14", "1.007,5", "(3,14)", "01,5"}},
		{"1 234.5", map[string]float64{"1 234.5": 1234.5, "1\u202f234": 1234, "1\u00a0234\u2009567": 1234567, "12": 12}, []string{"1  234", "1 23", " 1 234"}},
		{"1'234.5", map[string]float64{"1'234": 1234, "1\u2019234.5": 1234.5}, []string{"1,234", "'234"}},
		{"$1234.5", map[string]float64{"$950": 950, "-$5": -5, "$-5": -5, "$ 5": 5, "($5)": -5, "$(5)": -5, "7.5": 7.5}, []string{"5$", "€5", "$", "$$5", "$1,550", "$1e3", "$inf", "inf", "-$-5", "$5%"}},
		{"$1,234.5", map[string]float64{"$1,550.62": 1550.62, "($1,550.62)": -1550.62, "12": 12}, []string{"$1,55", "$ "}},
		{"1.234,5 €", map[string]float64{"1.550,62 €": 1550.62, "12€": 12, "12\u00a0€": 12, "(12) €": -12, "(12 €)": -12}, []string{"€12", "12 $", "12 €)", "12.5 €"}},
		{"1 234,5 €", map[string]float64{"1 550,62 €": 1550.62, "1\u202f550 €": 1550}, []string{"1 55 €"}},
		{"1234.5%", map[string]float64{"32%": 32, "0.5 %": 0.5, "-7%": -7}, []string{"32", "%", "32%%", "1e2%", "(32%)", "inf%"}},
		{"1234,5%", map[string]float64{"3,2%": 3.2}, []string{"3.2%"}},
		{"1234.5 lbs", map[string]float64{"159 lbs": 159, "159lbs": 159, "-0.5\u00a0lbs": -0.5, ".5 lbs": 0.5}, []string{"159", "159 kg", "159 LBS", "159 lbs.", "lbs", "1,007 lbs", "1e3 lbs", "inf lbs", "$5 lbs", "(5 lbs)", "5 lbs 5"}},
		{"1,234.5+", map[string]float64{"10,000+": 10000, "5+": 5, "5 +": 5, "(1,007+)": -1007, "(1,007)+": -1007}, []string{"10,000", "+5", "5++", "10.000,5+", "10,00+"}},
		{"1.234,5 km/h", map[string]float64{"1.007,5 km/h": 1007.5, "80km/h": 80}, []string{"80 km", "80.5 km/h"}},
		{"1234.5 e", map[string]float64{"5 e": 5, "5e": 5}, []string{"5e3", "5", "5 e e"}},
		{"1234.5K", map[string]float64{"19M": 19e6, "1.1K": 1100, "350k": 350e3, "-2.5 B": -2.5e9, "0.3M": 300e3}, []string{"19", "19m", "19b", "19MB", "M", "19 M M", "1e3M", "$5M", "5M+"}},
		{"€1,234.5K", map[string]float64{"€110.5M": 110.5e6, "110.5M": 110.5e6, "-€1,007K": -1007e3, "(€3M)": -3e6}, []string{"€110", "110.5M €", "$5M"}},
		{"1,234.5%", map[string]float64{"1,032%": 1032, "(5%)": -5, "(5)%": -5}, nil},
	} {
		f, err := spelling.ParseNumberFormat(c.format)
		if err != nil || f.Code() != c.format || f.String() != c.format {
			t.Errorf("%s: read as %q, %v", c.format, f.Code(), err)
		}
		for text, want := range c.fits {
			if got, ok := f.Number([]byte(text)); !ok || got != want {
				t.Errorf("%s: %q is %v, %v, want %v", c.format, text, got, ok, want)
			}
		}
		for _, text := range c.not {
			if got, ok := f.Number([]byte(text)); ok {
				t.Errorf("%s: %q is %v", c.format, text, got)
			}
		}
	}
}

func TestParseNumberFormat(t *testing.T) {
	for _, bad := range []string{
		"1234.5", "1.234.5", "1,234,5", "x1234.5", "$1234.5%", "$1234.5 $", "1234.5 ", "1234.5$",
		"1234", "$", "1", "1;234.5", "%", "1,234.5 %", "\xff1234.5", "1234.5 \xff",
		"1234.5lbs", "1234.5 +", "1234.5 K", "1234.5k", "1234.5M", "1234.5 B", "$1234.5 lbs", "1234.5 K €", "1234.5%+", "1234.5 lbs 2",
		"1234.5 (kg)", "1234.5 kg ", "1234.5'", "1234.5.x", "1234.5-", "1234.5 a,b", "1234.5 \x00", "1234.5 abcdefghijklm",
		strings.Repeat("1", 1e6),
	} {
		if f, err := spelling.ParseNumberFormat(bad); err == nil {
			t.Errorf("%.20q is %+v", bad, f)
		}
	}
	if f, err := spelling.ParseNumberFormat(""); err != nil || !f.Plain() || f.String() != "1234.5" {
		t.Errorf("the empty code: %+v, %v", f, err)
	}
}

func TestNumberFormatWith(t *testing.T) {
	for _, c := range []struct {
		format             string
		thousands, decimal rune
		want               string
	}{
		{"", 0, 0, ""},
		{"", ',', 0, "1,234.5"},
		{"", '.', 0, "1.234,5"},
		{"", 0, ',', "1234,5"},
		{"", ' ', ',', "1 234,5"},
		{"$1,234.5", 0, ',', "$1.234,5"},
		{"1.234,5", 0, '.', "1,234.5"},
		{"1.234,5", ',', 0, "1,234.5"},
		{"1'234.5", 0, ',', "1'234,5"},
	} {
		f, err := spelling.ParseNumberFormat(c.format)
		if got := f.With(c.thousands, c.decimal); err != nil || got.Code() != c.want ||
			!got.Valid() {
			t.Errorf("%q with %q and %q: %q, %v", c.format, c.thousands, c.decimal, got.Code(), err)
		}
	}
}

// formats generates any number format.
func formats(t *rapid.T) spelling.NumberFormat {
	f := spelling.NumberFormat{
		Thousands: rapid.SampledFrom([]rune{0, ',', '.', ' ', '\''}).Draw(t, "thousands"),
		Comma:     rapid.Bool().Draw(t, "comma"),
		Currency:  rapid.SampledFrom([]rune{0, 0, '$', '€', '£', '¥', '₹'}).Draw(t, "currency"),
	}
	if f.Currency != 0 {
		f.Behind = rapid.Bool().Draw(t, "behind")
	} else {
		f.Percent = rapid.Bool().Draw(t, "percent")
	}
	if unit := rapid.SampledFrom([]string{"", "", spelling.Factors, "lbs", "+", "km/h", "°", "e", "µm²"}).Draw(t, "unit"); !f.Percent && (f.Currency == 0 || unit == spelling.Factors && !f.Behind) {
		f.Unit = unit
	}
	if !f.Valid() {
		f.Comma = !f.Comma
	}
	return f
}

// written writes a number of so many decimals in a format, as a person would.
func written(f spelling.NumberFormat, v float64, decimals int, parentheses bool) string {
	plain := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	whole, fraction, _ := strings.Cut(plain, ".")
	var b strings.Builder
	for i, digit := range whole {
		if left := len(whole) - i; i > 0 && left%3 == 0 && f.Thousands != 0 {
			b.WriteRune(f.Thousands)
		}
		b.WriteRune(digit)
	}
	if fraction != "" {
		b.WriteString(map[bool]string{false: ".", true: ","}[f.Comma] + fraction)
	}
	text := b.String()
	switch {
	case f.Percent:
		text += "%"
	case f.Unit == spelling.Factors && f.Currency != 0:
		text = string(f.Currency) + text + "M"
	case f.Unit == spelling.Factors:
		text += "M"
	case f.Unit != "":
		text += f.Unit
	case f.Currency != 0 && f.Behind:
		text += " " + string(f.Currency)
	case f.Currency != 0:
		text = string(f.Currency) + text
	}
	switch {
	case !math.Signbit(v):
		return text
	case parentheses && (f.Currency != 0 || f.Thousands != 0):
		return "(" + text + ")"
	}
	return "-" + text
}

// What a person writes in a format is read back as the number that is nearest to it, and the format
// survives being stored.
func TestNumberFormatRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := formats(t)
		if again, err := spelling.ParseNumberFormat(f.Code()); err != nil || again != f {
			t.Fatalf("%+v is stored as %q, which is %+v, %v", f, f.Code(), again, err)
		}
		v := rapid.Float64Range(-1e12, 1e12).Draw(t, "number")
		decimals := rapid.IntRange(0, 6).Draw(t, "decimals")
		exponent := ""
		if f.Unit == spelling.Factors {
			exponent = "e6"
		}
		want, err := strconv.ParseFloat(strconv.FormatFloat(v, 'f', decimals, 64)+exponent, 64)
		text := written(f, v, decimals, rapid.Bool().Draw(t, "parentheses"))
		if got, ok := f.Number([]byte(text)); err != nil || !ok ||
			math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%s: %q is %v, %v, want %v", f, text, got, ok, want)
		}
	})
}

func TestUnitOf(t *testing.T) {
	for text, want := range map[string]string{"159 lbs": "lbs", "159lbs": "lbs", "10,000+": "+", "19M": spelling.Factors,
		"3k": spelling.Factors, "$1.5 B": spelling.Factors, "5.°C": "°C", "80 km/h": "km/h", "": "", "lbs": "", "5": "", "5%": "", "12 €": "",
		"v1 kg": "", "5 kg)": "", "1, 2": "", "19MB": "MB", "2nd": "nd", "5 abcdefghijklm": "", "5 \xff": "", "5²": "",
		"12 m²": "m²", "5½": ""} {
		if got := spelling.UnitOf(text); got != want {
			t.Errorf("%q has the unit %q, want %q", text, got, want)
		}
	}
}

func FuzzNumberFormat(f *testing.F) {
	for _, seed := range []string{"1,007", "$1,550.62", "(1.234,5 €)", "32%", "1\u202f234", "-$ 5",
		"1e400", "\u2212", "1'000'000"} {
		f.Add(seed, "$1,234.5")
		f.Add(seed, "1.234,5 €")
	}
	for _, seed := range []string{"19M", "$1.5k", "10,000+", "159 lbs", "5e", "1e3 lbs", "B", "(1,007) lbs"} {
		for _, code := range []string{"1234.5K", "$1,234.5K", "1,234.5+", "1234.5 lbs", "1234.5 e"} {
			f.Add(seed, code)
		}
	}
	f.Fuzz(func(t *testing.T, text, code string) {
		format, err := spelling.ParseNumberFormat(code)
		if err != nil {
			return
		}
		if again, err := spelling.ParseNumberFormat(format.Code()); err != nil || again != format ||
			!format.Valid() {
			t.Fatalf("%q: %+v, then %+v, %v", code, format, again, err)
		}
		v, ok := format.Number([]byte(text))
		if !ok {
			return
		}
		exponent := ""
		switch last := strings.TrimRight(text, ")"); format.Unit {
		case "":
		case spelling.Factors:
			exponent = map[byte]string{'K': "e3", 'k': "e3", 'M': "e6", 'B': "e9"}[last[len(last)-1]]
			text = last[:len(last)-1]
		default:
			if !strings.HasSuffix(last, format.Unit) {
				t.Fatalf("%s: %q is read without its unit", format, text)
			}
			text = strings.TrimSuffix(last, format.Unit)
		}
		// The number without all that is no digit, point, exponent or word for infinity is the
		// same, but for its sign.
		bare := strings.Map(func(r rune) rune {
			switch {
			case '0' <= r && r <= '9', r|0x20 >= 'a' && r|0x20 <= 'z':
				return r
			case r == '+' || r == '-':
				return r
			case format.Comma && r == ',', !format.Comma && r == '.':
				return '.'
			}
			return -1
		}, strings.TrimLeft(strings.TrimLeft(text, "+-("), "+-"))
		if i := strings.IndexAny(bare, "+-"); i == 0 {
			bare = bare[1:]
		}
		want, err := strconv.ParseFloat(bare+exponent, 64)
		if err != nil && !math.IsInf(want, 0) || math.Abs(v) != want || !utf8.ValidString(text) {
			t.Fatalf("%s: %q is %v, its digits %q are %v", format, text, v, bare, want)
		}
	})
}
