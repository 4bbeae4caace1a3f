package memory

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Limit is a number of bytes; 0 stands for Default.
type Limit int64

// setter is what sets the limit, which errors name.
var setter = "data.ReadOptions.Memory"

// SetBy makes errors name another way to set the limit, such as a flag. A command calls it before
// it does anything else.
func SetBy(name string) { setter = name }

// Bytes returns the limit in bytes, that of Default for 0.
func (l Limit) Bytes() int64 {
	if l == 0 {
		return int64(Default())
	}
	return int64(l)
}

// Check returns an *Error if something takes more bytes than the limit.
func (l Limit) Check(what string, needed int64) error {
	if limit := l.Bytes(); needed > limit {
		return &Error{What: what, Needed: needed, Limit: Limit(limit)}
	}
	return nil
}

// ErrLimit is the reason of every Error.
var ErrLimit = errors.New("memory: over the limit")

// Error reports that something takes more memory than the limit.
type Error struct {
	What   string // the subject of the message: "the table"
	Needed int64  // bytes that are known to be needed; there may be more to come
	Limit  Limit  // never 0
}

// Error returns one line: "the table needs 3.2 GB of memory, the limit is 1 GB (--memory sets it)".
func (e *Error) Error() string {
	return fmt.Sprintf("%s needs %s of memory, the limit is %s (%s sets it)", e.What,
		size(e.Needed), size(int64(e.Limit)), setter)
}

// Unwrap returns ErrLimit.
func (e *Error) Unwrap() error { return ErrLimit }

// units are the names of sizes that Parse takes, in capitals.
var units = map[string]float64{
	"": 1, "B": 1, "K": 1e3, "KB": 1e3, "M": 1e6, "MB": 1e6, "G": 1e9, "GB": 1e9, "T": 1e12,
	"TB":  1e12,
	"KIB": 1 << 10, "MIB": 1 << 20, "GIB": 1 << 30, "TIB": 1 << 40,
}

const smallest = 1 << 20 // a limit in which nothing fits is a mistake

// Parse reads a limit: a number of bytes with a unit (512MiB, 1GB, 1.5G) or a percentage of the
// machine's memory (50%). B, KB, MB, GB and TB are powers of 1000, KiB to TiB of 1024. A limit is
// at least 1 MiB.
func Parse(text string) (Limit, error) {
	number := strings.TrimRight(text, "%abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ")
	v, err := strconv.ParseFloat(number, 64)
	unit := strings.ToUpper(strings.TrimSpace(text[len(number):]))
	factor, known := units[unit]
	if unit == "%" {
		factor, known = float64(Machine())/100, v <= 100
	}
	if bytes := v * factor; err == nil && known && bytes >= smallest && bytes < math.MaxInt64 {
		return Limit(bytes), nil
	}
	return 0, fmt.Errorf("%q: want a size of at least 1MiB such as 512MiB or 4GB, or a "+
		"percentage of the machine's memory such as 50%%", text)
}

// Text writes a number of bytes for people: "1.5 GB", with powers of 1000.
func Text(bytes int64) string { return size(bytes) }

// size writes a number of bytes for people: "1.5 GB", with powers of 1000.
func size(bytes int64) string {
	v, unit := float64(bytes), 0
	names := []string{"bytes", "kB", "MB", "GB", "TB", "PB", "EB"}
	for v >= 999.5 && unit < len(names)-1 {
		v, unit = v/1000, unit+1
	}
	if unit == 0 || v >= 99.95 {
		return fmt.Sprintf("%.0f %s", v, names[unit])
	}
	return fmt.Sprintf("%s %s", strings.TrimSuffix(strconv.FormatFloat(v, 'f', 1, 64), ".0"),
		names[unit])
}
