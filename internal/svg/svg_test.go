package svg

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestFit(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := Style{Size: rapid.IntRange(8, 20).Draw(t, "size"),
			Bold: rapid.Bool().Draw(t, "bold"), Ink: Ink}
		text, space := rapid.String().Draw(t, "text"), rapid.IntRange(0, 200).Draw(t, "space")
		got := s.Fit(text, space)
		switch head, shortened := strings.CutSuffix(got, "…"); {
		case s.Width(got) > space && got != "":
			t.Fatalf("%q needs %d of %d pixels", got, s.Width(got), space)
		case s.Width(text) <= space && got != text:
			t.Fatalf("%q would fit and became %q", text, got)
		case got != text && got != "" && (!shortened || !strings.HasPrefix(text, head)):
			t.Fatalf("%q became %q", text, got)
		}
	})
	if got := (Style{Size: 12, Bold: true}).Fit("word_freq_internet", 84); got != "word_freq…" {
		t.Errorf("fit gives %q", got)
	}
}

func TestColours(t *testing.T) {
	for _, c := range []struct {
		h, s, l int
		want    string
	}{{0, 100, 50, "#ff0000"}, {120, 100, 25, "#008000"}, {240, 100, 50, "#0000ff"},
		{60, 100, 50, "#ffff00"}, {210, 50, 40, "#336699"}, {0, 0, 100, "#ffffff"}} {
		if got := hsl(c.h, c.s, c.l).String(); got != c.want {
			t.Errorf("hsl(%d, %d%%, %d%%) = %s, want %s", c.h, c.s, c.l, got, c.want)
		}
	}
	if a, b, c := Tint(0x0072b2, 0), Tint(0x0072b2, 100), Tint(0x000000, 50); a != White ||
		b != 0x0072b2 || c != 0x808080 {
		t.Errorf("tints are %s, %s, %s", a, b, c)
	}
	seen := map[Colour]int{}
	for k := range 40 {
		c := ClassColour(k)
		if other, ok := seen[c]; ok {
			t.Errorf("classes %d and %d are both %s", other, k, c)
		}
		seen[c] = k
	}
}
