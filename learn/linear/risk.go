package linear

import (
	"math"

	"github.com/coppice-ml/coppice/internal/kernel"
)

// tied are the events of one time as the likelihood has them: one term after another, whose hazards
// at risk are those of all rows at risk, less a fraction of those of the events.
//
//	Breslow   one term of their whole weight, less nothing
//	Efron     of d events, term k = 0, ..., d-1 of their mean weight, less k/d of their hazards
type tied struct {
	weight float64 // of one term
	terms  int
	step   float64 // by how much the fraction rises from term to term: 1/d, or 0
}

// eachTerm calls do with the fraction of the events' hazards that each term leaves out, and with
// the factor on the hazards at risk that it leaves, given the events' part of them.
func (t *tied) eachTerm(part float64, do func(out, left float64)) {
	for k := range t.terms {
		out := float64(float64(k) * t.step)
		do(out, 1-float64(out*part))
	}
}

// logSum is the logarithm of a sum of numbers that may overflow; start it at -Inf.
type logSum float64

// add adds a number above 0, given its logarithm.
func (s *logSum) add(log float64) {
	top, low := max(float64(*s), log), min(float64(*s), log)
	if !math.IsInf(low, -1) {
		top += kernel.Log1p(kernel.Exp(low - top))
	}
	*s = logSum(top)
}

// atRisk returns, for each place where a time ends, the logs of the sums of hazards: those of all
// rows at risk, and those of the events of that time.
func (p *coxProblem) atRisk(scores []float64) (all, events []float64) {
	all, events = make([]float64, len(scores)), make([]float64, len(scores))
	risk, own := logSum(math.Inf(-1)), logSum(math.Inf(-1))
	for at, score := range scores {
		log := p.logWeight[at] + score
		risk.add(log)
		if p.seen[at] > 0 {
			own.add(log)
		}
		if p.ends[at] {
			all[at], events[at] = float64(risk), float64(own)
			own = logSum(math.Inf(-1))
		}
	}
	return all, events
}

// value returns minus the log of the partial likelihood.
func (p *coxProblem) value(scores []float64) float64 {
	all, events := p.atRisk(scores)
	sum := 0.0
	for at, score := range scores {
		sum -= float64(p.seen[at] * score)
		t := &p.tied[at]
		t.eachTerm(kernel.Exp(events[at]-all[at]), func(_, left float64) {
			sum += float64(t.weight * (all[at] + kernel.Log(left)))
		})
	}
	return sum
}

// fractions returns the part that each row has of the events that it was at risk at: of the terms
// of earlier times all, and of its own time less where its event was seen then. Times run forwards,
// from the last place to the first.
func (p *coxProblem) fractions(scores []float64) []float64 {
	all, events := p.atRisk(scores)
	parts := make([]float64, len(scores))
	survived, own := logSum(math.Inf(-1)), logSum(math.Inf(-1))
	for at := len(scores) - 1; at >= 0; at-- {
		if p.ends[at] {
			own = survived
			t := &p.tied[at]
			log := kernel.Log(t.weight) - all[at]
			t.eachTerm(kernel.Exp(events[at]-all[at]), func(out, left float64) {
				survived.add(log - kernel.Log(left))
				own.add(log + kernel.Log(1-out) - kernel.Log(left))
			})
		}
		part := survived
		if p.seen[at] > 0 {
			part = own
		}
		parts[at] = kernel.Exp(p.logWeight[at] + scores[at] + float64(part))
	}
	return parts
}

// outer returns the vectors whose outer products add up to that of the mean vectors of all terms:
// with the mean m of the rows at risk, m' of the events and f what a term leaves out,
//
//	sum of weight/(1-f)^2 (m - f m') (m - f m')'
//
// which is of rank two, so that a time costs no more than two rows.
func (t *tied) outer(all, events *riskMean) (vectors [][]float64) {
	var aa, ab, bb float64
	t.eachTerm(kernel.Exp(events.log-all.log), func(out, left float64) {
		f := 1 - left
		w := t.weight / float64(left*left)
		aa += w
		ab -= float64(w * f)
		bb += float64(w * f * f)
	})
	first, second := make([]float64, len(all.mean)), make([]float64, len(all.mean))
	root := math.Sqrt(aa)
	rest := math.Sqrt(max(0, bb-float64(ab*(ab/aa))))
	for k, m := range all.mean {
		first[k] = float64(root*m) + float64(ab/root*events.mean[k])
		second[k] = rest * events.mean[k]
	}
	if rest == 0 {
		return [][]float64{first}
	}
	return [][]float64{first, second}
}
