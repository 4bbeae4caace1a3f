package committee

import (
	"slices"

	"github.com/coppice-ml/coppice/internal/kernel"
	"github.com/coppice-ml/coppice/loss/link"
)

// call is a request for what members predict of some rows.
type call struct {
	rows    int
	predict predictFunc
	*buffer
}

// buffer is memory that is used again, so that single rows need no new memory.
type buffer struct {
	response, raw []float64
	values        []float64 // of a member
	predicted     []float64 // of all members, one after the other
	order         []weighted
}

// sized returns a slice of n elements in memory that is used again.
func sized[T any](memory *[]T, n int) []T {
	*memory = slices.Grow((*memory)[:0], n)[:n]
	return *memory
}

// respond writes responses.
func (p *predictor) respond(dst []float64, c call) error {
	raw, n := dst, c.rows
	if p.scores != p.outputs {
		raw = sized(&c.raw, n*p.scores)
	}
	if err := p.score(raw, c); err != nil {
		return err
	}
	switch p.committee.Combine {
	case Sum:
		for i := range n {
			p.link(dst[i*p.outputs:(i+1)*p.outputs], raw[i*p.scores:(i+1)*p.scores])
		}
	case Product:
		for i := range n {
			link.Softmax().Apply(dst[i*p.outputs : (i+1)*p.outputs])
		}
	case Ranks:
		for i := range n {
			p.unrank(dst[i*p.outputs : (i+1)*p.outputs])
		}
	}
	return nil
}

// score writes what the members predict together, before any link.
func (p *predictor) score(dst []float64, c call) error {
	clear(dst)
	switch p.committee.Combine {
	case Vote:
		return p.vote(dst, c)
	case Sum:
		return p.sum(dst, c)
	case Median:
		return p.median(dst, c)
	case Product:
		return p.multiply(dst, c)
	case Ranks:
		return p.ranks(dst, c)
	}
	return p.mean(dst, c)
}

// mean moves the mean towards each member's prediction by the member's fraction of the weight so
// far. If all members predict the same, the mean is exactly that, while a sum of rounded terms is
// not.
func (p *predictor) mean(dst []float64, c call) error {
	sum := 0.0
	return p.each(c, func(i int, values []float64) {
		w := p.committee.Weight(i)
		sum += w
		step := w / sum
		for k, v := range values {
			dst[k] += float64(step * (v - dst[k]))
		}
	})
}

// vote counts votes, and divides once.
func (p *predictor) vote(dst []float64, c call) error {
	sum := 0.0
	err := p.each(c, func(i int, values []float64) {
		w := p.committee.Weight(i)
		sum += w
		for row, class := range values {
			dst[row*p.outputs+int(class)] += w
		}
	})
	for k := range dst {
		dst[k] /= sum
	}
	return err
}

// start puts the bias where scores are added up.
func (p *predictor) start(dst []float64, n int) {
	for k, b := range p.committee.Bias {
		for i := range n {
			dst[i*p.scores+k] = b + 0 // no negative zero, as in model/internal/engine
		}
	}
}

// sum starts with the bias and adds member after member.
func (p *predictor) sum(dst []float64, c call) error {
	p.start(dst, c.rows)
	return p.each(c, func(i int, values []float64) {
		w, o := p.committee.Weight(i), p.committee.output(i)
		if o < 0 {
			for k, v := range values {
				dst[k] += float64(w * v)
			}
			return
		}
		for row, v := range values {
			dst[row*p.scores+int(o)] += float64(w * v)
		}
	})
}

// multiply starts with the bias and adds up centred logarithms.
func (p *predictor) multiply(dst []float64, c call) error {
	p.start(dst, c.rows)
	return p.each(c, func(i int, values []float64) {
		w := p.committee.Weight(i)
		for at := 0; at < len(values); at += p.outputs {
			p.committee.Centre(values[at : at+p.outputs])
		}
		for k, v := range values {
			dst[k] += float64(w * v)
		}
	})
}

// Centre replaces a row's class probabilities by what a Product adds up of them: ln p_k - mean of
// ln p_j, with probabilities below the floor taken for it.
func (c *Committee) Centre(probabilities []float64) {
	floor := max(c.Floor, SmallestProbability)
	mean := 0.0
	for k, p := range probabilities {
		probabilities[k] = kernel.Log(max(p, floor))
		mean += probabilities[k]
	}
	mean /= float64(len(probabilities))
	for k := range probabilities {
		probabilities[k] -= mean
	}
}

// median sorts the members' predictions for each number of a row.
func (p *predictor) median(dst []float64, c call) error {
	c.predicted = c.predicted[:0]
	if err := p.each(c, func(_ int, values []float64) {
		c.predicted = append(c.predicted, values...)
	}); err != nil {
		return err
	}
	order := sized(&c.order, len(p.members))
	for k := range dst {
		for i := range order {
			order[i] = weighted{c.predicted[i*len(dst)+k], p.committee.Weight(p.used[i])}
		}
		dst[k] = weightedMedian(order)
	}
	return nil
}

// weighted is a number that has a weight.
type weighted struct{ Value, Weight float64 }

// weightedMedian returns the least number up to which the numbers have at least half of the weight
// of all (Drucker 1997). It sorts them; there must be one.
func weightedMedian(numbers []weighted) float64 {
	slices.SortStableFunc(numbers, func(a, b weighted) int {
		switch {
		case a.Value < b.Value:
			return -1
		case a.Value > b.Value:
			return 1
		}
		return 0
	})
	total := 0.0
	for _, v := range numbers {
		total += v.Weight
	}
	sum := 0.0
	for _, v := range numbers {
		if sum += v.Weight; sum >= total/2 {
			return v.Value
		}
	}
	return numbers[len(numbers)-1].Value
}

// each calls take with the predictions of each member, in the order of the members; i is the
// member's place.
func (p *predictor) each(c call, take func(i int, values []float64)) error {
	for at, m := range p.members {
		values := sized(&c.values, c.rows*m.Width())
		if err := c.predict(m, values); err != nil {
			return err
		}
		take(p.used[at], values)
	}
	return nil
}
