package memory

import (
	"errors"
	"math"
	"testing"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]Limit{
		"512MiB": 512 << 20, "1GB": 1e9, "1.5G": 1.5e9, "2 gib": 2 << 30, "1048576": 1 << 20, "3000kb": 3e6, "1t": 1e12,
		"50%": Limit(float64(Machine()) / 100 * 50),
	} {
		if got, err := Parse(text); got != want || err != nil {
			t.Errorf("%s: %d, %v, want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "GB", "-1GB", "1XB", "0", "1", "1KB", "101%", "0%", "-5%",
		"nan", "NaN%", "inf", "1e30TB", "1 2GB", "5%%"} {
		if got, err := Parse(text); err == nil {
			t.Errorf("%q: %d, want an error", text, got)
		}
	}
}

func TestSize(t *testing.T) {
	for n, want := range map[int64]string{
		0: "0 bytes", 999: "999 bytes", 1000: "1 kB", 1500: "1.5 kB", 12_300_000_000: "12.3 GB",
		999_949: "1 MB", 123_456_789: "123 MB",
		4 << 30: "4.3 GB", math.MaxInt64: "9.2 EB",
	} {
		if got := size(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func TestCheck(t *testing.T) {
	if err := Limit(100).Check("the table", 100); err != nil {
		t.Error(err)
	}
	err := Limit(2e9).Check("the table", 3.2e9)
	if err == nil || !errors.Is(err, ErrLimit) ||
		err.Error() != "the table needs 3.2 GB of memory, the limit is 2 GB (data.ReadOptions.Memory sets it)" {
		t.Errorf("got %v", err)
	}
	var none Limit
	if none.Bytes() != int64(Default()) || none.Check("x", none.Bytes()) != nil ||
		none.Check("x", none.Bytes()+1) == nil {
		t.Error("0 is not the default")
	}
	if d, m := int64(Default()), Machine(); d < 1<<20 || d > m || d < m/2 {
		t.Errorf("default %d of %d", d, m)
	}
}
