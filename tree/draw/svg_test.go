package draw

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/coppice-ml/coppice/internal/svg"
	"github.com/coppice-ml/coppice/tree"
)

// element is an element of a drawing with the card that it belongs to.
type element struct {
	name, node, text string
	attr             map[string]string
}

func (p *element) float(t rapid.TB, name string) float64 {
	x, err := strconv.ParseFloat(p.attr[name], 64)
	if err != nil {
		t.Fatalf("<%s> %s=%q: %v", p.name, name, p.attr[name], err)
	}
	return x
}

// parse reads a drawing strictly and returns its elements.
func parse(t rapid.TB, svg []byte) []*element {
	var elements, stack []*element
	d := xml.NewDecoder(bytes.NewReader(svg))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			p := &element{name: token.Name.Local, attr: map[string]string{}}
			if len(stack) > 0 {
				p.node = stack[len(stack)-1].node
			}
			for _, a := range token.Attr {
				p.attr[a.Name.Local] = a.Value
				if a.Name.Local == "data-node" {
					p.node = a.Value
				}
			}
			elements, stack = append(elements, p), append(stack, p)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			if len(stack) > 0 {
				stack[len(stack)-1].text += string(token)
			}
		}
	}
	return elements
}

type area struct{ x, y, w, h float64 }

func (p *element) area(t rapid.TB) area {
	return area{p.float(t, "x"), p.float(t, "y"), p.float(t, "width"), p.float(t, "height")}
}

func (a area) holds(b area) bool {
	return b.w >= 0 && b.h >= 0 && b.x >= a.x && b.y >= a.y && b.x+b.w <= a.x+a.w && b.y+b.h <= a.y+a.h
}

func (a area) meets(b area) bool {
	return a.x < b.x+b.w && b.x < a.x+a.w && a.y < b.y+b.h && b.y < a.y+a.h
}

// textArea returns the area of a text by the widths that the drawing assumes.
func (p *element) textArea(t rapid.TB) area {
	size, err := strconv.Atoi(p.attr["font-size"])
	if err != nil {
		t.Fatal(err)
	}
	w := float64(svg.Style{Size: size, Bold: p.attr["font-weight"] != "", Ink: svg.Ink}.Width(p.text))
	a := area{p.float(t, "x"), p.float(t, "y") - float64(size), w, float64(size)}
	switch p.attr["text-anchor"] {
	case "end":
		a.x -= w
	case "middle":
		a.x -= w / 2
	}
	return a
}

// cardsOf checks that everything in a card stays inside its frame, its first rectangle, and returns
// the frames.
func cardsOf(t rapid.TB, elements []*element, page area) map[string]area {
	frames := map[string]area{}
	for _, p := range elements {
		frame, inCard := frames[p.node]
		switch {
		case p.name == "rect" && p.node != "" && !inCard:
			frames[p.node] = p.area(t)
			if !page.holds(frames[p.node]) {
				t.Fatalf("card %s at %v leaves the page %v", p.node, frames[p.node], page)
			}
		case p.name == "rect" && inCard && !frame.holds(p.area(t)):
			t.Fatalf("node %s: %v leaves the card %v", p.node, p.area(t), frame)
		case p.name == "text" && inCard && !frame.holds(p.textArea(t)):
			t.Fatalf("node %s: text %q at %v leaves the card %v", p.node, p.text, p.textArea(t), frame)
		case p.name == "text" && !inCard && !page.holds(p.textArea(t)):
			t.Fatalf("text %q at %v leaves the page %v", p.text, p.textArea(t), page)
		}
	}
	return frames
}

func checkPicture(t rapid.TB, svg []byte, cards int) {
	elements := parse(t, svg)
	page := area{0, 0, elements[0].float(t, "width"), elements[0].float(t, "height")}
	frames := cardsOf(t, elements, page)
	if len(frames) != cards {
		t.Fatalf("%d cards for %d nodes", len(frames), cards)
	}
	for i, a := range frames {
		for j, b := range frames {
			if i < j && a.meets(b) {
				t.Fatalf("cards %s and %s overlap: %v, %v", i, j, a, b)
			}
		}
	}
	edges := 0
	var marks []area
	for _, p := range elements {
		switch {
		case p.name == "path":
			edges++
		case p.attr["fill-opacity"] != "":
			marks = append(marks, p.area(t))
		}
	}
	for i, a := range marks {
		for _, b := range append(slices.Collect(maps.Values(frames)), marks[:i]...) {
			if a.meets(b) {
				t.Fatalf("mark %v covers %v", a, b)
			}
		}
	}
	if edges != cards-1 {
		t.Fatalf("%d edges for %d cards", edges, cards)
	}
}

