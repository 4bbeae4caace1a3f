package report

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/coppice-ml/coppice/internal/svg"
)

// spark draws counts as small bars, for cells of tables. The label is read in its place.
func spark(counts []int, label string) piece {
	const width, height = 1200, 260 // tenths of a pixel
	most := max(1, slices.Max(counts))
	return inline("spark", width, height, label, func(p *svg.Pen) {
		var d strings.Builder
		for i, n := range counts {
			left, right := width*i/len(counts), width*(i+1)/len(counts)
			if n > 0 {
				fmt.Fprintf(&d, "M%v %vV%vH%vV%vz", svg.Tenths(left), svg.Tenths(height),
					svg.Tenths(height-max(4, height*n/most)), svg.Tenths(max(left+4, right-6)),
					svg.Tenths(height))
			}
		}
		fmt.Fprintf(p, "<path d=\"%s\" fill=\"%s\"/>", d.String(), svg.Below)
	})
}

// gauge draws a value as a bar from 0, for cells of tables. The axis reaches from low to high, of
// which at least one is not 0 and which have 0 between them. A line goes over the bar from one end
// of an interval to the other, unless these are equal. Values above 0 are blue, or orange where
// some may be below, as contributions are.
func gauge(value, low, high, from, to number) piece {
	const width, height = 960, 110
	place := func(v number) svg.Tenths {
		if x := float64(v); !(high > low) || math.IsNaN(x) || math.IsInf(x, 0) {
			return 0
		}
		return svg.Tenths(width * max(0, min(1, (v-low)/(high-low))))
	}
	colour := svg.Below
	if low < 0 && value > 0 {
		colour = svg.Above
	}
	return inline("gauge", width, height, "", func(p *svg.Pen) {
		left, right := place(min(0, value)), place(max(0, value))
		p.Rect(left, 15, max(5, right-left), height-30, colour, "")
		if low < 0 {
			fmt.Fprintf(p, "<path d=\"M%v 0V%v\" stroke=\"%s\"/>", place(0), svg.Tenths(height), svg.Faded)
		}
		if from != to {
			fmt.Fprintf(p, "<path d=\"M%v %vH%v\" stroke=\"%s\" stroke-width=\"2\"/>",
				place(from), svg.Tenths(height/2), place(to), svg.Ink)
		}
	})
}

// swatch draws the colour of a class for a list of them.
func swatch(class int) piece {
	return inline("swatch", 130, 130, "", func(p *svg.Pen) {
		p.Rect(0, 0, 130, 130, svg.ClassColour(class), ` rx="3"`)
	})
}

// inline makes a small picture; "" as its label hides it from those who do not see it.
func inline(class string, width, height int, label string, draw func(p *svg.Pen)) piece {
	var b strings.Builder
	p := svg.NewPen(&b)
	fmt.Fprintf(p, "<svg class=\"%s\" width=\"%v\" height=\"%v\"", class, svg.Tenths(width),
		svg.Tenths(height))
	if label == "" {
		p.WriteString(` aria-hidden="true"`)
	} else {
		p.WriteString(` role="img"`)
		p.Attribute("aria-label", label)
	}
	p.WriteByte('>')
	draw(p)
	p.WriteString("</svg>")
	_ = p.Flush() // a builder takes all
	return piece(b.String())
}
