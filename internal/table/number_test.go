package table

import (
	"math"
	"math/rand/v2"
	"regexp"
	"strconv"
	"testing"
)

// grammar is the package's grammar of numbers, written once more in another way.
var grammar = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$|^[+-]?[iI][nN][fF]([iI][nN][iI][tT][yY])?$`)

// oracle reads a number by the grammar and strconv.
func oracle(text string) (float64, bool) {
	if !grammar.MatchString(text) {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	return v, err == nil || math.IsInf(v, 0)
}

// checkNumber compares both readers of numbers with the oracle, bit by bit.
func checkNumber(t *testing.T, text string) {
	t.Helper()
	want, wantOK := oracle(text)
	got, ok := ParseNumber([]byte(text))
	if ok != wantOK || ok && math.Float64bits(got) != math.Float64bits(want) {
		t.Errorf("ParseNumber(%q) = %v, %v; want %v, %v", text, got, ok, want, wantOK)
	}
	for _, behind := range []string{",", "\n", "7e"} {
		// Sevens behind the padding must not be read, whatever stands there.
		b := []byte("1," + text + behind + "\n7777777777777777")
		v, end := ScanNumber(b, 2)
		if end != 2+len(text) || len(text) == 0 || behind == "7e" {
			continue // left to ParseNumber
		}
		if !wantOK || math.Float64bits(v) != math.Float64bits(want) {
			t.Errorf("ScanNumber(%q) = %v; want %v, %v", text, v, want, wantOK)
		}
	}
}

var numbers = []string{
	"", "0", "-0", "+0", "-", "+", ".", "-.", "e1", "1e", "1e+", "1.e1", ".e1", "1.2.3", "1..2",
	"--1", "1-", "0x1p3", "1_0", "nan", "i", "in", "inf", "-iNf",
	"infinit", "infinity", "infinityy", "+Infinity", "1e22", "1e23", "1e-22", "1e-23",
	"9007199254740991", "9007199254740992", "9007199254740993",
	"90071992547409.93", "0.9007199254740993", "12345678901234567890", "18446744073709551616",
	"1234567.8", "12345678.9", "1.2345678", "1.23456789",
	"1.1234567812345678", "0.00000000000000000000012", "0e999999999999", "1e999999999999",
	"1e-999999999999", "00000000000000000000000000000000001",
	"2.2250738585072011e-308", "4.9e-324", "2.4e-324", "1.7976931348623157e308",
	"1.7976931348623159e308", "8.5e-05", "-123.456E+7", "1 2", "１",
}

func TestNumbers(t *testing.T) {
	for _, text := range numbers {
		checkNumber(t, text)
	}
}

func TestNumbersOfAllLengths(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200_000 {
		digits := make([]byte, 1+r.IntN(22))
		for i := range digits {
			digits[i] = byte('0' + r.IntN(10))
		}
		text := string(digits)
		if point := r.IntN(len(text) + 1); r.IntN(4) > 0 {
			text = text[:point] + "." + text[point:]
		}
		if r.IntN(3) == 0 {
			text = "-" + text
		}
		if r.IntN(4) == 0 {
			text += "e" + strconv.Itoa(r.IntN(60)-30)
		}
		checkNumber(t, text)
	}
}

func TestScanNumberTakesWhatItShould(t *testing.T) {
	for text, want := range map[string]float64{"0,": 0, "-1.5,": -1.5, "3.\n": 3,
		"0.12345678,": 0.12345678, "12345.678901234,": 12345.678901234,
		"-0.1234567890123456,": -0.1234567890123456} {
		b := append([]byte(text), make([]byte, 16)...)
		if v, end := ScanNumber(b, 0); v != want || end != len(text)-1 {
			t.Errorf("%q: %v, %d", text, v, end)
		}
	}
	for _, text := range []string{",", "x,", "-,", "+1,", ".5,", "99999999999999999999,"} {
		b := append([]byte(text), make([]byte, 16)...)
		if v, end := ScanNumber(b, 0); !math.IsNaN(v) || end != 0 {
			t.Errorf("%q: %v, %d", text, v, end)
		}
	}
}

func TestLeadingDigits(t *testing.T) {
	for _, c := range []struct {
		text  string
		value uint64
		n     int
	}{{"12345678", 12345678, 8}, {"99999999", 99999999, 8}, {"1234567,", 1234567, 7},
		{"12,45678", 12, 2}, {"1\xff\xff\xff\xff\xff\xff\xff", 1, 1}, {",1234567", 0, 0},
		{"0007/:56", 7, 4}, {"0:345678", 0, 1}} {
		var word uint64
		for i := range 8 {
			word |= uint64(c.text[i]) << (8 * i)
		}
		if value, n := leadingDigits(word); value != c.value || n != c.n {
			t.Errorf("%q: %d, %d", c.text, value, n)
		}
	}
}

func FuzzNumber(f *testing.F) {
	for _, text := range numbers {
		f.Add(text)
	}
	f.Fuzz(checkNumber)
}
