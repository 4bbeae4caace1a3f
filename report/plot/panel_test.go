package plot

import (
	"encoding/xml"
	"io"
	"math"
	"strings"
	"testing"

	"github.com/coppice-ml/coppice/internal/figure"
	"github.com/coppice-ml/coppice/internal/svg"
)

// elements counts the elements of a picture, which must be well formed.
func elements(t *testing.T, picture string) map[string]int {
	t.Helper()
	all := map[string]int{}
	d := xml.NewDecoder(strings.NewReader(picture))
	for {
		token, err := d.Token()
		if err == io.EOF {
			return all
		}
		if err != nil {
			t.Fatalf("%v in %s", err, picture)
		}
		if e, ok := token.(xml.StartElement); ok {
			all[e.Name.Local]++
		}
	}
}

// A panel has a path for each layer with points, at the places that its axes give.
func TestPanel(t *testing.T) {
	p := &figure.Panel{Label: "<b> & \"c\"", X: figure.Side{Label: "x", Low: 0, High: 10},
		Y: figure.Side{Label: "y", High: 1}, Layers: []figure.Layer{
			{Name: "line <1>", Colour: svg.Below, X: []float64{0, 5, math.NaN(), 10}, Y: []float64{0, 1, 1, 0.5}},
			{Kind: figure.Dots, Colour: svg.Above, X: []float64{5}, Y: []float64{0.5}},
			{Kind: figure.Spans, Colour: svg.Above, X: []float64{5}, Y: []float64{0.2}, Ends: []float64{0.8}},
			{Kind: figure.Bins, Colour: svg.Below, X: []float64{0, 5}, Y: []float64{1, 0.5}, Ends: []float64{10}},
			{Kind: figure.Dots, Colour: svg.Above, X: []float64{math.Inf(1)}, Y: []float64{0.5}},
		}}
	got := DrawPanel(p)
	if n := elements(t, got)["path"]; n != 5+1 { // bars have places to point at, and the legend a line
		t.Errorf("%d paths in %s", n, got)
	}
	for _, want := range []string{`aria-label="&lt;b&gt; &amp; &#34;c&#34;"`, `data-n="line &lt;1&gt;"`,
		`data-x="33 430 0 10 number"`, `d="M33 232L231.5 48M430 140"`,
		`d="M231.5 195.2V84.8"`} {
		if !strings.Contains(got, want) {
			t.Errorf("the panel has no %s: %s", want, got)
		}
	}
	if empty := DrawPanel(&figure.Panel{Layers: p.Layers[4:]}); empty != "" {
		t.Errorf("a panel without points is %s", empty)
	}
}

// Names are from the top down, and dates begin months.
func TestPanelSides(t *testing.T) {
	names := DrawPanel(&figure.Panel{Y: figure.Side{Names: []string{"first", "second"}},
		Layers: []figure.Layer{{Kind: figure.Dots, X: []float64{1, 2}, Y: []float64{0, 1}}}})
	if a, b := strings.Index(names, ">first<"), strings.Index(names, ">second<"); a < 0 || b < a {
		t.Errorf("names are not in their order: %s", names)
	}
	for _, c := range []struct {
		low, high float64 // days since 1970
		want      []string
	}{
		{18993, 19357, []string{"2022-01", "2022-04", "2022-07", "2022-10"}},
		{19000, 19010, []string{"2022-01-08", "2022-01-10"}},
		{0, 20000, []string{"1970", "1980", "2020"}},
		{19000.25, 19000.5, []string{"2022-01-08"}},
	} {
		a := axis{low: c.low, high: c.high}
		a.markDates(5)
		var texts []string
		for _, tick := range a.ticks {
			texts = append(texts, tick.text)
		}
		if all := strings.Join(texts, " "); len(texts) > 8 || !hasAll(all, c.want) {
			t.Errorf("from %v to %v the dates are %s, want %v", c.low, c.high, all, c.want)
		}
	}
}

func hasAll(text string, parts []string) bool {
	for _, part := range parts {
		if !strings.Contains(text, part) {
			return false
		}
	}
	return true
}
