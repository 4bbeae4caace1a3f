package svg

import "fmt"

// Colour is a 24-bit sRGB colour, 0xRRGGBB.
type Colour uint32

// String returns the colour as SVG writes it, #rrggbb.
func (c Colour) String() string { return fmt.Sprintf("#%06x", uint32(c)) }

// The colours of all pictures.
const (
	White  Colour = 0xffffff
	Ink    Colour = 0x1f2933 // text
	Faded  Colour = 0x616e7c // secondary text
	Border Colour = 0xcbd2d9
	Ribbon Colour = 0xcdd5dd // edges of trees
	Rest   Colour = 0xc3cad2 // classes that are in one segment together
	Below  Colour = 0x0072b2 // values below a reference
	Above  Colour = 0xd55e00 // values above it
)

// OkabeIto is the palette of Okabe and Ito, "Color Universal Design" (2008), which people with any
// common colour blindness can distinguish. Its order gives few classes the strongest contrast. Its
// black is softened, to differ from text.
var OkabeIto = [...]Colour{0x0072b2, 0xe69f00, 0x009e73, 0xcc79a7, 0x56b4e9, 0xd55e00,
	0xf0e442, 0x4a4a4a}

// ClassColour returns the colour of a class, counted from 0: Okabe-Ito for the first eight, then
// hues at steps of a golden angle in three lightnesses.
func ClassColour(class int) Colour {
	if class < len(OkabeIto) {
		return OkabeIto[class]
	}
	i := class - len(OkabeIto)
	hue := (i%(1<<20)*1375 + 200) / 10 % 360
	return hsl(hue, 55, [...]int{45, 65, 32}[i%3])
}

// hsl converts hue in degrees, saturation and lightness in percent, by the integer form of the CSS
// formula f(n) = l - a*max(-1, min(k-3, 9-k, 1)), k = (n + h/30) mod 12, a = s*min(l, 1-l).
func hsl(hue, saturation, lightness int) Colour {
	a := saturation * min(lightness, 100-lightness) // 1/10000
	channel := func(n int) Colour {
		k := (30*n + hue) % 360 // 1/30
		f := max(-30, min(k-90, 270-k, 30))
		return Colour((255*(lightness*100*30-a*f) + 150000) / 300000)
	}
	return channel(0)<<16 | channel(8)<<8 | channel(4)
}

// Tint mixes percent of a colour into white.
func Tint(c Colour, percent int) Colour {
	channel := func(shift uint) Colour {
		x := int(c >> shift & 0xff)
		return Colour((x*percent+255*(100-percent)+50)/100) << shift
	}
	return channel(16) | channel(8) | channel(0)
}

// InkOn returns the text colour that contrasts with a background, by its perceived brightness.
func InkOn(background Colour) Colour {
	r, g, b := background>>16&0xff, background>>8&0xff, background&0xff
	if 299*r+587*g+114*b > 140000 {
		return Ink
	}
	return White
}
