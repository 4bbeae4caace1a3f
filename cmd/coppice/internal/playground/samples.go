package playground

import (
	"context"
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/internal/rng"
)

// point is a row: a place of the unit square and its class, 0 or 1; or a place of the line and a
// number, and no class.
type point struct {
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Class int     `json:"class"`
	Test  bool    `json:"test,omitempty"` // no training row
}

// sample is a distribution that points are drawn from.
type sample struct {
	Name  string  `json:"name"`
	Title string  `json:"title"`
	Noise float64 `json:"noise"` // that shows it well

	draw  func(s *rng.Stream, class int, noise float64) (x, y float64) // of classes
	truth func(x float64) float64                                      // of numbers
}

// planes lists the distributions of two classes.
func planes() []sample {
	return []sample{
		{Name: "moons", Title: "Moons", Noise: 0.25, draw: moons},
		{Name: "circle", Title: "Ring", Noise: 0.25, draw: ring},
		{Name: "xor", Title: "XOR", Noise: 0.15, draw: xor},
		{Name: "slant", Title: "Slanted border", Noise: 0.15, draw: slant},
		{Name: "spirals", Title: "Spirals", Noise: 0.1, draw: spirals},
		{Name: "clouds", Title: "Overlapping clouds", Noise: 0.5, draw: clouds},
	}
}

// shapes lists the functions of one number, from the unit interval to about the same.
func shapes() []sample {
	return []sample{
		{Name: "wave", Title: "Wave", Noise: 0.25,
			truth: func(x float64) float64 { return 0.5 + float64(0.35*math.Sin(2*math.Pi*x)) }},
		{Name: "steps", Title: "Steps", Noise: 0.15, truth: func(x float64) float64 {
			return [...]float64{0.25, 0.8, 0.45, 0.65}[min(3, int(4*x))]
		}},
		{Name: "peak", Title: "Peak", Noise: 0.15, truth: func(x float64) float64 {
			d := (x - 0.6) / 0.07
			return 0.2 + float64(0.65*kernel.Exp(-d*d/2))
		}},
		{Name: "line", Title: "Line", Noise: 0.2,
			truth: func(x float64) float64 { return 0.2 + float64(0.6*x) }},
	}
}

// sampleRequest draws points: of a plane, or of a shape.
type sampleRequest struct {
	Name  string  `json:"name"`
	Curve bool    `json:"curve"` // of shapes
	Rows  int     `json:"rows"`  // for training
	Test  int     `json:"test"`
	Noise float64 `json:"noise"` // from 0 to 1
	Seed  uint64  `json:"seed"`
}

type sampled struct {
	Points []point `json:"points"`
}

func sampleOf(_ context.Context, _ *Handler, q *sampleRequest) (*sampled, error) {
	if q.Rows < 0 || q.Test < 0 || q.Rows > maxPoints || q.Test > maxPoints ||
		q.Rows+q.Test > maxPoints {
		return nil, refuse("a sample has at most %d points", maxPoints)
	}
	if q.Noise < 0 || q.Noise > 1 {
		return nil, refuse("noise goes from 0 to 1")
	}
	all := planes()
	if q.Curve {
		all = shapes()
	}
	for _, s := range all {
		if s.Name != q.Name {
			continue
		}
		stream := rng.New(q.Seed)
		points := make([]point, 0, q.Rows+q.Test)
		for i := range q.Rows + q.Test {
			p := s.point(stream, i%2, q.Noise)
			p.Test, p.X, p.Y = i >= q.Rows, inside(p.X), inside(p.Y)
			points = append(points, p)
		}
		return &sampled{points}, nil
	}
	return nil, refuse("there is no sample %q", q.Name)
}

// point draws a point. Noise may move it out of the unit square.
func (s *sample) point(stream *rng.Stream, class int, noise float64) point {
	p := point{Class: class}
	if s.truth != nil {
		p.Class, p.X = 0, stream.Float64()
		p.Y = s.truth(p.X) + float64(noise*normal(stream)/3)
	} else {
		p.X, p.Y = s.draw(stream, class, noise)
	}
	return p
}

// inside rounds a coordinate, and moves it into the square.
func inside(x float64) float64 { return math.Round(min(max(x, 0.01), 0.99)*1e3) / 1e3 }

// normal draws a standard normal number, as a sum of 12 uniform ones less 6.
func normal(s *rng.Stream) float64 {
	sum := -6.0
	for range 12 {
		sum += s.Float64()
	}
	return sum
}

func moons(s *rng.Stream, class int, noise float64) (x, y float64) {
	a := math.Pi * s.Float64()
	x, y = 0.38+float64(0.26*math.Cos(a)), 0.44+float64(0.34*math.Sin(a))
	if class == 1 {
		x, y = 0.62-float64(0.26*math.Cos(a)), 0.56-float64(0.34*math.Sin(a))
	}
	return x + float64(0.2*noise*normal(s)), y + float64(0.2*noise*normal(s))
}

func ring(s *rng.Stream, class int, noise float64) (x, y float64) {
	a, r := 2*math.Pi*s.Float64(), float64(0.2*math.Sqrt(s.Float64()))
	if class == 1 {
		r = 0.32 + float64(0.1*s.Float64())
	}
	r += float64(0.2 * noise * normal(s))
	return 0.5 + float64(r*math.Cos(a)), 0.5 + float64(r*math.Sin(a))
}

func xor(s *rng.Stream, class int, noise float64) (x, y float64) {
	x, y = float64(s.Float64()/2), float64(s.Float64()/2)
	if s.Intn(2) == 1 {
		x, y = x+0.5, y+0.5
	}
	if class == 1 {
		y = 1 - y
	}
	return x + float64(0.2*noise*normal(s)), y + float64(0.2*noise*normal(s))
}

func slant(s *rng.Stream, class int, noise float64) (x, y float64) {
	x, y = s.Float64(), s.Float64()
	if (x+y > 1) != (class == 1) {
		x, y = 1-x, 1-y
	}
	return x + float64(0.3*noise*normal(s)), y + float64(0.3*noise*normal(s))
}

func spirals(s *rng.Stream, class int, noise float64) (x, y float64) {
	t := math.Sqrt(0.02 + float64(0.98*s.Float64()))
	a := float64(3*math.Pi*t) + float64(math.Pi*float64(class))
	r := float64(0.45 * t)
	return 0.5 + float64(r*math.Cos(a)) + float64(0.2*noise*normal(s)),
		0.5 + float64(r*math.Sin(a)) + float64(0.2*noise*normal(s))
}

func clouds(s *rng.Stream, class int, noise float64) (x, y float64) {
	at := 0.35
	if class == 1 {
		at = 0.65
	}
	spread := 0.04 + float64(0.22*noise)
	return at + float64(spread*normal(s)), at + float64(spread*normal(s))
}
