package tier

import (
	"flag"
	"os"
	"runtime/debug"
	"testing"
)

// Each tier has its count, and tests are left out of the tiers below theirs alone.
func TestTiers(t *testing.T) {
	was := testing.Short()
	defer func() {
		if err := flag.Set("test.short", map[bool]string{true: "true", false: "false"}[was]); err != nil {
			t.Fatal(err)
		}
	}()
	for _, c := range []struct {
		short, night string
		count        int
		notShort     bool // it runs
		atNight      bool
	}{
		{"true", "", 1, false, false},
		{"true", "1", 1, false, false},
		{"false", "", 2, true, false},
		{"false", "1", 3, true, true},
	} {
		if err := flag.Set("test.short", c.short); err != nil {
			t.Fatal(err)
		}
		t.Setenv("COPPICE_NIGHT", c.night)
		if got := Count(1, 2, 3); got != c.count {
			t.Errorf("-short=%s, night %q: %d cases, not %d", c.short, c.night, got, c.count)
		}
		notShort, atNight := false, false
		t.Run("not short", func(t *testing.T) { NotShort(t, "waits"); notShort = true })
		t.Run("at night", func(t *testing.T) { AtNight(t, "waits"); atNight = true })
		if notShort != c.notShort || atNight != c.atNight {
			t.Errorf("-short=%s, night %q: runs %v and %v", c.short, c.night, notShort, atNight)
		}
	}
}

// Tests keep more garbage than Go's rule by day, unless a user says otherwise.
func TestGarbageWaits(t *testing.T) {
	if os.Getenv("GOGC") != "" || Night() {
		t.Skip("GOGC is set, or it is night")
	}
	percent := debug.SetGCPercent(garbage)
	if limit := debug.SetMemoryLimit(-1); percent != garbage || limit != most {
		t.Errorf("garbage of %d percent, at most %d bytes", percent, limit)
	}
}

// Random tests try as many cases as they are given in the short tier alone, and where no number is
// stated.
func TestRandomCases(t *testing.T) {
	was := testing.Short()
	defer func() {
		if err := flag.Set("test.short", map[bool]string{true: "true", false: "false"}[was]); err != nil {
			t.Fatal(err)
		}
	}()
	checks := flag.Int("rapid.checks", 100, "as rapid has it")
	for _, c := range []struct {
		short  string
		stated int
		want   int
	}{{"true", 100, 200}, {"true", 1000, 1000}, {"false", 100, 100}} {
		if err := flag.Set("test.short", c.short); err != nil {
			t.Fatal(err)
		}
		*checks = c.stated
		if RandomCases(40); *checks != c.want {
			t.Errorf("-short=%s, %d stated: %d", c.short, c.stated, *checks)
		}
	}
}
