package rounds

// A challenger ends as soon as the default is clearly ahead of it after as many rounds and as much
// work, since candidates that win are seldom behind for long:
//
//	rounds          5      7      9      12     16 ...
//	default       0.540  0.502  0.480  0.461  0.452      checks, each with ten blocks of rows
//	leaves=127    0.549  0.515  0.501                    by three errors, or one from 9 rounds on
//
// Smaller trees take less work for a round. They are compared with a check of fewer rounds then,
// since of equal rounds small trees look worse than they are in the end.
const (
	firstCheck               = 5
	manyChecked              = 9 // rounds from which one standard error is enough
	behindErrors, manyErrors = 3, 1
)

// Check is how far a training has come after some rounds.
type Check struct {
	Rounds int       `json:"rounds"`
	Work   float64   `json:"work"`
	Blocks []float64 `json:"blocks"` // the metric of its best round so far, of blocks of the test rows
}

// isCheck reports whether trials are compared after a round.
func isCheck(round int) bool {
	n := firstCheck
	for n < round {
		n = max(n+2, n*7/5)
	}
	return n == round
}

// Behind is called after each round of a trial, whose rounds and metric are known. It reports
// whether the trial ends because the default is clearly ahead. Of the default itself it notes the
// checks. blocks returns the metric of the best round so far by blocks of the test rows.
func (c *Config) Behind(t *Curve, work float64, blocks func() []float64) bool {
	if !c.Checked || !isCheck(t.Rounds) {
		return false
	}
	if len(c.Settings) == 0 {
		t.Checks = append(t.Checks, Check{t.Rounds, work, blocks()})
		return false
	}
	at := -1
	for i, of := range c.Default {
		if of.Rounds <= t.Rounds && of.Work <= work {
			at = i
		}
	}
	if at < 0 {
		return false
	}
	gains := t.Metric.blockGains(&Trial{Blocks: blocks()}, &Trial{Blocks: c.Default[at].Blocks})
	if gains == nil {
		return false
	}
	gain, deviation := meanOf(gains)
	errors := float64(behindErrors)
	if t.Rounds >= manyChecked {
		errors = manyErrors
	}
	t.Behind = gain < -float64(errors*deviation)
	return t.Behind
}

// A trial has ended where its loss has risen by this part above the best one, half of the rounds of
// early stopping after it: of 216 trials on 19 tables none found a better round later.
const trialRise = 0.01

// HasRisen reports whether a trial has passed its best round for good, given the metric of its last
// one.
func (c *Config) HasRisen(t *Curve, last float64) bool {
	rise := last - t.Value
	return !t.Metric.Higher && 2*(t.Rounds-t.Best) >= c.Patience &&
		rise > trialRise*max(t.Value, -t.Value)
}

// isChecked reports whether a trial of a race is compared while it is trained. Where several folds
// come first, or gains are forecast or confirmed, metrics count at their best rounds. So they do
// for candidates of which there is reason to expect much: equal splits are behind for long where
// they win.
func (p *place) isChecked(r *Race) bool {
	expected := p.candidate != r.tried[0] && (p.candidate.Factor == "" || p.candidate.Upon != "")
	return len(r.Challengers) > 0 && r.First == 1 && p.fold == 0 && !expected &&
		(r.Sample == nil || r.Sample.Smaller == nil)
}
