package draw

import "fmt"

// colour is a 24-bit sRGB colour, 0xRRGGBB.
type colour uint32

func (c colour) String() string { return fmt.Sprintf("#%06x", uint32(c)) }

const (
	white  colour = 0xffffff
	ink    colour = 0x1f2933 // text
	faded  colour = 0x616e7c // secondary text
	border colour = 0xcbd2d9
	ribbon colour = 0xcdd5dd // edges
	rest   colour = 0xc3cad2 // classes that share one segment
	below  colour = 0x0072b2 // values below the reference
	above  colour = 0xd55e00 // values above it
)

// okabeIto is the palette of Okabe and Ito, "Color Universal Design" (2008), which people with any common colour
// blindness can tell apart, in an order that gives few classes the strongest contrast. Its black is softened, so
// that it is no ink.
var okabeIto = [...]colour{0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xd55e00, 0xf0e442, 0x4a4a4a}

// classColour returns the colour of a class: Okabe-Ito for the first eight, then hues a golden angle apart in three
// lightnesses.
func classColour(class int) colour {
	if class < len(okabeIto) {
		return okabeIto[class]
	}
	i := class - len(okabeIto)
	hue := (i%(1<<20)*1375 + 200) / 10 % 360
	return hsl(hue, 55, [...]int{45, 65, 32}[i%3])
}

// hsl converts hue in degrees, saturation and lightness in percent, by the integer form of the CSS formula
// f(n) = l - a*max(-1, min(k-3, 9-k, 1)), k = (n + h/30) mod 12, a = s*min(l, 1-l).
func hsl(hue, saturation, lightness int) colour {
	a := saturation * min(lightness, 100-lightness) // 1/10000
	channel := func(n int) colour {
		k := (30*n + hue) % 360 // 1/30
		f := max(-30, min(k-90, 270-k, 30))
		return colour((255*(lightness*100*30-a*f) + 150000) / 300000)
	}
	return channel(0)<<16 | channel(8)<<8 | channel(4)
}

// tint mixes percent of a colour into white.
func tint(c colour, percent int) colour {
	channel := func(shift uint) colour {
		x := int(c >> shift & 0xff)
		return colour((x*percent+255*(100-percent)+50)/100) << shift
	}
	return channel(16) | channel(8) | channel(0)
}

// inkOn returns the text colour that contrasts with a background, by its perceived brightness.
func inkOn(background colour) colour {
	r, g, b := background>>16&0xff, background>>8&0xff, background&0xff
	if 299*r+587*g+114*b > 140000 {
		return ink
	}
	return white
}