func TestSVGOfAnyTree(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := randomSample(t)
		limit := s.o.MaxDepth
		if limit == 0 {
			limit = mostLevels
		}
		var a, b bytes.Buffer
		if err := errors.Join(SVG(&a, s.tree, s.names, s.o), SVG(&b, s.tree, s.names, s.o)); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a.Bytes(), b.Bytes()) {
			t.Fatal("two drawings of one tree differ")
		}
		checkPicture(t, a.Bytes(), shown(s.tree, limit))
	})
}

func TestSVGOfSamples(t *testing.T) {
	for _, s := range samples(t) {
		checkPicture(t, []byte(render(t, SVG, s)), shown(s.tree, s.o.MaxDepth))
	}
}

// Deep and wide trees are shortened so that a page can hold them, and every leaf is on a card or
// counted by one.
func TestSVGStaysReadable(t *testing.T) {
	s := chain(t, 300, Options{})
	svg := render(t, SVG, s)
	checkPicture(t, []byte(svg), 2*mostLevels+1)
	if want := "… 277 leaves"; !strings.Contains(svg, want) {
		t.Errorf("no card has %q", want)
	}
	if want := "301 leaves, drawn to depth 24 of 300"; !strings.Contains(svg, want) {
		t.Errorf("the heading does not contain %q", want)
	}

	b := tree.NewBuilder(tree.Scalar, 1, false)
	for n := range int32(255) {
		b.Split(n, tree.Split{Kind: tree.Numeric})
	}
	full := sample{tree: build(t, b)} // 256 leaves at depth 8
	checkPicture(t, []byte(render(t, SVG, full)), 2*mostEnds-1)
	full.o.MaxDepth = 7
	checkPicture(t, []byte(render(t, SVG, full)), 255)
}

func TestTooltipsHaveTheFullText(t *testing.T) {
	s := contacts(t)
	want := `job_of_the_person_who_answered in {machine-operator-inspector, nurse, teacher} or unseen`
	for _, p := range parse(t, []byte(render(t, SVG, s))) {
		if p.name == "title" && p.node == "0" {
			if first, _, _ := strings.Cut(p.text, "\n"); first != want {
				t.Errorf("tooltip of the root starts %q, want %q", first, want)
			}
			return
		}
	}
	t.Error("the root has no tooltip")
}

// A question that is too long for a card loses levels first, then letters of one level, but never
// its end.
func TestShortPredicate(t *testing.T) {
	s := contacts(t)
	v, err := newView(s.tree, s.names, s.o)
	if err != nil {
		t.Fatal(err)
	}
	p := picture{view: v}
	for space, want := range map[int]string{
		900: "in {machine-operator-inspector, nurse, teacher} or unseen",
		336: "in {machine-operator-inspector, +2 more} or unseen",
		246: "in {machine-ope…, +2 more} or unseen",
		67:  "in {mac…",
	} {
		if got := p.short(0, moreStyle, space, (*question).predicate); got != want {
			t.Errorf("in %d pixels: %q, want %q", space, got, want)
		}
	}
}

func TestScale(t *testing.T) {
	wide := scale{-math.MaxFloat64, math.MaxFloat64, 0}
	for _, c := range []struct {
		s       scale
		x, want float64
	}{
		{scale{1, 5, 2}, 2, 0.25}, {scale{1, 5, 2}, 9, 1}, {scale{1, 5, 2}, math.Inf(-1), 0}, {scale{1, 5, 2}, math.NaN(), 0.5},
		{wide, 0, 0.5}, {wide, math.MaxFloat64, 1}, {scale{3, 3, 3}, 3, 0.5}, {scale{0, 5e-324, 0}, 5e-324, 0.5},
	} {
		if got := c.s.at(c.x); got != c.want {
			t.Errorf("%v.at(%v) = %v, want %v", c.s, c.x, got, c.want)
		}
	}
}
